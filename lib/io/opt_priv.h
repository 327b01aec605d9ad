/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of --help, which fit the terminal and have at most 80 columns. Only opt.c uses
 * them.
 */
#ifndef IO_OPT_PRIV_H
#define IO_OPT_PRIV_H

#include "io/opt.h"

/* Prints a line of the synopsis, which is broken between operands. */
void opt_print_usage(const char *name, const char *synopsis, bool first);
/* Prints the rest of a line of help from column indent on, broken at spaces. Help is ASCII.
 */
void opt_print_wrapped(const char *help, size_t indent);
/* Prints the heading of a group of options. */
void opt_print_heading(const char *title);
/* Prints an option with its help. */
void opt_print_option(const struct opt *o, const char *help);

#endif
