/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removing files at an early end; see leftover.h. A program that handles signals itself
 * (interrupt.h) keeps its handlers: it comes to its end in its own way, and interrupt_end()
 * removes what is left then.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "sys/leftover.h"

static struct {
	int folder;
	const char *_Atomic name; /* NULL: the entry is free */
} entries[LEFTOVERS_MAX];

void leftover_remove(void)
{
	for (size_t i = 0; i < LEFTOVERS_MAX; i++) {
		const char *name = atomic_exchange(&entries[i].name, NULL);

		if (name)
			unlinkat(entries[i].folder, name, 0);
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

int leftover_add(int folder, const char *name)
{
	static bool watching;

	if (!watching) {
		atexit(leftover_remove);
		watch_signals();
		watching = true;
	}
	for (int i = 0; i < LEFTOVERS_MAX; i++)
		if (!atomic_load(&entries[i].name)) {
			entries[i].folder = folder;
			atomic_store(&entries[i].name, name);
			return i;
		}
	return -1;
}

void leftover_drop(int entry)
{
	if (entry >= 0)
		atomic_store(&entries[entry].name, NULL);
}
