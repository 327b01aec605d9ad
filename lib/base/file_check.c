/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says why a file cannot be read; see file_check.h. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_check.h"

int file_check(const char *path, struct fault *f)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return fault_errno(f, "%s", path);
	if (!S_ISREG(st.st_mode))
		return fault_set(f, "%s: not a regular file", path);
	return access(path, R_OK) < 0 ? fault_errno(f, "%s", path) : 0;
}
