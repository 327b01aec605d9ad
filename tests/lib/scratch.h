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
#include <unistd.h>

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

static inline void scratch_end(void)
{
	nftw(scratch_dir, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
