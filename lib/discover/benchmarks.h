/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The benchmarks that an object offers: its exported functions named benchmark_* or run_*,
 * and those that bench.h wrote a text about. Found by reading the file; nothing of it runs.
 */
#ifndef DISCOVER_BENCHMARKS_H
#define DISCOVER_BENCHMARKS_H

#include "base/arena.h"

/* The texts belong to the struct benchmarks; none is NULL. */
struct benchmark {
	const char *symbol;
	const char *name;     /* without benchmark_ or run_, where that is unique */
	bool is_benchmark;    /* by its name or by metadata; not any function */
	bool loop;            /* it takes a struct bench *, and loops itself */
	const char *text;     /* key=value ... of its metadata, see meta.h; or empty */
	const char *category; /* of that text, or empty */
	const char *source;   /* the file it was compiled from; empty: not known */
	uint64_t line;        /* in source; 0: not known (see benchmark_lines.h) */
	const char *status;   /* "ok", or why it cannot be measured */
	uint64_t address;     /* in the object */
};

struct benchmarks {
	struct benchmark *item; /* by address */
	size_t count, cap;
	char *build_id; /* hexadecimal; empty: it has none */
	struct arena memory;
};

/*
 * Reads an object. With all_functions every exported function is an item; whether symbols
 * and libraries are lacking is then looked into only where a benchmark is among them. 0,
 * also when there are none; or -1 when the file is no ELF file or cannot be read. What
 * libraries export is remembered by the program.
 */
int benchmarks_read(
    const char *path, bool all_functions, struct benchmarks *out, struct fault *f);
void benchmarks_free(struct benchmarks *b);

/* Returns a symbol without its benchmark_ or run_. */
const char *benchmark_bare_name(const char *symbol);
/* Returns whether a glob (NULL: any) selects a benchmark, by symbol or by name. */
bool benchmark_matches(const struct benchmark *b, const char *glob);
/*
 * Splits OBJECT[:GLOB]. Returns the length of OBJECT; *glob is what follows the colon, or
 * NULL. A file of all that name is an object; otherwise the last colon that has a file
 * before it parts the two, and where there is none, the last one.
 */
size_t benchmarks_split(const char *operand, const char **glob);
/*
 * Returns the path, allocated, of the object with this name; it contains a slash, as dlopen
 * requires. A name without a slash is searched in the current folder, then among the
 * objects that come with the toolkit.
 */
char *benchmark_object_path(struct text name);

#endif
