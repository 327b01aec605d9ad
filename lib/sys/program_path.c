/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds programs in PATH; see program_path.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/program_path.h"

static bool is_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return false;
	}
	return access(path, X_OK) == 0;
}

char *program_path(const char *name, struct fault *f)
{
	const char *path = getenv("PATH");
	bool denied = false;

	if (!*name) {
		fault_set(f, "the name of a program is empty: give a program to measure");
		return NULL;
	}
	if (strchr(name, '/')) {
		if (is_executable(name))
			return str_copy(name);
		fault_errno(f, "%s", name);
		return NULL;
	}
	if (!path)
		path = "/usr/local/bin:/usr/bin:/bin";
	for (const char *p = path;; p++) {
		size_t len = strcspn(p, ":");
		char *file = str_format("%.*s%s%s", (int)len, p, len ? "/" : "./", name);

		if (is_executable(file))
			return file;
		denied = denied || errno == EACCES;
		free(file);
		p += len;
		if (!*p)
			break;
	}
	fault_set(f,
	    denied ? "%s: found in PATH but not executable" : "%s: not found in PATH",
	    name);
	return NULL;
}
