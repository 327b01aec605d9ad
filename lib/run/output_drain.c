/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Discards the output of commands; see output_drain.h. The helper that starts the commands
 * opens the pipe by its path below /proc, as it opens a file, so that each execution has a
 * descriptor of its own. The thread moves the bytes to the null device without copying
 * them, because its time is taken from that of the machine that is measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "run/output_drain.h"

enum { CHUNK = 1 << 20 };

static int drain_end, drain_null;

static void *drain_output(void *unused)
{
	ssize_t moved;

	do
		moved = splice(drain_end, NULL, drain_null, NULL, CHUNK, 0);
	while (moved > 0 || (moved < 0 && errno == EINTR));
	return unused;
}

/* Starts the thread with all signals blocked, which the other threads handle. Returns 0, or
 * an errno. */
static int start_drain(void)
{
	sigset_t all, before;
	pthread_t thread;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread, NULL, drain_output, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error ? error : pthread_detach(thread);
}

const char *output_drain_open(struct fault *f)
{
	static char path[64];
	int end[2];

	drain_null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (drain_null < 0 || pipe2(end, O_CLOEXEC) < 0) {
		fault_errno(f, "a pipe for the output");
		return NULL;
	}
	drain_end = end[0];
	errno = start_drain();
	if (errno) {
		fault_errno(f, "a thread that reads the output");
		return NULL;
	}
	snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), end[1]);
	return path;
}
