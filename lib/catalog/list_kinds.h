/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of things that bench-list lists: a row each, with its name and its table.
 */
#ifndef CATALOG_LIST_KINDS_H
#define CATALOG_LIST_KINDS_H

#include "catalog/list_request.h"

/* Sets of kinds. Functions and commands share the table of list_files.h. */
enum {
	LIST_FUNCTIONS = 1,
	LIST_COMMANDS = 2,
	LIST_EVENTS = 4,
	LIST_BACKENDS = 8,
	LIST_DEVICES = 16,
	LIST_KERNELS = 32,
	LIST_MODELS = 64,
	LIST_IN_FILES = LIST_FUNCTIONS | LIST_COMMANDS
};

/* Returns the kinds in an operand such as "functions,commands"; 0 for any other operand. */
unsigned list_kinds_parse(const char *operand);
/* Returns 0; -1 and the message if an operand is no file, and nearly the name of a kind. */
int list_kinds_check_file(const char *operand, struct fault *f);
/*
 * Prints the tables of kinds that have tables of their own, not those in files. Returns the
 * number of their usable rows, or -1 and the message.
 */
long list_kinds_print(unsigned kinds, const struct list_request *r, struct fault *f);

#endif
