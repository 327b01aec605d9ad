/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages about unknown options; see option_hint.h.
 */
#include <stdlib.h>

#include "io/option_hint.h"
#include "text/units.h"

#define EXPORT(format) "use -o s.csv, then bench-convert -t " format " s.csv"
#define NO_SHELL "commands run without a shell unless -S is given"
#define PER_CPU "use -a --per cpu"
#define NO_COLORS "set NO_COLOR=1 in the environment"
#define CONFIDENCE "use -C PCT for the confidence, such as -C 95%"

/* Options of other programs that do the same (hyperfine, poop, perf stat, perf record, perf
 * report, time, ministat, benchstat, compare.py of Google Benchmark, asv, gnuplot), and how
 * to do it here. "--name=" is an option of ours to which a value was given. */
static const struct habit {
	const char *program, *option, *cure;
} habits[] = {
	{ "bench-run", "--export-json", EXPORT("hyperfine") },
	{ "bench-run", "--export-csv", "use -o samples.csv" },
	{ "bench-run", "--export-markdown", EXPORT("markdown") },
	{ "bench-run", "--export-asciidoc", EXPORT("asciidoc") },
	{ "bench-run", "--export-orgmode", EXPORT("org") },
	{ "bench-run", "-N", NO_SHELL },
	{ "bench-run", "--no-shell", NO_SHELL },
	{ "bench-run", "--shell=", NO_SHELL },
	{ "bench-run", "-m",
	    "use -r N for exactly N samples, or -t TIME for at least TIME" },
	{ "bench-run", "--min-runs", "use -t TIME to measure for at least TIME" },
	{ "bench-run", "--max-runs", "use -T TIME to measure for at most TIME" },
	{ "bench-run", "-s", "use --setup CMD to run CMD before the first sample" },
	{ "bench-run", "-u", "bench-run chooses the units of tables; CSV is always in ns" },
	{ "bench-run", "--time-unit",
	    "bench-run chooses the units of tables; CSV is always in ns" },
	{ "bench-run", "-L", "use -P NAME=VALUE,VALUE" },
	{ "bench-run", "--parameter-list", "use -P NAME=VALUE,VALUE" },
	{ "bench-run", "--parameter-scan", "use -P NAME=FIRST..LAST" },
	{ "bench-run", "-D", "use -P NAME=FIRST..LAST+STEP" },
	{ "bench-run", "--parameter-step-size", "use -P NAME=FIRST..LAST+STEP" },
	{ "bench-run", "--min-benchmarking-time", "use -t TIME" },
	{ "bench-run", "--reference-name", "use -n NAME for each command, in order" },
	{ "bench-run", "--duration", "use -T TIME to measure for at most TIME" },
	{ "bench-run", "--allow-failures", "use -i" },
	{ "bench-run", "--color", NO_COLORS },
	{ "bench-run", "--show-output", "use --stdout inherit" },
	{ "bench-run", "--command-name", "use -n NAME" },
	{ "bench-run", "--sort", "bench-stat --sort COLUMN sorts a summary" },
	{ "bench-run", "--style", "--csv, --table and --json choose the output" },
	{ "bench-run", "--iterations", "use -r N" },
	{ "bench-run", "--repeat", "use -r N" },
	{ "bench-run", "-x", "use --csv" },
	{ "bench-run", "--field-separator", "use --csv" },
	{ "bench-run", "-A", PER_CPU },
	{ "bench-run", "--no-aggr", PER_CPU },
	{ "bench-run", "--for-each-cgroup", "use -G GROUP for each control group" },
	{ "bench-run", "--per-core", PER_CPU },
	{ "bench-run", "--per-socket", "use -a --per socket" },
	{ "bench-run", "--event", "use -e LIST" },
	{ "bench-run", "--detailed", "use -E cache" },
	{ "bench-run", "--topdown", "use -E topdown" },
	{ "bench-run", "--all-user", "append :u to events, such as -e cycles:u" },
	{ "bench-run", "--all-kernel", "append :k to events, such as -e cycles:k" },
	{ "bench-run", "--interval-print", "use --interval TIME" },
	{ "bench-run", "--json-output", "use --json" },
	{ "bench-run", "--append", "use >>FILE instead of -o FILE" },
	{ "bench-run", "--tid", "use --pid PID, which measures all threads of a process" },
	{ "bench-run", "--pre", "use --prepare CMD" },
	{ "bench-run", "--post", "use --conclude CMD" },
	{ "bench-run", "--taskset", "use --cpu LIST" },
	{ "bench-run", "--affinity", "use --cpu LIST" },
	{ "bench-prof", "-a", "give a command, or a process with -p PID" },
	{ "bench-prof", "--freq", "use -F HZ" },
	{ "bench-prof", "-c", "use -F HZ to choose the samples per second" },
	{ "bench-prof", "--stdio", "use --top for a table of functions" },
	{ "bench-prof", "--children", "--top shows both self and total" },
	{ "bench-prof", "--no-children", "--top shows both self and total" },
	{ "bench-stat", "-y", "use --metric GLOB" },
	{ "bench-stat", "--by", "use -g COLUMNS" },
	{ "bench-stat", "-c", "use -C PCT for the confidence" },
	{ "bench-stat", "--alpha", CONFIDENCE },
	{ "bench-stat", "-alpha", CONFIDENCE },
	{ "bench-stat", "-col", "use -g COLUMNS" },
	{ "bench-stat", "-row", "use -g COLUMNS" },
	{ "bench-stat", "-table", "use -g COLUMNS" },
	{ "bench-stat", "-format", "use --csv, --table or --json" },
	{ "bench-compare", "-y", "use --metric GLOB" },
	{ "bench-compare", "-c", "use -C PCT for the confidence" },
	{ "bench-compare", "--alpha", CONFIDENCE },
	{ "bench-compare", "-alpha", CONFIDENCE },
	{ "bench-compare", "-col", "use -b COLUMN to compare its values" },
	{ "bench-compare", "-row", "use -g COLUMNS to match rows" },
	{ "bench-compare", "-table", "use -g COLUMNS to match rows" },
	{ "bench-compare", "-ignore", "use -g COLUMNS to match rows by fewer columns" },
	{ "bench-compare", "-format", "use --csv, --table or --json" },
	{ "bench-compare", "-delta-test", "use --test rank or --test welch" },
	{ "bench-compare", "--dump_to_json", "use --json >FILE" },
	{ "bench-compare", "--no-color", NO_COLORS },
	{ "bench-compare", "--factor",
	    "use --threshold PCT, such as 10% for a factor of 1.1" },
	{ "bench-compare", "-f", "use --threshold PCT, such as 10% for a factor of 1.1" },
	{ "bench-compare", "--interval",
	    "the interval is now that of the test, see --test" },
	{ "bench-compare", "--resamples",
	    "the interval is now that of the test, see --test" },
	{ "bench-compare", "--delta-test", "use --test rank or --test welch" },
	{ "bench-compare", "--baseline", "name the older file first: old.csv new.csv" },
	{ "bench-plot", "--logx", "use --log x" },
	{ "bench-plot", "--logy", "use --log y" },
	{ "bench-plot", "--log-x", "use --log x" },
	{ "bench-plot", "--log-y", "use --log y" },
	{ "bench-plot", "--width", "use --size WIDTHxHEIGHT" },
	{ "bench-plot", "--height", "use --size WIDTHxHEIGHT" },
	{ "bench-plot", "--dark", "use --theme dark" },
	{ "bench-plot", "--type", "name the kind of plot first: bench-plot box" },
	{ "bench-plot", "--kind", "name the kind of plot first: bench-plot box" },
	{ "bench-report", "--dark", "use --theme dark" },
	{ "bench-report", "--format", "the page is HTML; use bench-plot for plots" },
	{ "bench-convert", "--input", "give the file without an option" },
	{ "bench-convert", "-i", "give the file without an option" },
	{ "bench-store", "-d", "use -D for the database" },
	{ "bench-store", "--db", "use -D for the database" },
	{ "bench-store", "-o", "redirect standard output: >samples.csv" },
	{ "bench-list", "-l", "name what to list: events, kernels, models, or files" },
};

/* Options whose letter means something else in other programs. */
static const struct habit letters[] = {
	{ "bench-run", "confidence", "; -a --cpu LIST measures some processors" },
};

const char *option_hint_refused(const char *program, const char *option)
{
	for (size_t i = 0; i < COUNT(letters); i++)
		if (strcmp(letters[i].program, program) == 0 &&
		    strcmp(letters[i].option, option) == 0)
			return letters[i].cure;
	return "";
}

static const char *cure_of(const char *program, const char *option, size_t len)
{
	for (size_t i = 0; i < COUNT(habits); i++)
		if (strcmp(habits[i].program, program) == 0 &&
		    text_equal(text_of(habits[i].option), (struct text){ option, len }))
			return habits[i].cure;
	return NULL;
}

/* Appends the long options at these places, joined by commas and a last word. */
static void put_options(struct buf *b, const struct option_names *o, const size_t *at,
    size_t count, const char *last)
{
	for (size_t i = 0; i < count; i++) {
		const struct text name = o->longs.name[at[i]];

		buf_str(b, i == 0 ? "" : i + 1 < count ? ", " : last);
		buf_printf(b, "--%.*s", (int)name.len, name.ptr);
	}
}

static void ask_option(struct buf *b, const struct option_names *o, struct text typed)
{
	size_t near[NEAR_NAMES_MOST], count = near_names(typed, &o->longs, near);

	if (!count)
		return;
	buf_str(b, "; did you mean ");
	put_options(b, o, near, count, " or ");
	buf_byte(b, '?');
}

void option_hint_long(struct buf *b, const struct option_names *o, const char *word)
{
	enum { FIRSTS_MOST = 8, WORD_MOST = 40 };
	struct text typed = { word + 2, strcspn(word + 2, "=") };
	const char *cure = cure_of(o->program, word, typed.len + 2);
	size_t first[FIRSTS_MOST], count = 0;

	for (size_t i = 0; i < o->longs.count && typed.len && count < FIRSTS_MOST; i++)
		if (o->longs.name[i].len > typed.len &&
		    memcmp(o->longs.name[i].ptr, typed.ptr, typed.len) == 0)
			first[count++] = i;
	if (count > 1 && !cure) {
		buf_printf(b, "ambiguous option --%.*s: use ", (int)typed.len, typed.ptr);
		put_options(b, o, first, count, " or ");
		return;
	}
	buf_printf(b, "unknown option --%.*s%s",
	    (int)(typed.len < WORD_MOST ? typed.len : WORD_MOST), typed.ptr,
	    typed.len < WORD_MOST ? "" : "...");
	if (cure)
		buf_printf(b, "; %s", cure);
	else
		ask_option(b, o, typed);
}

void option_hint_letter(struct buf *b, const struct option_names *o, char letter)
{
	const char option[] = { '-', letter, '\0' };
	const char *cure = cure_of(o->program, option, 2);
	const char other = letter ^ ('a' ^ 'A');

	buf_printf(b, "unknown option -%c", letter);
	if (cure) {
		buf_printf(b, "; %s", cure);
		return;
	}
	for (size_t i = 0; i < o->longs.count; i++)
		if (o->letter[i] && o->letter[i] == other)
			buf_printf(b, "; did you mean -%c (--%.*s)?", other,
			    (int)o->longs.name[i].len, o->longs.name[i].ptr);
}

bool option_hint_dash(struct buf *b, const struct option_names *o, const char *word)
{
	/* hyphen, figure dash, en dash, em dash, horizontal bar, minus sign */
	static const char *const dashes[] = { "\u2010", "\u2012", "\u2013", "\u2014",
		"\u2015", "\u2212" };
	const char *name = word + (*word == '-'), *cure;
	size_t len = strcspn(word, "=");

	cure = name > word && len > 2 ? cure_of(o->program, word, len) : NULL;
	if (cure && *name != '-') { /* as programs in Go have it */
		buf_printf(b, "unknown option %.*s; %s", (int)len, word, cure);
		return true;
	}
	for (size_t i = 0; i < COUNT(dashes); i++)
		if (strncmp(name, dashes[i], strlen(dashes[i])) == 0)
			name += strlen(dashes[i]);
	len = strcspn(name, "=");
	for (size_t i = 0; i < o->longs.count && name > word && *name != '-'; i++)
		if (len > 2 && text_equal(o->longs.name[i], (struct text){ name, len })) {
			buf_printf(b, "unknown option %s; did you mean --%.*s?", word,
			    (int)len, name);
			return true;
		}
	return false;
}

void option_hint_value(struct buf *b, const struct option_names *o, const char *name)
{
	char *option = str_format("--%s=", name);
	const char *cure = cure_of(o->program, option, strlen(option));

	buf_printf(
	    b, "option --%s takes no value%s%s", name, cure ? "; " : "", cure ? cure : "");
	free(option);
}

void option_hint_percent(struct buf *b, const char *value)
{
	double percent = 0;

	number_parse(text_of(value), &percent);
	buf_printf(b, "%s means %s%%; for %g%% write %g%%", value, value, percent * 100,
	    percent * 100);
}
