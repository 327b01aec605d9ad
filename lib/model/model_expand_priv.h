/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of an expansion: the names of the values and the definitions that are being
 * expanded. A line is a word of operations (model_expand_word.c), a call of a definition
 * (model_expand_call.c), or a control word (model_expand.c). Pure.
 */
#ifndef MODEL_MODEL_EXPAND_PRIV_H
#define MODEL_MODEL_EXPAND_PRIV_H

#include "model/model_build.h"
#include "model/model_priv.h"
#include "model/model_words.h"

enum { DEPTH_MAX = 24 }; /* of definitions that call each other */

struct value_name {
	char *text;
	uint32_t value;
};

struct expansion {
	struct builder b;
	const struct model *m;
	const struct model_expand_opts *opts;
	struct value_name *name; /* those of the current block begin at `frame` */
	size_t names, name_cap, frame;
	size_t lines_run;       /* the number of lines expanded so far */
	size_t call[DEPTH_MAX]; /* the definitions being expanded */
	int calls, depth;
};

/* Expands the lines `from` to `to` - 1. */
void expand_lines(struct expansion *e, size_t from, size_t to);
/* Expands a line with a word of operations. */
void expand_word(
    struct expansion *e, const struct model_line *l, const struct model_word *word);
/* Returns the definition of this name, from the list itself or else from blocks.csv, or
 * NULL. */
const struct model_line *expand_find_definition(
    const struct expansion *e, const char *name);
/* Expands a line that calls a definition. */
void expand_call(
    struct expansion *e, const struct model_line *l, const struct model_line *def);

/* Returns the name in the current block, or NULL. */
struct value_name *expand_find_name(struct expansion *e, const char *text);
/* Adds a name to the current block. */
void expand_add_name(struct expansion *e, const char *text, uint32_t value);
/* Drops all names but the first `keep`. */
void expand_drop_names(struct expansion *e, size_t keep);
/* Assigns the values that a line makes, at most count, to the names in its column out. */
void expand_bind_outs(
    struct expansion *e, const struct model_line *l, const uint32_t *value, size_t count);
/* Returns the value that the name at index i of the column in refers to, or GRAPH_NONE for
 * "-". */
uint32_t expand_operand(struct expansion *e, const struct model_line *l, size_t i);
/* Fails if a line has an argument that is neither in this list, separated by spaces, nor
 * allowed on all lines. */
void expand_check_args(
    struct expansion *e, const struct model_line *l, const char *allowed);
/* Appends a name and a dot to the path, the prefix of the names of values and operations.
 */
void expand_push_path(struct builder *b, const char *name);
/* Shortens the path to an earlier length. */
void expand_pop_path(struct builder *b, size_t len);

#endif
