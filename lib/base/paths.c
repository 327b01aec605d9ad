/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths relative to the running program; see paths.h.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/paths.h"

/* Stores the path of the running program. Returns its length, or -1. */
static ssize_t find_self(char self[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", self, PATH_MAX - 1);

	if (len > 0)
		return len;
	/* /proc is not mounted. */
	return realpath((const char *)getauxval(AT_EXECFN), self) ? (ssize_t)strlen(self)
	                                                          : -1;
}

/* Returns bin/../DIR/NAME of the running program; allocated. */
static char *path_beside(const char *dir, const char *name)
{
	char self[PATH_MAX];
	ssize_t len = find_self(self);

	for (int up = 0; up < 2 && len > 0; up++)
		while (len > 0 && self[--len] != '/')
			;
	self[len > 0 ? len : 0] = '\0';
	return str_format("%s/%s/%s", self, dir, name);
}

char *share_path(const char *name)
{
	const char *dir = getenv("BENCH_SHARE");

	return dir && *dir ? str_format("%s/%s", dir, name)
	                   : path_beside("share/benchutils", name);
}

char *lib_path(const char *name)
{
	return path_beside("lib/benchutils", name);
}

char *bin_path(const char *name)
{
	return path_beside("bin", name);
}

char *libexec_path(const char *name)
{
	return path_beside("libexec/benchutils", name);
}

char *user_path(const char *variable, const char *in_home, const char *name)
{
	const char *directory = getenv(variable), *home = getenv("HOME");

	if (directory && *directory == '/')
		return str_format("%s/benchutils/%s", directory, name);
	return home && *home == '/' ? str_format("%s/%s/benchutils/%s", home, in_home, name)
	                            : NULL;
}

int share_read(const char *name, struct buf *out, struct fault *f)
{
	char *path = share_path(name);
	int status = file_read(path, out, f);

	free(path);
	return status;
}
