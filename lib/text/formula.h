/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas over named numbers: + - * /, parentheses, numbers, names; // divides and rounds
 * down; < <= > >= == != compare, after all else, and are 1 or 0. Pure.
 *
 * A name begins with a letter and may contain letters, digits and any of _ . : - so that
 * names of events need no quotes. Therefore a minus sign needs a space before it. A name
 * with other characters is quoted: "cpu_core/cycles/".
 */
#ifndef TEXT_FORMULA_H
#define TEXT_FORMULA_H

#include "base/base.h"

struct formula;

/* Returns the parsed formula, or NULL and the message. */
struct formula *formula_parse(const char *text, struct fault *f);
/* Parses a formula whose names have only letters, digits and _; a minus needs no space.
 * Returns as formula_parse(). */
struct formula *formula_parse_symbols(const char *text, struct fault *f);
void formula_free(struct formula *f);
/* Returns the number of distinct names in the formula. */
size_t formula_names(const struct formula *f);
/* Returns the name at index i, in order of first appearance. */
const char *formula_name(const struct formula *f, size_t i);
/*
 * Returns the formula's value, where value[i] is the value of name i. The result is NAN if
 * an operand is NAN or a divisor is 0.
 */
double formula_value(const struct formula *f, const double *value);

#endif
