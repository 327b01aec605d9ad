/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options from one table: parsing, --help, completions (--list-options) and the test
 * against the man page all come from it. The options that all programs share are added
 * here. A program may take options from a variable of the environment, too.
 */
#ifndef IO_OPT_H
#define IO_OPT_H

#include "base/base.h"
#include "io/render.h"

enum opt_type {
	OPT_FLAG,       /* bool */
	OPT_TEXT,       /* const char * */
	OPT_COUNT,      /* uint64_t, units_count */
	OPT_LIST,       /* struct opt_list: repeatable */
	OPT_DURATION,   /* struct opt_duration, ns */
	OPT_PERCENT,    /* struct opt_percent, a fraction */
	OPT_CONFIDENCE, /* double, a fraction; opt_parse refuses all outside (0, 1) */
};

struct opt_list {
	const char **item;
	size_t count, cap;
};

struct opt_duration {
	double ns;
	bool set;
};

struct opt_percent {
	double fraction;
	bool set;
};

struct opt {
	int letter; /* 0: none */
	const char *name;
	enum opt_type type;
	void *dest;
	const char *arg; /* NULL for a flag */
	const char *help;
	bool *seen; /* may be NULL; set when the option was given */
};

/* clang-format off */
#define OPT_TYPE(dest) _Generic((dest), bool *: OPT_FLAG, const char **: OPT_TEXT, \
	uint64_t *: OPT_COUNT, struct opt_list *: OPT_LIST, \
	struct opt_duration *: OPT_DURATION, struct opt_percent *: OPT_PERCENT, \
	double *: OPT_CONFIDENCE)
#define OPT(letter, name, dest, arg, help) \
	{ (letter), (name), OPT_TYPE(dest), (dest), (arg), (help), NULL }
#define OPT_SEEN(letter, name, dest, arg, help, seen) \
	{ (letter), (name), OPT_TYPE(dest), (dest), (arg), (help), (seen) }
#define OPT_END { 0, NULL, OPT_FLAG, NULL, NULL, NULL, NULL }
/* clang-format on */

enum { OPT_STOP = 1, OPT_FORMATS = 2 };

/* A word that the first operand can be. */
struct opt_word {
	const char *name, *meaning;
};

struct opt_program {
	const char *name; /* "bench-stat" */
	const char *const
	    *synopsis;            /* what follows the name, a line each; NULL-terminated */
	const char *summary;      /* one line */
	const char *const *verbs; /* for completion; NULL: none */
	const struct opt_word *words; /* the same with meanings, for help, too; or NULL */
	const char *words_title;      /* "The kinds are" */
	const struct opt *opts;
	const char *variable; /* "BENCH_RUN_OPTS": options that stand before all; or NULL */
	int flags; /* OPT_STOP: options end at the first operand; OPT_FORMATS: --csv ... */
};

/* What the shared options said. */
struct opt_common {
	bool quiet, verbose;
	enum render_format format;
};
extern struct opt_common opt_common;

/*
 * Parse. -h and -V print and end the program; a bad option or value prints one line and
 * ends it with status 2. Returns the index of the first operand; operands stay in order
 * behind it.
 *
 * Options of the program's variable are read before: of one that holds one value that of
 * the command line remains, a list begins with those of the variable.
 */
int opt_parse(const struct opt_program *p, int argc, char **argv);
/*
 * After opt_parse: the first option given of the program's own whose long name is among
 * these, or is not among them; NULL when there is none. For programs with several modes.
 */
const char *opt_given(const char *const *names, size_t count, bool among);
/* What a message about options should add: that the variable had a part; or "". */
const char *opt_hint(const struct opt_program *p);
/* One line about bad usage, with the way to --help; ends with status 2. */
_Noreturn void opt_usage_error(const struct opt_program *p, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

#endif
