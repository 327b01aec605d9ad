/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-compare: compares an old side with new sides, and searches histories for changes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/standard_files.h"
#include "budget/budget_gate.h"
#include "budget/budget_print.h"
#include "compare/compare_notes.h"
#include "compare/compare_table.h"
#include "compare/gate.h"
#include "compare/gate_cases.h"
#include "compare/gate_lines.h"
#include "compare/markdown.h"
#include "compare/option_values.h"
#include "compare/side_hint.h"
#include "compare/thresholds.h"
#include "history/history_input.h"
#include "history/history_notes.h"
#include "history/history_output.h"
#include "io/message.h"
#include "io/opt.h"
#include "record/bench_csv.h"
#include "record/metric.h"
#include "record/stream_options.h"
#include "stats/inference.h"
#include "sys/temp_file.h"
#include "text/units.h"

enum {
	STATUS_SKIP = 125, /* git bisect run: this commit cannot be tested */
};

static struct {
	const char *by, *reference, *group, *thresholds, *budget, *junit;
	struct inference_opts inference;
	struct opt_percent threshold, warn;
	struct stream_options rows;
	struct opt_list floors;
	struct gate_opts decision;
	const char *unsure, *worst;
	const char *adjust, *test, *statistics;
	bool bisect, gate, markdown, no_geomean;
	/* for histories */
	bool history, since_change, by_run;
	const char *order, *since;
	uint64_t window, min_segment;
} o = { .min_segment = 4, .inference = INFERENCE_DEFAULTS, .threshold.fraction = 0.02 };

static const struct opt opts[] = {
	OPT_HEADING("Sides and subjects"),
	OPT('b', "by", &o.by, "COLUMN", "compare the values of this column of one stream"),
	OPT(0, "reference", &o.reference, "VALUE",
	    "with -b: the old side (the first value)"),
	OPT('g', "group", &o.group, "COLUMNS",
	    "match rows by these columns, metric and unit"),
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

static const char *const synopsis[] = {
	"[options] old.csv new.csv",
	"[options] -b COLUMN [--reference VALUE] [file...]",
	"[options] --history [--order FILE] [--since WHEN] [file...]",
	"[options] --since-change [--order FILE] [--since WHEN] [file...]",
	NULL,
};
static const struct opt_program program = {
	.name = "bench-compare",
	.synopsis = synopsis,
	.summary = "Compare measurements, and report whether performance changed.",
	.opts = opts,
	.values = compare_option_values,
	.verbose = "print all rows and the column primary in tables",
	.flags = OPT_FORMATS | OPT_PAGER,
};

/* The receivers of rows. The budgets take the rows of all metrics, but not those of the
 * first of two files or of --floor. */
struct receiver {
	struct compare *compare;
	struct budget_gate *budget;
	bool is_new;
};

static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	const struct receiver *to = ctx;

	(void)f;
	if (to->budget && to->is_new)
		budget_gate_row(to->budget, row);
	return metric_filter_row(o.rows.filter, row) ? compare_row(to->compare, row) : 0;
}

/* Prints each line as a warning, and frees the lines. */
static void warn_of(struct buf *lines)
{
	message_warn_lines((struct text){ lines->ptr, lines->len });
	buf_free(lines);
}

static int print_comparison(
    const struct compare *c, const struct compare_columns *columns, const struct gate *gate)
{
	if (o.gate)
		return gate_print(c, gate, stdout);
	if (o.markdown)
		return markdown_print(c, gate, !o.no_geomean, stdout);
	return compare_print(c, columns, !o.no_geomean, &opt_common.output);
}

static void write_cases(
    const struct compare *c, const struct gate *gate, const struct budget_gate *budget)
{
	struct junit cases = { 0 };
	struct buf xml = { 0 };
	struct fault f;

	gate_put_cases(&cases, c, gate);
	if (budget)
		budget_put_cases(
		    &cases, budget_gate_check(budget), o.decision.unsure == UNSURE_FAIL);
	junit_finish(&cases, "bench-compare", &xml);
	if (temp_file_write(
	        o.junit, TEMP_FILE_OUTPUT, (struct text){ xml.ptr, xml.len }, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	buf_free(&xml);
}

static int report(const struct compare *c, const struct compare_columns *columns,
    const struct thresholds *thresholds, const struct budget_gate *budget)
{
	struct buf before = { 0 }, after = { 0 };
	struct gate gate;
	int status;

	gate_open(&gate, c, &o.decision);
	if (budget)
		budget_gate_result(budget, o.decision.unsure, &gate.budgets);
	if (!opt_common.quiet)
		compare_note_sides(c, o.by, &before);
	warn_of(&before);
	if (print_comparison(c, columns, &gate) < 0)
		exit(stdout_failed());
	if (o.junit)
		write_cases(c, &gate, budget);
	if (!o.gate)
		gate_put_findings(&after, c, &gate);
	compare_note_units(c, &after);
	if (!opt_common.quiet && !o.markdown)
		compare_note_others(c, &after);
	if (!o.gate)
		compare_note_warnings(c, &after);
	if (!opt_common.quiet) {
		if (thresholds)
			compare_note_thresholds(c, thresholds, o.thresholds, &after);
		compare_note_floors(c, o.floors.count > 0, &after);
		compare_note_runs(c, &after);
		compare_note_ends(c, &after);
		if (!o.gate && !o.markdown)
			compare_note_table(c, &opt_common.output, &after);
	}
	if (gate.found[GATE_NOTHING])
		gate_put_nothing(&after, c);
	warn_of(&after);
	status = gate_status(&gate);
	gate_close(&gate);
	return status;
}

/* Options for histories: first the ONLY_OF_HISTORY options that need one, then other
 * options that apply, last the ONLY_OF_SINCE_CHANGE options for --since-change only. */
static const char *const of_history[] = { "history", "since-change", "order", "since",
	"by-run", "min-segment", "window", "threshold", "thresholds", "confidence", "group",
	"melt", "filter", "metric", "seed", "bisect", "adjust", "allow-missing" };
enum { ONLY_OF_HISTORY = 7, ONLY_OF_SINCE_CHANGE = 2, LEAST_WINDOW = 20 };

static void check_history_options(void)
{
	bool any = o.history || o.since_change;
	size_t allowed = COUNT(of_history) - (o.since_change ? 0 : ONLY_OF_SINCE_CHANGE);
	const char *wrong = any ? opt_given(of_history, allowed, false)
	                        : opt_given(of_history, ONLY_OF_HISTORY, true);

	if (wrong && any)
		opt_usage_error(&program, "--%s cannot be combined with --%s", wrong,
		    o.history ? "history" : "since-change");
	if (wrong)
		opt_usage_error(
		    &program, "--%s requires --history or --since-change", wrong);
	if (o.history && o.since_change)
		opt_usage_error(&program, "use --history or --since-change, not both");
	if (o.min_segment < 2 || o.min_segment > INT32_MAX)
		opt_usage_error(&program, "--min-segment must be at least 2");
	if (o.window && (o.window < LEAST_WINDOW || o.window < 2 * o.min_segment))
		opt_usage_error(&program,
		    "--window must be at least %d and at least twice --min-segment",
		    LEAST_WINDOW);
}

static enum adjust adjust_chosen(void)
{
	const char *const *name = opt_choice(&program, "--adjust", o.adjust, adjust_names,
	    sizeof(*adjust_names), adjust_names_count);

	return (enum adjust)(name - adjust_names);
}

static int run_history(char *const *path, size_t files, char **names, size_t count,
    const struct thresholds *thresholds)
{
	struct history_opts history_opts = {
		.names = (const char *const *)names,
		.count = count,
		.by_run = o.by_run,
		.order = o.order,
		.inference = o.inference,
		.threshold = o.threshold.fraction,
		.thresholds = thresholds,
		.least = o.min_segment,
		.window = o.window,
		.all_decides = o.rows.metrics.count > 0,
	};
	struct history_output output = {
		.since_change = o.since_change,
		.quiet = opt_common.quiet,
		.allow_missing = o.decision.allow_missing,
		.least = o.min_segment,
		.inference = &o.inference,
		.adjust = adjust_chosen(),
	};
	struct history_input in;
	struct buf notes = { 0 };
	struct fault f;
	int status;

	if (history_input_read(&in, &history_opts, &o.rows, path, files, &f) < 0 ||
	    (o.since && history_since(in.history, o.since, clock_realtime_ns(), &f) < 0))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	history_find(in.history, o.since_change);
	history_note_input(in.history, o.history ? o.min_segment : 0, &notes);
	if (opt_common.quiet)
		buf_free(&notes);
	warn_of(&notes);
	if (history_output_print(&output, in.history, &opt_common.output, &notes, &status) <
	    0)
		exit(stdout_failed());
	warn_of(&notes);
	history_input_close(&in);
	return status;
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

static void check_options(int operands, char *const *operand)
{
	static const char *const never[] = { "metric", "unit", "value", "process", "sample",
		"t", "iterations", "status", "running_pct" };
	struct fault f;

	check_history_options();
	if (!o.by && !o.history && !o.since_change && operands != 2) {
		side_hint(operand, operands, o.rows.melt.item, o.rows.melt.count, &f);
		opt_usage_error(&program, "%s", f.text);
	}
	if (o.gate + o.markdown + (opt_common.output.format != RENDER_AUTO) > 1)
		opt_usage_error(&program, "--gate, --markdown, --csv, --table and --json "
		                          "cannot be combined");
	if ((o.gate || o.markdown) && o.statistics)
		opt_usage_error(
		    &program, "--statistics cannot be combined with --gate or --markdown");
	if (o.gate && o.no_geomean)
		opt_usage_error(&program, "--no-geomean cannot be combined with --gate");
	if (o.reference && !o.by)
		opt_usage_error(&program, "--reference requires -b");
	for (size_t i = 0; o.by && i < COUNT(never); i++)
		if (strcmp(o.by, never[i]) == 0)
			opt_usage_error(
			    &program, "-b %s: this column cannot define sides", o.by);
	if (o.threshold.fraction < 0)
		opt_usage_error(&program, "--threshold must not be negative");
	if (o.warn.set && !(o.warn.fraction >= 0 && o.warn.fraction < o.threshold.fraction))
		opt_usage_error(&program,
		    "--warn %g%% must be at least 0%% and below the threshold, %g%%",
		    o.warn.fraction * 100, o.threshold.fraction * 100);
	if (o.floors.count && names_aa())
		opt_usage_error(&program,
		    "--floor does not apply when the halves in the column %s are compared",
		    COLUMN_AA);
	if (gate_opts_parse(&o.decision, o.unsure, o.worst, opt_common.quiet, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
	for (size_t i = 0; i < o.floors.count; i++)
		if (strcmp(o.floors.item[i], "-") == 0)
			opt_usage_error(
			    &program, "--floor: give the name of a file, not '-'");
}

static int read_all(struct bench_csv *stream, struct receiver *to, char *const *path,
    size_t count, struct fault *f)
{
	to->is_new = o.by;
	bench_csv_select(stream, NULL, o.rows.conditions);
	if (o.junit && (temp_file_spares(o.junit, path, count, f) < 0 ||
	                   temp_file_spares(o.junit, (char *const[]){ (char *)o.budget },
	                       o.budget != NULL, f) < 0))
		return -1;
	if (o.by && bench_csv_read_all(stream, path, count, f) < 0)
		return -1;
	for (size_t i = 0; !o.by && i < count; i++) {
		compare_side(to->compare, path[i]);
		to->is_new = i > 0;
		if (bench_csv_read(stream, path[i], f) < 0)
			return -1;
	}
	if (!bench_csv_has_rows(stream))
		return fault_set(f, "no table of measurements in the input");
	if (stream_options_check(&o.rows, f) < 0)
		return -1;
	bench_csv_select(stream, NULL, NULL);
	bench_csv_watch_ends(stream, NULL);
	compare_history(to->compare);
	to->is_new = false;
	for (size_t i = 0; i < o.floors.count; i++)
		if (bench_csv_read(stream, o.floors.item[i], f) < 0)
			return -1;
	return 0;
}

/* Exits with STATUS_SKIP instead of STATUS_TROUBLE, if requested. */
static void skip_instead(int status, void *ctx)
{
	(void)ctx;
	if (o.bisect && status == STATUS_TROUBLE) {
		fflush(NULL);
		_exit(STATUS_SKIP);
	}
}

static void choose(struct compare_opts *compare, struct compare_columns *columns)
{
	struct fault f;

	o.inference.test = opt_choice(&program, "--test", o.test, infer_tests,
	    sizeof(*infer_tests), infer_tests_count);
	compare->inference = o.inference;
	if (o.statistics && compare_choose(o.statistics, columns, &f) < 0)
		opt_usage_error(&program, "--statistics: %s", f.text);
	compare->shift = compare_chosen(columns, "shift");
	compare->all_decides = o.rows.metrics.count > 0;
	compare->adjust = adjust_chosen();
}

/* Compares the sides and prints the result. Returns the exit status. */
static int run_sides(char *const *path, size_t files, char **names, size_t count,
    const struct thresholds *thresholds)
{
	static const struct bench_csv_sink sink = { .row = on_row };
	struct compare_opts compare_opts = {
		.by = o.by,
		.reference = o.reference,
		.names = (const char *const *)names,
		.count = count,
		.threshold = o.threshold.fraction,
		.warning = o.warn.set ? o.warn.fraction : (double)NAN,
		.thresholds = thresholds,
	};
	struct compare_columns columns = { 0 };
	struct receiver to = { 0 };
	struct run_ends ends = { 0 };
	struct bench_csv *stream = bench_csv_open(&sink, &to);
	struct metrics *metrics;
	struct fault f;
	int status;

	choose(&compare_opts, &columns);
	compare_opts.facts = bench_csv_facts(stream);
	compare_opts.ends = &ends;
	bench_csv_watch_ends(stream, &ends);
	to.compare = compare_open(bench_csv_schema(stream), &compare_opts);
	metrics = metrics_open(&f);
	if (!metrics ||
	    (o.budget && !(to.budget = budget_gate_open(
	                       o.budget, bench_csv_schema(stream), &compare_opts, &f))) ||
	    stream_options_apply(&o.rows, stream, &f) < 0 ||
	    read_all(stream, &to, path, files, &f) < 0 ||
	    compare_finish(to.compare, metrics, &f) < 0 ||
	    (to.budget && budget_gate_finish(to.budget, to.compare, &f) < 0))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	run_ends_finish(&ends);
	status = report(to.compare, &columns, thresholds, to.budget);
	budget_gate_close(to.budget);
	compare_close(to.compare);
	bench_csv_close(stream);
	metrics_free(metrics);
	run_ends_free(&ends);
	free(columns.field);
	return status;
}

int main(int argc, char **argv)
{
	standard_files_open();

	struct thresholds *thresholds = NULL;
	struct fault f;
	char **names = NULL;
	size_t count = 0;
	int first, status;

	on_exit(skip_instead, NULL);
	/* before opt_parse(), which may fail at an option before --bisect */
	for (int i = 1; i < argc; i++)
		o.bisect |= strcmp(argv[i], "--bisect") == 0;
	first = opt_parse(&program, argc, argv);
	opt_common.output.all_rows =
	    opt_common.verbose || opt_common.output.wide || o.rows.metrics.count;
	check_options(argc - first, argv + first);
	if (o.group && units_list(o.group, &names, &count, &f) < 0)
		opt_usage_error(&program, "--group: %s", f.text);
	stream_options_open(&o.rows, &program);
	if (o.thresholds &&
	    !(thresholds = thresholds_read(o.thresholds, o.threshold.fraction, &f)))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	status = (o.history || o.since_change ? run_history : run_sides)(
	    argv + first, (size_t)(argc - first), names, count, thresholds);
	thresholds_free(thresholds);
	units_list_free(names, count);
	stream_options_close(&o.rows);
	free(o.floors.item);
	return stdout_close(status);
}
