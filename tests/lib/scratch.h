/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A directory for a C test to work in, which goes away at its end.
 */
#ifndef TESTS_LIB_SCRATCH_H
#define TESTS_LIB_SCRATCH_H

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

static char scratch_dir[] = "/tmp/benchutils.XXXXXX";

static inline int scratch_remove(
    const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

/* Make it and go there. */
static inline bool scratch_begin(void)
{
	return mkdtemp(scratch_dir) && chdir(scratch_dir) == 0;
}

/* Writes a file below the current directory and creates its parent directories. */
static inline void scratch_put(const char *path, const char *text)
{
	char *copy = str_copy(path);
	FILE *out;

	for (char *slash = copy; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(copy, 0777);
	}
	out = fopen(path, "w");
	if (!out || fputs(text, out) < 0 || fclose(out) != 0)
		abort();
	free(copy);
}

static inline void scratch_end(void)
{
	nftw(scratch_dir, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
