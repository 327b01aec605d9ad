/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules about which options go together, one row each in a table of the program. opt_parse
 * checks them, and makes the message from the row.
 */
#ifndef IO_OPT_RULE_H
#define IO_OPT_RULE_H

#include <stddef.h>

enum opt_rule_kind {
	OPT_REQUIRES, /* "-o requires --generate"; with several others: one of them */
	OPT_EXCLUDES, /* "--heap cannot be combined with --wait or -p" */
	OPT_ONE_OF,   /* "--gate, --markdown and --csv cannot be combined"; no others */
};

/*
 * A rule for a program's options. Options are separated by spaces, and spelled as in the
 * message: with their letters ("-p") or long names ("--top"), of which the options that all
 * programs share may be some.
 */
struct opt_rule {
	const char *options; /* the rule applies if one of them is given; NULL: ends a table */
	enum opt_rule_kind kind;
	const char *others;
	const char *why; /* added to the message, such as ", which prints nothing"; or NULL */
};

/* clang-format off */
#define OPT_RULES_END { NULL, OPT_REQUIRES, NULL, NULL }
/* clang-format on */

#endif
