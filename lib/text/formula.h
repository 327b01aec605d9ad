/*
 * Formulas over named numbers: + - * /, parentheses, numbers, names; // divides and rounds
 * down; < <= > >= == != compare, after all else, and are 1 or 0. Pure.
 *
 * A name begins with a letter and may hold letters, digits and any of _ . : - so that those
 * of events need no quotes; a minus therefore wants a space before it. A name with other
 * characters stands in double quotes: "cpu_core/cycles/".
 */
#ifndef FORMULA_H
#define FORMULA_H

#include "base/base.h"

struct formula;

/* NULL and the message when it is none. */
struct formula *formula_parse(const char *text, struct fault *f);
/* The same with names of letters, digits and _ only, so that a minus needs no space. */
struct formula *formula_parse_symbols(const char *text, struct fault *f);
void formula_free(struct formula *f);
/* Its names, each once, in the order in which they come. */
size_t formula_names(const struct formula *f);
const char *formula_name(const struct formula *f, size_t i);
/* value[i] is what name i stands for. NAN where an operand is, and for a division by 0. */
double formula_value(const struct formula *f, const double *value);

#endif
