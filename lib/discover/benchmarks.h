/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the benchmarks of an object: exported functions named benchmark_* or run_*, and
 * those with metadata of bench.h. The file is only read; none of its code runs.
 */
#ifndef DISCOVER_BENCHMARKS_H
#define DISCOVER_BENCHMARKS_H

#include "base/arena.h"

/* A benchmark. The strings belong to struct benchmarks and are never NULL. */
struct benchmark {
	const char *symbol;
	const char *name;     /* symbol without benchmark_ or run_ if that is unique */
	bool is_benchmark;    /* by its name or metadata; otherwise another function */
	bool loop;            /* takes a struct bench * and contains the loop */
	const char *text;     /* metadata, key=value ..., see meta.h; or empty */
	const char *category; /* category from the metadata, or empty */
	const char *source;   /* source file; empty: unknown */
	uint64_t line;        /* line in source; 0: unknown (see benchmark_lines.h) */
	const char *status;   /* "ok", or the reason why it cannot be measured */
	uint64_t address;     /* address in the object */
};

struct benchmarks {
	struct benchmark *item; /* sorted by address */
	size_t count, cap;
	char *build_id; /* hexadecimal; empty: none */
	struct arena memory;
};

/*
 * Reads an object. If all_functions is set, every exported function is an item; missing
 * symbols and libraries are then detected only if one of them is a benchmark. Returns 0,
 * even if there are no benchmarks, or -1 if the file is not an ELF file or cannot be read.
 * The exports of libraries are cached until the program ends.
 */
int benchmarks_read(
    const char *path, bool all_functions, struct benchmarks *out, struct fault *f);
void benchmarks_free(struct benchmarks *b);

/* Returns a symbol without the prefix benchmark_ or run_. */
const char *benchmark_bare_name(const char *symbol);
/* Returns whether the symbol or the name of a benchmark matches a pattern (NULL: any). */
bool benchmark_matches(const struct benchmark *b, const char *glob);
/*
 * Splits OBJECT[:GLOB]. Returns the length of OBJECT; *glob is the text after the colon, or
 * NULL. If a file has the whole name, the operand is an object. Otherwise the last colon
 * that follows the name of a file separates the two, or else the last colon.
 */
size_t benchmarks_split(const char *operand, const char **glob);
/*
 * Returns the path of an object, allocated. The path contains a slash, as dlopen requires.
 * A name without a slash is searched in the current directory, then among the objects of
 * benchutils.
 */
char *benchmark_object_path(struct text name);

#endif
