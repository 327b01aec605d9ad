/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options from tables. getopt_long parses; its tables are made from ours, and the messages
 * are our own. It prints and exits, so that all programs use the same messages.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/message.h"
#include "io/opt.h"
#include "io/opt_priv.h"
#include "io/option_hint.h"
#include "text/shell_words.h"
#include "text/units.h"

#ifndef BENCH_VERSION
#define BENCH_VERSION "unknown"
#endif

struct opt_common opt_common;

/* The words of the environment variable, never freed; NULL until the variable is read. */
static char **preset;
static const char *reading = ""; /* "VARIABLE: " while the variable is read */

static struct buf doubts; /* a note on percentages, printed once all options are read */

/* The options that were given, in order; never freed. */
static struct given_option {
	const struct opt *opt;
	bool own; /* of the program, not one that all programs share */
} *given;
static size_t givens, given_cap;

static bool want_help, want_version, want_list, want_no_pager;
static bool want_format[RENDER_FORMATS]; /* by enum render_format */

static const struct opt common[] = {
	OPT_HEADING("General"),
	OPT('q', "quiet", &opt_common.quiet, NULL,
	    "print no notes and no progress, only problems"),
	OPT('v', "verbose", &opt_common.verbose, NULL, "accepted, no effect"),
	OPT('h', "help", &want_help, NULL, "print this help"),
	OPT('V', "version", &want_version, NULL, "print the version"),
	OPT_END,
};
static const struct opt formats[] = {
	OPT_HEADING("Output format"),
	OPT(0, "csv", &want_format[RENDER_CSV], NULL,
	    "write CSV (default for a pipe or file)"),
	OPT(0, "table", &want_format[RENDER_TABLE], NULL,
	    "write an aligned table (default on a terminal)"),
	OPT(0, "json", &want_format[RENDER_JSON], NULL, "write JSON"),
	OPT(0, "wide", &opt_common.output.wide, NULL,
	    "show all columns and rows of a table, and full values"),
	OPT_END,
};
static const struct opt paging[] = {
	OPT(0, "no-pager", &want_no_pager, NULL,
	    "do not show a table longer than the terminal in a pager"),
	OPT_END,
};
static const struct opt hidden[] = {
	OPT(0, "list-options", &want_list, NULL, ""),
	/* writes RENDER_BOUNDS, which bench-report reads */
	OPT(0, "list-bounds", &want_format[RENDER_BOUNDS], NULL, ""),
	OPT_END,
};

enum { LONG_BASE = 1000 };

static struct opt_tables tables_of(const struct opt_program *p)
{
	struct opt_tables t = { 0 };

	if (p->opts)
		t.table[t.count++] = p->opts;
	if (p->flags & OPT_FORMATS)
		t.table[t.count++] = formats;
	if (p->flags & OPT_PAGER)
		t.table[t.count++] = paging;
	t.table[t.count++] = common;
	t.shown = t.count;
	t.table[t.count++] = hidden;
	return t;
}

const char *opt_hint(const struct opt_program *p)
{
	static char hint[64];

	if (preset && !*reading)
		snprintf(hint, sizeof(hint), " (%s is set)", p->variable);
	return hint;
}

/* Returns whether a message ends with a note in parentheses. */
static bool ends_with_note(const char *message)
{
	const char *note = strrchr(message, '('), *end = note ? strchr(note, ')') : NULL;

	return end && !end[1] && note > message && note[-1] == ' ';
}

void opt_usage_error(const struct opt_program *p, const char *fmt, ...)
{
	char text[512], whole[700];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	snprintf(whole, sizeof(whole), "%s%s%s", reading, text, opt_hint(p));
	const bool noted = ends_with_note(whole);
	message_fail(STATUS_TROUBLE,
	    noted ? "%.*s; see %s --help)" : "%.*s (see %s --help)",
	    (int)(strlen(whole) - noted), whole, p->name);
}

static int store_value(const struct opt *o, const char *arg, struct fault *f)
{
	switch (o->type) {
	case OPT_FLAG:
		*(bool *)o->dest = true;
		return 0;
	case OPT_TEXT:
		*(const char **)o->dest = arg;
		return 0;
	case OPT_COUNT:
		return units_count(arg, o->dest, f);
	case OPT_LIST: {
		struct opt_list *l = o->dest;

		*VEC_ADD(l->item, l->count, l->cap) = arg;
		return 0;
	}
	case OPT_DURATION: {
		struct opt_duration *d = o->dest;

		d->set = true;
		return units_duration_ns(arg, &d->ns, f);
	}
	case OPT_PERCENT: {
		struct opt_percent *pct = o->dest;

		pct->set = true;
		return units_percent(arg, &pct->fraction, f);
	}
	case OPT_CONFIDENCE:
		return units_percent(arg, o->dest, f);
	}
	return 0;
}

/* Returns whether an option is of the program itself. */
static bool is_own(const struct opt_program *p, const struct opt *o)
{
	const struct opt *own = p->opts;

	while (own && own != o && !opt_ends_table(own))
		own++;
	return own == o;
}

static void set_option(const struct opt_program *p, const struct opt *o, const char *arg)
{
	struct fault f;

	if (store_value(o, arg, &f) < 0)
		opt_usage_error(p, "--%s: %s%s", o->name, f.text,
		    option_hint_refused(p->name, o->name));
	if ((o->type == OPT_PERCENT || o->type == OPT_CONFIDENCE) &&
	    units_percent_is_doubtful(arg)) {
		buf_printf(&doubts, "%s--%s ", doubts.len ? "; " : "", o->name);
		option_hint_percent(&doubts, arg);
	}
	if (o->seen)
		*o->seen = true;
	*VEC_ADD(given, givens, given_cap) = (struct given_option){ o, is_own(p, o) };
}

bool opt_word_given(const char *word)
{
	const bool is_long = word[1] == '-';

	for (size_t i = 0; i < givens; i++)
		if (is_long ? strcmp(given[i].opt->name, word + 2) == 0
		            : given[i].opt->letter == word[1])
			return true;
	return false;
}

const char *opt_given(const char *const *names, size_t count, bool among)
{
	for (size_t i = 0; i < givens; i++) {
		const char *name = given[i].opt->name;
		bool found = false;

		for (size_t k = 0; k < count; k++)
			found |= strcmp(name, names[k]) == 0;
		if (given[i].own && found == among)
			return name;
	}
	return NULL;
}

/*
 * Rejects values out of range after the whole command line has been read, because the
 * last value of an option counts.
 */
static void check_confidence(const struct opt_program *p)
{
	for (const struct opt *o = p->opts; o && !opt_ends_table(o); o++) {
		const double *fraction = o->dest;

		if (o->type == OPT_CONFIDENCE && (*fraction <= 0 || *fraction >= 1))
			opt_usage_error(
			    p, "--%s must be above 0%% and below 100%%", o->name);
	}
}

static enum render_format format_chosen(const struct opt_program *p)
{
	enum render_format chosen = RENDER_AUTO;

	for (int i = 0; i < RENDER_FORMATS; i++) {
		if (want_format[i] && chosen != RENDER_AUTO)
			opt_usage_error(p, "--csv, --table and --json cannot be combined");
		if (want_format[i])
			chosen = (enum render_format)i;
	}
	return chosen;
}

/* The tables of getopt_long. The val of a struct option is the index of our option. */
struct getopt_tables {
	struct buf letters;
	struct option *longs;
	const struct opt **opt;
	size_t count, long_cap, opt_cap;
};

static void make_getopt(
    struct getopt_tables *g, const struct opt_program *p, const struct opt_tables *t)
{
	size_t table = 0, i = 0, n = 0;
	const struct opt *o;

	buf_str(&g->letters, p->flags & OPT_STOP ? "+:" : ":");
	while ((o = opt_tables_next(t, t->count, &table, &i))) {
		struct option *l = VEC_ADD(g->longs, n, g->long_cap);

		*l = (struct option){ o->name, o->arg ? required_argument : no_argument,
			NULL, LONG_BASE + (int)g->count };
		*VEC_ADD(g->opt, g->count, g->opt_cap) = o;
		if (o->letter)
			buf_printf(&g->letters, "%c%s", o->letter, o->arg ? ":" : "");
	}
	*VEC_ADD(g->longs, n, g->long_cap) = (struct option){ 0 };
}

static const struct opt *by_value(const struct getopt_tables *g, int value)
{
	if (value >= LONG_BASE)
		return g->opt[value - LONG_BASE];
	for (size_t i = 0; i < g->count; i++)
		if (g->opt[i]->letter == value)
			return g->opt[i];
	return NULL;
}

/* The options of a program that --help shows, by their places in the tables of getopt. */
static struct option_names names_of(
    const struct opt_program *p, const struct getopt_tables *g, char *letters)
{
	struct option_names names = { .program = p->name, .letter = letters };

	for (size_t i = 0; i < g->count; i++)
		if (*g->opt[i]->help) {
			letters[names.longs.count] = (char)g->opt[i]->letter;
			known_names_add(&names.longs, text_of(g->opt[i]->name));
		}
	return names;
}

/* Reports a word with the name of a long option after a dash that does not begin one. */
static void refuse_dash(
    const struct opt_program *p, const struct getopt_tables *g, const char *word)
{
	char *letters = mem_zero(g->count + 1, 1);
	struct option_names names = names_of(p, g, letters);
	struct buf b = { 0 };

	if (word && option_hint_dash(&b, &names, word))
		opt_usage_error(p, "%s", b.ptr);
	known_names_free(&names.longs);
	free(letters);
}

static void refuse_word(
    const struct opt_program *p, const struct getopt_tables *g, int got, char **argv)
{
	const struct opt *o = optopt ? by_value(g, optopt) : NULL;
	char *letters = mem_zero(g->count + 1, 1);
	struct option_names names = names_of(p, g, letters);
	struct buf b = { 0 };

	if (got == ':')
		opt_usage_error(p, "option --%s requires a value: %s", o->name, o->arg);
	if (o && optopt >= LONG_BASE) {
		option_hint_value(&b, &names, o->name);
		opt_usage_error(p, "%s", b.ptr);
	}
	/* Within a word such as -quiet, optind is the number of that word. */
	refuse_dash(p, g, argv[optind]);
	refuse_dash(p, g, argv[optind - 1]);
	if (optopt)
		option_hint_letter(&b, &names, (char)optopt);
	else
		option_hint_long(&b, &names, argv[optind - 1]);
	opt_usage_error(p, "%s", b.ptr);
}

/*
 * Reads the options of argv. Returns the index of the first word that is not an option.
 */
static int take_all(
    const struct opt_program *p, const struct getopt_tables *g, int argc, char **argv)
{
	int got;

	optind = 0; /* restart */
	while ((got = getopt_long(argc, argv, g->letters.ptr, g->longs, NULL)) != -1) {
		if (got == '?' || got == ':')
			refuse_word(p, g, got, argv);
		if (got < LONG_BASE && optarg && optarg != argv[optind - 1])
			refuse_dash(p, g, argv[optind - 1]);
		set_option(p, by_value(g, got), optarg);
	}
	return optind;
}

/* Returns whether the command line contains -h, -V or --list-options. */
static bool only_asks(const struct getopt_tables *g, int argc, char **argv)
{
	int got;

	optind = 0;
	while ((got = getopt_long(argc, argv, g->letters.ptr, g->longs, NULL)) != -1 &&
	       got != '?' && got != ':') {
		const void *dest = by_value(g, got)->dest;

		if (dest == &want_help || dest == &want_version || dest == &want_list)
			return true;
	}
	return false;
}

/*
 * Reads the options of the environment variable. Returns the output format that they
 * select and resets it, so that the command line may select another one.
 */
static enum render_format take_preset(
    const struct opt_program *p, const struct getopt_tables *g, const char *line)
{
	char *origin = str_format("%s: ", p->variable), **argv;
	struct fault f;
	int argc = 1;
	enum render_format format;

	reading = origin;
	preset = shell_words_split(line, &f);
	if (!preset)
		opt_usage_error(p, "%s", f.text);
	while (preset[argc - 1])
		argc++;
	argv = mem_zero((size_t)argc + 1, sizeof(*argv));
	memcpy(argv + 1, preset, (size_t)argc * sizeof(*argv));
	argv[0] = (char *)p->name;
	int first = take_all(p, g, argc, argv);
	const char *extra = argv[first];
	free(argv);
	if (extra)
		opt_usage_error(
		    p, "'%s' is not an option; only options are allowed", extra);
	format = format_chosen(p);
	memset(want_format, 0, sizeof(want_format));
	reading = "";
	free(origin);
	return format;
}

/* Prints the answers that options ask for, and ends the program if there are any. */
static void answer_questions(
    const struct opt_program *p, const struct opt_tables *t, char **words, size_t count)
{
	if (!want_help && !want_version && !want_list)
		return;
	if (want_help)
		opt_print_help(p, t);
	if (want_version)
		printf("%s (benchutils) %s\n", p->name, BENCH_VERSION);
	if (want_list && count)
		opt_print_values(p, words, count);
	else if (want_list)
		opt_print_list(p, t);
	exit(stdout_close(STATUS_FINE));
}

/* Sets where rows go and how: by the options of the command line, or else by the format of
 * the environment. */
static void set_output(const struct opt_program *p, enum render_format preset_format)
{
	struct output *out = &opt_common.output;

	out->file = stdout;
	out->pager = (p->flags & OPT_PAGER) && !want_no_pager;
	out->format = format_chosen(p);
	if (out->format == RENDER_AUTO)
		out->format = preset_format;
}

int opt_parse(const struct opt_program *p, int argc, char **argv)
{
	struct opt_tables t = tables_of(p);
	struct getopt_tables g = { 0 };
	const char *line = p->variable ? getenv(p->variable) : NULL;
	enum render_format format = RENDER_AUTO;

	make_getopt(&g, p, &t);
	opterr = 0;
	if (line && line[strspn(line, " \t\n")] && !only_asks(&g, argc, argv))
		format = take_preset(p, &g, line);
	int first = take_all(p, &g, argc, argv);
	if (argv[first] && *argv[first] != '-')
		refuse_dash(p, &g, argv[first]);
	answer_questions(p, &t, argv + first, (size_t)(argc - first));
	check_confidence(p);
	set_output(p, format);
	if (doubts.len && !opt_common.quiet)
		message_warn("%s", doubts.ptr);
	buf_free(&doubts);
	buf_free(&g.letters);
	free(g.longs);
	free(g.opt);
	opt_rules_check(p);
	return first;
}
