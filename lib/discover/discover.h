/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds files that may contain benchmarks: named files, files below directories, and files
 * that match patterns. The order is always the same.
 */
#ifndef DISCOVER_DISCOVER_H
#define DISCOVER_DISCOVER_H

#include "base/base.h"

/* Receives the files. named: the file itself was an operand. */
struct discover_sink {
	/* Receives an ELF file; glob selects functions, or is NULL. */
	void (*object)(void *ctx, const char *path, const char *glob, bool named);
	/* Receives an executable file named benchmark_*, run_* or bench_*. */
	void (*command)(void *ctx, const char *path, bool named);
	/* Receives any other file and the reason why it is skipped. */
	void (*other)(void *ctx, const char *path, const char *why, bool named);
	/* Receives a message about a file that cannot be read. */
	void (*trouble)(void *ctx, const char *message);
	void *ctx;
};

struct discover;
/* Starts a search that passes files to the sink. Close it with discover_close. */
struct discover *discover_open(const struct discover_sink *sink);
/*
 * Visits an operand: a file, a directory, a pattern, or OBJECT:GLOB. Symbolic links are
 * followed. Below directories, each file and directory is visited once, even if several
 * links lead to it.
 */
void discover_operand(struct discover *d, const char *operand);
void discover_close(struct discover *d);

#endif
