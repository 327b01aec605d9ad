/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Creates directories from the root on; see parent_dirs.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sys/parent_dirs.h"

int parent_dirs_make(const char *path, mode_t mode, struct fault *f)
{
	char *copy = str_copy(path);
	int status = 0;

	for (char *slash = strchr(copy + 1, '/'); slash && status == 0;
	    slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, mode) < 0 && errno != EEXIST)
			status = fault_errno(f, "cannot create the directory %s", copy);
		*slash = '/';
	}
	free(copy);
	return status;
}
