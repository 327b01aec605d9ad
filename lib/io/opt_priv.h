/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The option tables of a program, what is printed about them, and the options that were
 * given.
 */
#ifndef IO_OPT_PRIV_H
#define IO_OPT_PRIV_H

#include "io/opt.h"

/* The option tables of a program; the first `shown` of them are printed. */
struct opt_tables {
	const struct opt *table[5];
	size_t count, shown;
};

/* Returns whether a row is the end of its table. */
bool opt_ends_table(const struct opt *o);
/* Returns the option after a position, which begins as 0 and 0, in the first tables; NULL
 * after the last. */
const struct opt *opt_tables_next(
    const struct opt_tables *t, size_t tables, size_t *table, size_t *i);
/* Returns whether an option was given; the word is its letter or name, "-p" or "--top". */
bool opt_word_given(const char *word);
/* Reports the first rule of the program that the options break, as opt_usage_error does. */
void opt_rules_check(const struct opt_program *p);
/* Prints --help, whose lines fit the terminal and have at most 80 columns. Help is ASCII.
 */
void opt_print_help(const struct opt_program *p, const struct opt_tables *t);
/* Prints the options and verbs, a line for each, for completion. */
void opt_print_list(const struct opt_program *p, const struct opt_tables *t);
/* Prints the values of an option, where the operands are its long name and files. Values
 * that are not printable ASCII are left out, because a shell could misread them. */
void opt_print_values(const struct opt_program *p, char *const *operand, size_t count);

#endif
