/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of bench-model(5) before they mean anything: a word, the names of what it makes
 * and takes, and its arguments, whose formulas are parsed. Pure.
 */
#ifndef MODEL_MODEL_LIST_H
#define MODEL_MODEL_LIST_H

#include "base/base.h"
#include "text/formula.h"

struct model_arg {
	char *key, *text;
	struct formula **part; /* of its text between colons; NULL for a text */
	size_t parts;
};

struct model_line {
	const char *file;
	uint64_t number;
	char *word;
	char *note; /* what stands under `in`, as it is */
	char **out, **in;
	size_t outs, ins;
	struct model_arg *arg;
	size_t args;
	size_t end; /* of def and repeat: the place of their end */
};

struct model_list {
	struct model_line *line;
	size_t count, cap;
};

/*
 * Put the lines of a CSV file behind those that are there; the name of the file must live
 * as long. 0, or -1 and a message with file and line.
 */
int model_list_read(
    struct model_list *l, struct text csv, const char *file, struct fault *f);
void model_list_free(struct model_list *l);

/* The argument of this name, or NULL. */
const struct model_arg *model_line_arg(const struct model_line *l, const char *key);
/* -1, and "FILE:LINE: WORD: " before the reason, which is not in f. */
int model_line_fault(const struct model_line *l, struct fault *f, const char *why);

#endif
