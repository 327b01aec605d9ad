/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-compare; see bench_compare.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_compare.h"
#include "compare/option_values.h"
#include "compare/side_hint.h"
#include "io/message.h"
#include "text/units.h"

enum { WINDOW_LEAST = 20 };

static struct bench_compare_opts o = {
	.min_segment = 4, .inference = INFERENCE_DEFAULTS, .threshold.fraction = 0.02
};

static const struct opt opts[] = {
	OPT_HEADING("Sides and subjects"),
	OPT('b', "by", &o.by, "COLUMN", "compare the values of this column of one stream"),
	OPT(0, "reference", &o.reference, "VALUE",
	    "with -b: the old side (the first value)"),
	OPT('g', "group", &o.group, "COLUMNS",
	    "match rows by these columns, metric and unit"),
	OPT(0, "pair", &o.pair, "COLUMNS",
	    "compare the samples with the same values of these columns in pairs"),
	STREAM_FILTER(o.rows),
	OPT(0, "metric", &o.rows.metrics, "GLOB",
	    "compare only metrics whose names match (repeatable)"),
	STREAM_MELT(o.rows),
	OPT_HEADING("Margins"),
	OPT(0, "threshold", &o.threshold, "PCT",
	    "treat differences up to PCT as none (2%)"),
	OPT(0, "warn", &o.warn, "PCT", "warn beyond this lower threshold, without failing"),
	OPT(0, "thresholds", &o.thresholds, "FILE",
	    "read thresholds of benchmarks and metrics"),
	OPT(0, "floor", &o.floors, "FILE", "estimate noise from this stream (repeatable)"),
	OPT_HEADING("Statistics"),
	OPT('C', "confidence", &o.inference.confidence, "PCT",
	    "confidence of intervals and verdicts (95%)"),
	OPT(0, "test", &o.test, "NAME", "rank or welch (rank)"),
	OPT(0, "adjust", &o.adjust, "HOW", "correct p by holm, bh or none (holm)"),
	OPT(0, "seed", &o.inference.seed, "N", "seed of permutations, of --history (1)"),
	OPT_HEADING("Histories"),
	OPT(0, "history", &o.history, NULL, "find changes and drifts in series of commits"),
	OPT(0, "since-change", &o.since_change, NULL,
	    "compare the newest value of each series with those since the last change"),
	OPT(0, "order", &o.order, "FILE", "order of the commits, oldest first (by time)"),
	OPT(0, "since", &o.since, "WHEN", "print only changes from this commit or time on"),
	OPT(0, "by-run", &o.by_run, NULL, "use each run as a value instead of each commit"),
	OPT(0, "min-segment", &o.min_segment, "N",
	    "minimum number of values between two changes (4)"),
	OPT(0, "window", &o.window, "N",
	    "search longer series in windows of N values (200, for series of more than "
	    "2000 values)"),
	OPT_HEADING("Builds"),
	OPT(0, "gate", &o.gate, NULL, "print a short verdict for the log of a build"),
	OPT(0, "markdown", &o.markdown, NULL,
	    "print Markdown for a comment on a pull request"),
	OPT(0, "allow-missing", &o.decision.allow_missing, NULL,
	    "accept benchmarks and metrics that only the old side has"),
	OPT(0, "unsure", &o.unsure, "WHAT",
	    "if noise leaves rows unsure: pass, warn or fail (warn)"),
	OPT(0, "worst", &o.worst, "RATIO",
	    "fail if a ratio may be worse than RATIO, such as 1.25"),
	OPT(0, "budget", &o.budget, "FILE",
	    "check the limits in FILE on the new sides, as bench-stat does"),
	OPT(0, "junit", &o.junit, "FILE", "also write test results for a CI service"),
	OPT(0, "bisect", &o.bisect, NULL, "exit with 125 instead of 2, for git bisect run"),
	OPT_HEADING("Output"),
	OPT('s', "statistics", &o.statistics, "LIST", "print only these columns"),
	OPT(0, "no-geomean", &o.no_geomean, NULL, "print no rows of geometric means"),
	OPT_END,
};

static const struct opt_rule rules[] = {
	{ "--order", OPT_REQUIRES, "--history --since-change", NULL },
	{ "--since", OPT_REQUIRES, "--history --since-change", NULL },
	{ "--by-run", OPT_REQUIRES, "--history --since-change", NULL },
	{ "--min-segment", OPT_REQUIRES, "--history --since-change", NULL },
	{ "--window", OPT_REQUIRES, "--history --since-change", NULL },
	{ "--gate --markdown --csv --table --json", OPT_ONE_OF, NULL, NULL },
	{ "--statistics", OPT_EXCLUDES, "--gate --markdown", NULL },
	{ "--no-geomean", OPT_EXCLUDES, "--gate", NULL },
	{ "--reference", OPT_EXCLUDES, "--history --since-change", NULL },
	{ "--reference", OPT_REQUIRES, "-b", NULL },
	OPT_RULES_END,
};

static const char *const synopsis[] = {
	"[options] old.csv new.csv",
	"[options] -b COLUMN [--reference VALUE] [file...]",
	"[options] --history [--order FILE] [--since WHEN] [file...]",
	"[options] --since-change [--order FILE] [--since WHEN] [file...]",
	NULL,
};

const struct opt_program bench_compare = {
	.name = "bench-compare",
	.synopsis = synopsis,
	.summary = "Compare measurements, and report whether performance changed.",
	.opts = opts,
	.rules = rules,
	.values = compare_option_values,
	.verbose = "print all rows and the column primary in tables",
	.flags = OPT_FORMATS | OPT_PAGER,
};

/* The options that apply to histories; the last two only to --since-change. */
static const char *const of_history[] = { "history", "since-change", "order", "since",
	"by-run", "min-segment", "window", "threshold", "thresholds", "confidence", "group",
	"melt", "filter", "metric", "seed", "bisect", "allow-missing", "adjust", "unsure" };
enum { ONLY_OF_SINCE_CHANGE = 2 };

static void check_history_options(void)
{
	const size_t allowed =
	    COUNT(of_history) - (o.since_change ? 0 : ONLY_OF_SINCE_CHANGE);
	const char *wrong =
	    o.history || o.since_change ? opt_given(of_history, allowed, false) : NULL;

	if (wrong)
		opt_usage_error(&bench_compare, "--%s cannot be combined with --%s", wrong,
		    o.history ? "history" : "since-change");
	if (o.history && o.since_change)
		opt_usage_error(
		    &bench_compare, "use --history or --since-change, not both");
	if (o.min_segment < 2 || o.min_segment > INT32_MAX)
		opt_usage_error(&bench_compare, "--min-segment must be at least 2");
	if (o.window && (o.window < WINDOW_LEAST || o.window < 2 * o.min_segment))
		opt_usage_error(&bench_compare,
		    "--window must be at least %d and at least twice --min-segment",
		    WINDOW_LEAST);
}

/* Returns whether -b or -g names the column of the halves of bench-run --aa. */
static bool names_aa(void)
{
	size_t len = strlen(COLUMN_AA);

	if (o.by && strcmp(o.by, COLUMN_AA) == 0)
		return true;
	for (const char *p = o.group; p; p = strchr(p, ','), p = p ? p + 1 : NULL)
		if (strncmp(p, COLUMN_AA, len) == 0 && (!p[len] || p[len] == ','))
			return true;
	return false;
}

static bool is_among(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, list[i]) == 0)
			return true;
	return false;
}

/* Checks the column of -b, or that there are two files instead. */
static void check_sides(char *const *operand, size_t operands)
{
	static const char *const never[] = { "metric", "unit", "value", "process", "sample",
		"t", "iterations", "status", "running_pct" };
	struct fault f;

	if (!o.by && !o.history && !o.since_change && operands != 2) {
		side_hint(operand, (int)operands, o.rows.melt.item, o.rows.melt.count, &f);
		opt_usage_error(&bench_compare, "%s", f.text);
	}
	if (o.by && is_among(o.by, never, COUNT(never)))
		opt_usage_error(&bench_compare,
		    "-b %s: this column cannot define sides; use one such as bench, "
		    "commit, host or a parameter",
		    o.by);
}

/* Reads the columns of -g and --pair, which are different ones. */
static void read_columns(struct bench_compare_plan *plan)
{
	static const char *const never[] = { "metric", "unit", "value", "t", "iterations",
		"status", "running_pct" };
	struct fault f;

	if (o.group && units_list(o.group, &plan->group, &plan->groups, &f) < 0)
		opt_usage_error(&bench_compare, "--group: %s", f.text);
	if (o.pair && units_list(o.pair, &plan->pair, &plan->pairs, &f) < 0)
		opt_usage_error(&bench_compare, "--pair: %s", f.text);
	for (size_t i = 0; i < plan->pairs; i++) {
		const char *name = plan->pair[i];

		if (is_among(name, never, COUNT(never)))
			opt_usage_error(&bench_compare,
			    "--pair %s: this column cannot define pairs; use one such as a "
			    "parameter, host or run",
			    name);
		if ((o.by && strcmp(name, o.by) == 0) ||
		    is_among(name, (const char *const *)plan->group, plan->groups))
			opt_usage_error(&bench_compare,
			    "--pair %s: this column is also given to %s", name,
			    o.by && strcmp(name, o.by) == 0 ? "-b" : "-g");
	}
}

static void check_margins(void)
{
	if (o.threshold.fraction < 0)
		opt_usage_error(&bench_compare, "--threshold must not be negative");
	if (o.warn.set && !(o.warn.fraction >= 0 && o.warn.fraction < o.threshold.fraction))
		opt_usage_error(&bench_compare,
		    "--warn %g%% must be at least 0%% and below the threshold, %g%%",
		    o.warn.fraction * 100, o.threshold.fraction * 100);
	if (o.floors.count && names_aa())
		opt_usage_error(&bench_compare,
		    "--floor does not apply when the halves in the column %s are compared",
		    COLUMN_AA);
	for (size_t i = 0; i < o.floors.count; i++)
		if (strcmp(o.floors.item[i], "-") == 0)
			opt_usage_error(
			    &bench_compare, "--floor: give the name of a file, not '-'");
}

static void read_statistics(struct bench_compare_plan *plan)
{
	const char *const *adjust = opt_choice(&bench_compare, "--adjust", o.adjust,
	    adjust_names, sizeof(*adjust_names), adjust_names_count);
	struct fault f;

	plan->adjust = (enum adjust)(adjust - adjust_names);
	o.inference.test = opt_choice(&bench_compare, "--test", o.test, infer_tests,
	    sizeof(*infer_tests), infer_tests_count);
	if (o.statistics && compare_choose(o.statistics, &plan->columns, &f) < 0)
		opt_usage_error(&bench_compare, "--statistics: %s", f.text);
}

const struct bench_compare_opts *bench_compare_opts_read(
    int argc, char **argv, struct bench_compare_plan *plan)
{
	int first = opt_parse(&bench_compare, argc, argv);
	struct fault f;

	plan->path = argv + first;
	plan->files = (size_t)(argc - first);
	opt_common.output.all_rows =
	    opt_common.verbose || opt_common.output.wide || o.rows.metrics.count;
	check_history_options();
	check_sides(plan->path, plan->files);
	check_margins();
	if (gate_opts_parse(&o.decision, o.unsure, o.worst, opt_common.quiet, &f) < 0)
		opt_usage_error(&bench_compare, "%s", f.text);
	/* A benchmark may have been renamed between two files, but not between the sides of
	 * one stream. A search skips a commit that cannot be compared. */
	o.decision.must_share = o.by || o.bisect;
	read_statistics(plan);
	read_columns(plan);
	stream_options_open(&o.rows, &bench_compare);
	if (o.thresholds &&
	    !(plan->thresholds = thresholds_read(o.thresholds, o.threshold.fraction, &f)))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	return &o;
}

void bench_compare_opts_free(struct bench_compare_plan *plan)
{
	thresholds_free(plan->thresholds);
	units_list_free(plan->group, plan->groups);
	units_list_free(plan->pair, plan->pairs);
	free(plan->columns.field);
	stream_options_close(&o.rows);
	free(o.floors.item);
}
