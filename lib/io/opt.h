/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command-line options, described by one table per program. Parsing, --help, completions
 * (--list-options) and the test of the manual page all use this table. The options that
 * all programs share are added here. A program can also read options from an environment
 * variable.
 */
#ifndef IO_OPT_H
#define IO_OPT_H

#include "base/base.h"
#include "io/opt_rule.h"
#include "io/render.h"
#include "text/near_name.h"

enum opt_type {
	OPT_FLAG,       /* bool */
	OPT_TEXT,       /* const char * */
	OPT_COUNT,      /* uint64_t, units_count */
	OPT_LIST,       /* struct opt_list: repeatable */
	OPT_DURATION,   /* struct opt_duration, ns */
	OPT_PERCENT,    /* struct opt_percent, a fraction */
	OPT_CONFIDENCE, /* double, a fraction; opt_parse rejects values outside (0, 1) */
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

/* A row of an option table: an option, a heading (no name, but a help text) or the end. */
struct opt {
	int letter; /* 0: none */
	const char *name;
	enum opt_type type;
	void *dest;
	const char *arg; /* NULL for a flag */
	const char *help;
	bool *seen; /* may be NULL; set to true if the option was given */
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
/* Begins a group of options in --help; everything else ignores the row. */
#define OPT_HEADING(title) { 0, NULL, OPT_FLAG, NULL, NULL, (title), NULL }
#define OPT_END { 0, NULL, OPT_FLAG, NULL, NULL, NULL, NULL }
/* clang-format on */

enum { OPT_STOP = 1, OPT_FORMATS = 2, OPT_PAGER = 4 };

/* A word that is valid as the first operand. */
struct opt_word {
	const char *name, *meaning;
};

struct opt_program {
	const char *name;             /* "bench-stat" */
	const char *const *synopsis;  /* usage lines without the name; NULL-terminated */
	const char *summary;          /* one line */
	const struct opt_word *words; /* verbs, for --help and completion; or NULL */
	const char *words_title;      /* the heading of words in --help */
	const struct opt *opts;
	const struct opt_rule *rules; /* which options go together; NULL: all do */
	/* Adds the values that an option, by its long name, can have, for completion. The
	 * strings live until the program ends. NULL: no option has names as values. */
	void (*values)(
	    struct known_names *k, const char *option, char *const *file, size_t files);
	const char *verbose;  /* what -v does, for --help; NULL: it has no effect */
	const char *table;    /* what --table does; NULL: it writes what a terminal shows */
	const char *variable; /* "BENCH_RUN_OPTS", whose options are read first; or NULL */
	int flags; /* OPT_STOP: options end at the first operand; OPT_FORMATS: --csv ...;
	            * OPT_PAGER: long tables are shown in a pager */
};

/* The values of the shared options. */
struct opt_common {
	bool quiet, verbose;
	struct output output; /* standard output */
};
extern struct opt_common opt_common;

/*
 * Parses the command line and returns the index of the first operand. The operands are
 * moved to the end of argv; their order does not change. -h, -V and --list-options print
 * and end the program. An invalid option or value prints one line and ends the program with
 * status 2.
 *
 * Options in the program's environment variable are read first. If an option that holds one
 * value is in both places, the command line wins; the values of a list are appended.
 */
int opt_parse(const struct opt_program *p, int argc, char **argv);
/*
 * Returns the long name of the first of the program's own options that was given and is
 * (among) or is not (!among) in names; NULL if there is none. For programs with several
 * modes, after opt_parse.
 */
const char *opt_given(const char *const *names, size_t count, bool among);
/*
 * Returns the element with this name of a table whose elements, of this size, begin with
 * their names, or the first element if name is NULL. Reports another name as
 * opt_usage_error does.
 */
const void *opt_choice(const struct opt_program *program, const char *option,
    const char *name, const void *table, size_t size, size_t count);
/*
 * Returns a note for messages about options: that the environment variable is set; "" if it
 * is not. The text is valid until the next call.
 */
const char *opt_hint(const struct opt_program *p);
/* Prints one line about wrong usage that refers to --help, and exits with status 2. */
_Noreturn void opt_usage_error(const struct opt_program *p, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

#endif
