/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the arguments of the line at work come to, for the present values of the symbols.
 * Pure.
 */
#ifndef MODEL_MODEL_ARGS_H
#define MODEL_MODEL_ARGS_H

#include "model/model_build.h"

bool build_symbol(const struct builder *b, const char *name, double *value);
void build_push_symbol(struct builder *b, const char *name, double value);
/* A text that stands for itself: {name} as an argument. It must live as long. */
void build_push_text(struct builder *b, const char *name, const char *text);
/* A copy of the text in which each {formula} is its value. */
char *build_text(struct builder *b, const char *text);
double arg_number(struct builder *b, const char *key, double otherwise);
/* A whole number of at least `least`. */
int64_t arg_whole(struct builder *b, const char *key, int64_t otherwise, int64_t least);
/* A size: at least 1; it must be there. */
int64_t arg_size(struct builder *b, const char *key);
bool arg_flag(struct builder *b, const char *key, bool otherwise);
/* As it stands in the line, or in the call for a {name} that is a text; or NULL. */
const char *arg_text(const struct builder *b, const char *key);
/* Whole numbers between colons, at most BACKEND_DIMS; returns how many. */
uint32_t arg_list(struct builder *b, const char *key, int64_t list[BACKEND_DIMS]);
enum backend_act arg_act(struct builder *b);
/* dtype=, where "model" is the one that is asked for. */
enum backend_dtype arg_dtype(struct builder *b, enum backend_dtype otherwise);

#endif
