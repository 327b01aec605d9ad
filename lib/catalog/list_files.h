/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-list for functions and commands.
 */
#ifndef CATALOG_LIST_FILES_H
#define CATALOG_LIST_FILES_H

#include "io/render.h"

struct list_files_opts {
	const struct output *out;
	bool functions, commands; /* what to list */
	bool all;                 /* all exported functions, not only benchmarks */
	bool verbose;             /* report each skipped file in a directory */
	bool quiet;               /* report no operand that is skipped */
	/* Receives a line about a file, at once. */
	void (*report)(const char *message);
};

struct list_files_result {
	size_t rows;
	bool unreadable; /* a file could not be read */
	bool reported;   /* that, or why an operand was skipped */
};

/*
 * Prints the table of the functions and commands in files, directories, and files that
 * match patterns (discover_operand). Returns 0, or -1 and errno if the table cannot be
 * written.
 */
int list_files(const struct list_files_opts *o, char *const *operand, size_t operands,
    struct list_files_result *out);

#endif
