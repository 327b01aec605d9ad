/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list while it is expanded: the names of its values and the definitions being expanded.
 * Each line is a word of operations (model_expand_word.c), a call of a definition
 * (model_expand_call.c), or controls the others (model_expand.c). Pure.
 */
#ifndef MODEL_MODEL_EXPAND_PRIV_H
#define MODEL_MODEL_EXPAND_PRIV_H

#include "model/model_build.h"
#include "model/model_priv.h"
#include "model/model_words.h"

enum { DEPTH_MAX = 24 };

struct value_name {
	char *text;
	uint32_t value;
};

struct expansion {
	struct builder b;
	const struct model *m;
	const struct binding *param;
	size_t params;
	struct value_name *name; /* of values, those of the present block from `frame` on */
	size_t names, name_cap, frame;
	size_t lines_run;
	size_t call[DEPTH_MAX]; /* the definitions being expanded */
	int calls, depth;
};

/* Expands the lines from one to the one before another. */
void expand_lines(struct expansion *e, size_t from, size_t to);
/* Expands a line with one of the words of operations. */
void expand_word(
    struct expansion *e, const struct model_line *l, const struct model_word *word);
/* Returns the definition of this name, of the list itself or among the blocks of all lists;
 * or NULL. */
const struct model_line *expand_find_definition(
    const struct expansion *e, const char *name);
/* Expands a line that calls a definition. */
void expand_call(
    struct expansion *e, const struct model_line *l, const struct model_line *def);

/* Returns the name in the present block, or NULL. */
struct value_name *expand_find_name(struct expansion *e, const char *text);
void expand_add_name(struct expansion *e, const char *text, uint32_t value);
/* Drops the names but for the first ones. */
void expand_drop_names(struct expansion *e, size_t keep);
/* Names the values that a line makes, at most count, as its column out says. */
void expand_bind_outs(
    struct expansion *e, const struct model_line *l, const uint32_t *value, size_t count);
/* Returns the value that the i-th name under `in` stands for; "-" is none. */
uint32_t expand_operand(struct expansion *e, const struct model_line *l, size_t i);
/* Fails when a line has an argument that is not in this list, separated by spaces, and is
 * none that all may have. */
void expand_check_args(
    struct expansion *e, const struct model_line *l, const char *allowed);
/* Puts a name before those of the values and operations to come, and takes it away. */
void expand_push_path(struct builder *b, const char *name);
void expand_pop_path(struct builder *b, size_t len);

#endif
