/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens closed standard descriptors; see standard_files.h.
 */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/base.h"
#include "base/standard_files.h"

void standard_files_open(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		/* open() returns the lowest free number, which is this one. */
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			err(STATUS_TROUBLE, "descriptor %d is closed: /dev/null", fd);
}
