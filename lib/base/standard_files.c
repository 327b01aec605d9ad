/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens closed standard descriptors, and handles signals whose inherited or default
 * treatment would lose results; see standard_files.h.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/base.h"
#include "base/standard_files.h"

static void continue_write(int number)
{
	(void)number;
}

/* A handler, unlike SIG_IGN, does not remain in programs that are executed. */
static void catch_limit(void)
{
	struct sigaction action = { .sa_handler = continue_write, .sa_flags = SA_RESTART };
	struct sigaction old;

	if (sigaction(SIGXFSZ, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &action, NULL);
}

void standard_files_open(void)
{
	catch_limit();
	signal(SIGCHLD, SIG_DFL);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		/* open() returns the lowest free number, which is this one. */
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			err(STATUS_TROUBLE, "descriptor %d is closed: /dev/null", fd);
}
