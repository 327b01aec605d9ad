/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Redirects the output of the process; see engine_mute.h. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "engine_mute.h"

/* Directs a descriptor to /dev/null. Returns a copy of it, or -1. */
static int discard_output(int fd)
{
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const int copy = null < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (copy >= 0)
		dup2(null, fd);
	if (null >= 0)
		close(null);
	return copy;
}

static void restore_output(int copy, int fd)
{
	if (copy < 0)
		return;
	dup2(copy, fd);
	close(copy);
}

struct engine_mute engine_mute_begin(void)
{
	fflush(NULL);
	return (struct engine_mute){ discard_output(STDOUT_FILENO),
		discard_output(STDERR_FILENO) };
}

void engine_mute_end(struct engine_mute m)
{
	/* The library may have buffered what it printed. */
	fflush(NULL);
	restore_output(m.out, STDOUT_FILENO);
	restore_output(m.err, STDERR_FILENO);
}
