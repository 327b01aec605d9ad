/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the lines of a file in the format of bench-model(5): words, names, and arguments
 * with parsed formulas. It does not interpret them. Pure.
 */
#ifndef MODEL_MODEL_LIST_H
#define MODEL_MODEL_LIST_H

#include "base/base.h"
#include "text/formula.h"

/* An argument, name=value. */
struct model_arg {
	char *key, *text;
	struct formula **part; /* the formulas between colons; NULL if it is a string */
	size_t parts;
};

/* A line. */
struct model_line {
	const char *file;
	uint64_t number;
	char *word;
	char *note; /* the text of the column in, unchanged */
	char **out, **in;
	size_t outs, ins;
	struct model_arg *arg;
	size_t args;
	size_t end; /* of def and repeat: the index of the line that ends them */
};

/* The lines of one or several files. */
struct model_list {
	struct model_line *line;
	size_t count, cap;
};

/*
 * Appends the lines of a CSV file. The name of the file must outlive the list. Returns 0,
 * or -1 and a message with file and line.
 */
int model_list_read(
    struct model_list *l, struct text csv, const char *file, struct fault *f);
/* Frees the lines. */
void model_list_free(struct model_list *l);

/* Returns the argument of this name, or NULL. */
const struct model_arg *model_line_arg(const struct model_line *l, const char *key);
/* Writes "FILE:LINE: WORD: " and the reason to f, and returns -1. `why` must not be in f.
 */
int model_line_fault(const struct model_line *l, struct fault *f, const char *why);

#endif
