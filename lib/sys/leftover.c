/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes files when the program ends early; see leftover.h. If a program handles signals
 * itself (interrupt.h), its handlers remain: the program ends in its own way, and
 * interrupt_end() removes the remaining files.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "sys/leftover.h"

enum { REMOVALS = 100 }; /* attempts, since others may create files */

static struct {
	int directory;
	bool is_folder;           /* the entry is a directory */
	const char *_Atomic name; /* NULL: unused */
} entries[LEFTOVERS_MAX];

/* Removes the files in a directory. getdents64 is a system call, unlike readdir(), which
 * allocates. */
static void empty_folder(int directory)
{
	_Alignas(struct dirent64) char list[4096];
	ssize_t got;

	while ((got = getdents64(directory, list, sizeof(list))) > 0)
		for (ssize_t at = 0; at < got;) {
			const struct dirent64 *entry = (const void *)(list + at);

			if (strcmp(entry->d_name, ".") != 0 &&
			    strcmp(entry->d_name, "..") != 0)
				unlinkat(directory, entry->d_name, 0);
			at += entry->d_reclen;
		}
}

void leftover_remove_folder(const char *path)
{
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (directory < 0)
		return;
	for (int i = 0; i < REMOVALS; i++) {
		lseek(directory, 0, SEEK_SET);
		empty_folder(directory);
		if (rmdir(path) == 0)
			break;
	}
	close(directory);
}

void leftover_remove(void)
{
	for (size_t i = 0; i < LEFTOVERS_MAX; i++) {
		const char *name = atomic_exchange(&entries[i].name, NULL);

		if (name && entries[i].is_folder)
			leftover_remove_folder(name);
		else if (name)
			unlinkat(entries[i].directory, name, 0);
	}
}

static void remove_and_die(int number)
{
	leftover_remove();
	signal(number, SIG_DFL);
	raise(number);
}

/* Handles the signals that would end the program, except those that it ignores or handles
 * itself. */
static void watch_signals(void)
{
	static const int fatal[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU,
		SIGXFSZ };
	struct sigaction action = { .sa_handler = remove_and_die }, old;

	for (size_t i = 0; i < COUNT(fatal); i++)
		if (sigaction(fatal[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(fatal[i], &action, NULL);
}

static int add_leftover(int directory, const char *name, bool is_folder)
{
	static bool watching;

	if (!watching) {
		atexit(leftover_remove);
		watch_signals();
		watching = true;
	}
	for (int i = 0; i < LEFTOVERS_MAX; i++)
		if (!atomic_load(&entries[i].name)) {
			entries[i].directory = directory;
			entries[i].is_folder = is_folder;
			atomic_store(&entries[i].name, name);
			return i;
		}
	return -1;
}

int leftover_add(int directory, const char *name)
{
	return add_leftover(directory, name, false);
}

int leftover_add_folder(const char *path)
{
	return add_leftover(AT_FDCWD, path, true);
}

void leftover_drop(int entry)
{
	if (entry >= 0)
		atomic_store(&entries[entry].name, NULL);
}
