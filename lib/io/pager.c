/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pager; see pager.h. As in system(3), an interruption from the keyboard is for the
 * pager only. A pager that ends before it has read everything is no error.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/pager.h"
#include "io/terminal.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 }; /* exit statuses of a shell */

/* The signals that a program ignores while it feeds a pager. */
static const int ignored[] = { SIGINT, SIGQUIT, SIGPIPE };

/* Returns the user's command, "" for none, or NULL for less. */
static const char *pager_command(void)
{
	const char *command = getenv("BENCH_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (terminal_dumb())
		return "";
	if (command)
		command += strspn(command, " \t");
	return command && strcmp(command, "cat") == 0 ? "" : command;
}

static size_t count_lines(struct text text)
{
	size_t lines = 0;

	for (size_t i = 0; i < text.len; i++)
		lines += text.ptr[i] == '\n';
	return lines;
}

/* Starts the pager, which reads from a descriptor. Returns 0 or errno. */
static int start_pager(const char *command, int from, pid_t *pid)
{
	char *const shell[] = { "sh", "-c", (char *)command, NULL };
	char *const less[] = { "less", NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int error;

	sigemptyset(&defaults);
	for (size_t i = 0; i < COUNT(ignored); i++)
		sigaddset(&defaults, ignored[i]);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(pid, command ? "sh" : "less", &actions, &attributes,
	    command ? shell : less, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static void write_all(int fd, struct text text)
{
	while (text.len) {
		ssize_t put = write(fd, text.ptr, text.len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return;
		text = text_after(text, (size_t)put);
	}
}

/* Returns whether the pager ran. */
static bool wait_pager(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != NOT_EXECUTABLE && WEXITSTATUS(status) != NOT_FOUND);
}

/* Runs the pager. Returns false if it cannot be run. */
static bool run_pager(const char *command, struct text text)
{
	struct sigaction before[COUNT(ignored)], ignore = { .sa_handler = SIG_IGN };
	bool shown = false;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	for (size_t i = 0; i < COUNT(ignored); i++)
		sigaction(ignored[i], &ignore, &before[i]);
	int error = start_pager(command, ends[0], &pid);
	close(ends[0]);
	if (!error)
		write_all(ends[1], text);
	close(ends[1]);
	if (!error)
		shown = wait_pager(pid);
	for (size_t i = 0; i < COUNT(ignored); i++)
		sigaction(ignored[i], &before[i], NULL);
	return shown;
}

bool pager_show(int fd, struct text text, bool wide)
{
	const char *command = pager_command();
	bool sets_less = !getenv("LESS"), shown;

	if (!isatty(fd) || (command && !*command) ||
	    count_lines(text) < terminal_size(fd).lines)
		return false;
	if (sets_less)
		setenv("LESS", wide ? "FRSX" : "FRX", 1);
	shown = run_pager(command, text);
	if (sets_less)
		unsetenv("LESS");
	return shown;
}
