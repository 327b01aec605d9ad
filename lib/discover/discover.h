/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that benchmarks may be in: those that are named, those below folders, those that
 * globs match. They are told in an order that is the same each time.
 */
#ifndef DISCOVER_DISCOVER_H
#define DISCOVER_DISCOVER_H

#include "base/base.h"

/* Named: it was asked for, not found. */
struct discover_sink {
	/* An ELF file; glob selects some of its functions, or is NULL. */
	void (*object)(void *ctx, const char *path, const char *glob, bool named);
	/* An executable file that is named benchmark_*, run_* or bench_*. */
	void (*command)(void *ctx, const char *path, bool named);
	/* What is neither. */
	void (*other)(void *ctx, const char *path, const char *why, bool named);
	/* What could not be looked at. */
	void (*trouble)(void *ctx, const char *message);
	void *ctx;
};

struct discover;
struct discover *discover_open(const struct discover_sink *sink);
/*
 * A file, a folder, a glob, or OBJECT:GLOB. Links are followed; below folders each file and
 * each folder is told once, however many ways lead to it.
 */
void discover_operand(struct discover *d, const char *operand);
void discover_close(struct discover *d);

#endif
