/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evaluates the arguments of the current line for the present values of the symbols. If a
 * value is not acceptable, the build fails and the functions return `otherwise` or another
 * valid value. Pure.
 */
#ifndef MODEL_MODEL_ARGS_H
#define MODEL_MODEL_ARGS_H

#include "model/model_build.h"

/* Stores the value of a symbol. Returns false if there is no such symbol. */
bool build_symbol(const struct builder *b, const char *name, double *value);
/* Adds a symbol with a value. The name must outlive the symbol. */
void build_push_symbol(struct builder *b, const char *name, double value);
/* Adds a symbol with a string, which an argument refers to as {name}. Name and text must
 * outlive the symbol. */
void build_push_text(struct builder *b, const char *name, const char *text);
/* Returns a copy of the text in which values replace each {formula}; the caller frees it.
 */
char *build_text(struct builder *b, const char *text);
/* Returns the number of an argument, or `otherwise` if the line lacks it. */
double arg_number(struct builder *b, const char *key, double otherwise);
/* Returns the whole number of an argument, which must be at least `least`, or `otherwise`
 * if the line lacks it. */
int64_t arg_whole(struct builder *b, const char *key, int64_t otherwise, int64_t least);
/* Returns the whole number of a required argument, which must be at least 1. */
int64_t arg_size(struct builder *b, const char *key);
/* Returns whether an argument is not 0, or `otherwise` if the line lacks it. */
bool arg_flag(struct builder *b, const char *key, bool otherwise);
/* Returns the text of an argument, or of the parameter that a {name} refers to; NULL if the
 * line lacks the argument. */
const char *arg_text(const struct builder *b, const char *key);
/* Stores the whole numbers of a required argument, which are separated by colons. Returns
 * their number, 1 to BACKEND_DIMS. */
uint32_t arg_list(struct builder *b, const char *key, int64_t list[BACKEND_DIMS]);
/* Returns the activation function of act=, by default BACKEND_LINEAR. */
enum backend_act arg_act(struct builder *b);
/* Returns the element type of dtype=, where "model" is the type that the model is expanded
 * in, or `otherwise` if the line lacks the argument. */
enum backend_dtype arg_dtype(struct builder *b, enum backend_dtype otherwise);
/* Adds a weight, or returns that of the line which the argument weight= names. */
uint32_t build_tied(
    struct builder *b, const char *suffix, struct shape shape, double spread);

#endif
