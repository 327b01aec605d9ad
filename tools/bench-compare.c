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
#include "compare/gate_cases.h"
#include "compare/gate_lines.h"
#include "compare/markdown.h"
#include "compare/pair_notes.h"
#include "history/history_input.h"
#include "history/history_notes.h"
#include "history/history_output.h"
#include "io/message.h"
#include "options/bench_compare.h"
#include "record/bench_csv.h"
#include "record/foreign_input.h"
#include "record/metric.h"
#include "sys/temp_file.h"

enum {
	STATUS_SKIP = 125, /* git bisect run: this commit cannot be tested */
};

static const struct bench_compare_opts *o;
static struct bench_compare_plan plan;
static bool for_bisect;

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
	return metric_filter_row(o->rows.filter, row) ? compare_row(to->compare, row) : 0;
}

static int print_comparison(const struct compare *c, const struct gate *gate)
{
	if (o->gate)
		return gate_print(c, gate, stdout);
	if (o->markdown)
		return markdown_print(c, gate, !o->no_geomean, stdout);
	return compare_print(c, &plan.columns, !o->no_geomean, &opt_common.output);
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
		    &cases, budget_gate_check(budget), o->decision.unsure == UNSURE_FAIL);
	junit_finish(&cases, "bench-compare", &xml);
	if (temp_file_write(
	        o->junit, TEMP_FILE_OUTPUT, text_in(&xml), &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	buf_free(&xml);
}

/* Prints the comparison and what it does not show. Returns the exit status. */
static int report_comparison(const struct compare *c, const struct budget_gate *budget)
{
	struct buf before = { 0 }, after = { 0 };
	struct gate gate;
	int status;

	gate_open(&gate, c, &o->decision);
	if (budget)
		budget_gate_result(budget, o->decision.unsure, &gate.budgets);
	if (!opt_common.quiet)
		compare_note_sides(c, o->by, &before);
	message_warn_buf(&before);
	if (print_comparison(c, &gate) < 0)
		exit(stdout_failed());
	if (o->junit)
		write_cases(c, &gate, budget);
	if (!o->gate)
		gate_put_findings(&after, c, &gate);
	compare_note_units(c, &after);
	if (!opt_common.quiet && !o->markdown)
		compare_note_others(c, &after);
	if (!o->gate)
		compare_note_warnings(c, &after);
	if (!opt_common.quiet) {
		compare_note_thresholds(c, gate_allows(&gate, GATE_UNMET), &after);
		compare_note_floors(c, o->floors.count > 0, &after);
		pair_notes(c, &gate, &after);
		compare_note_runs(c, &after);
		compare_note_ends(c, gate_allows(&gate, GATE_OPEN), &after);
		if (!o->gate && !o->markdown)
			compare_note_table(c, &opt_common.output, &after);
	}
	if (gate_is_empty(&gate))
		gate_put_nothing(&after, c, &gate);
	message_warn_buf(&after);
	status = gate_status(&gate);
	gate_close(&gate);
	return status;
}

/* Searches the series for changes, and prints them. Returns the exit status. */
static int run_history(void)
{
	struct history_opts history_opts = {
		.names = (const char *const *)plan.group,
		.count = plan.groups,
		.by_run = o->by_run,
		.order = o->order,
		.inference = o->inference,
		.threshold = o->threshold.fraction,
		.thresholds = plan.thresholds,
		.least = o->min_segment,
		.window = o->window,
		.all_decides = o->rows.metrics.count > 0,
	};
	struct history_output output = {
		.since_change = o->since_change,
		.quiet = opt_common.quiet,
		.gate = o->decision,
		.least = o->min_segment,
		.inference = &o->inference,
		.adjust = plan.adjust,
	};
	struct history_input in;
	struct buf notes = { 0 };
	struct fault f;
	int status;

	if (history_input_read(&in, &history_opts, &o->rows, o->decision.allow_missing,
	        plan.path, plan.files, &f) < 0 ||
	    (o->since && history_since(in.history, o->since, clock_realtime_ns(), &f) < 0))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	history_find(in.history, o->since_change);
	history_note_input(in.history, o->history ? o->min_segment : 0, &notes);
	if (opt_common.quiet)
		buf_free(&notes);
	message_warn_buf(&notes);
	if (history_output_print(&output, in.history, &opt_common.output, &notes, &status) <
	    0)
		exit(stdout_failed());
	message_warn_buf(&notes);
	history_input_close(&in);
	return status;
}

/* Reads the sides. Returns 0, or -1 and the message. */
static int read_sides(struct bench_csv *stream, struct receiver *to, struct fault *f)
{
	to->is_new = o->by;
	if (o->by)
		return bench_csv_read_all(stream, plan.path, plan.files, f);
	for (size_t i = 0; i < plan.files; i++) {
		compare_side(to->compare, plan.path[i]);
		to->is_new = i > 0;
		if (bench_csv_read(stream, plan.path[i], f) < 0)
			return -1;
	}
	return 0;
}

/* Returns 0 if --junit names none of the files to read; else -1 and the message. */
static int check_junit(struct fault *f)
{
	char *const budget[] = { (char *)o->budget };

	return o->junit && (temp_file_spares(o->junit, plan.path, plan.files, f) < 0 ||
	                       temp_file_spares(o->junit, budget, o->budget != NULL, f) < 0)
	           ? -1
		   : 0;
}

/* Reads the sides, then the streams of --floor. Returns 0, or -1 and the message. */
static int read_all(struct bench_csv *stream, struct receiver *to, struct fault *f)
{
	bench_csv_select(stream, NULL, o->rows.conditions);
	if (check_junit(f) < 0 || read_sides(stream, to, f) < 0)
		return -1;
	if (!bench_csv_has_rows(stream))
		return fault_set(f, "no table of measurements in the input");
	if (stream_options_check(&o->rows, f) < 0)
		return -1;
	bench_csv_select(stream, NULL, NULL);
	bench_csv_watch_ends(stream, NULL);
	compare_history(to->compare);
	to->is_new = false;
	for (size_t i = 0; i < o->floors.count; i++)
		if (bench_csv_read(stream, o->floors.item[i], f) < 0)
			return -1;
	return 0;
}

/* Exits with STATUS_SKIP instead of STATUS_TROUBLE, if requested. */
static void skip_instead(int status, void *ctx)
{
	(void)ctx;
	if (for_bisect && status == STATUS_TROUBLE) {
		fflush(NULL);
		_exit(STATUS_SKIP);
	}
}

/* Compares the sides and prints the result. Returns the exit status. */
static int run_sides(void)
{
	static const struct bench_csv_sink sink = { .row = on_row };
	struct compare_opts compare_opts = {
		.by = o->by,
		.reference = o->reference,
		.names = (const char *const *)plan.group,
		.count = plan.groups,
		.pair = (const char *const *)plan.pair,
		.pairs = plan.pairs,
		.threshold = o->threshold.fraction,
		.warning = o->warn.set ? o->warn.fraction : (double)NAN,
		.thresholds = plan.thresholds,
		.inference = o->inference,
		.shift = compare_chosen(&plan.columns, "shift"),
		.all_decides = o->rows.metrics.count > 0,
		.adjust = plan.adjust,
	};
	struct receiver to = { 0 };
	struct run_ends ends = { 0 };
	struct bench_csv *stream = bench_csv_open(&sink, &to);
	struct metrics *metrics;
	struct fault f;
	int status;

	compare_opts.facts = bench_csv_facts(stream);
	compare_opts.ends = &ends;
	bench_csv_watch_ends(stream, &ends);
	to.compare = compare_open(bench_csv_schema(stream), &compare_opts);
	metrics = metrics_open(&f);
	if (!metrics ||
	    (o->budget && !(to.budget = budget_gate_open(
	                        o->budget, bench_csv_schema(stream), &compare_opts, &f))) ||
	    stream_options_apply(&o->rows, stream, &f) < 0 ||
	    read_all(stream, &to, &f) < 0 || compare_finish(to.compare, metrics, &f) < 0 ||
	    (to.budget && budget_gate_finish(to.budget, to.compare, metrics, &f) < 0))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	run_ends_finish(&ends);
	status = report_comparison(to.compare, to.budget);
	budget_gate_close(to.budget);
	compare_close(to.compare);
	bench_csv_close(stream);
	metrics_free(metrics);
	run_ends_free(&ends);
	return status;
}

int main(int argc, char **argv)
{
	standard_files_open();

	int status;

	on_exit(skip_instead, NULL);
	/* A wrong option before --bisect must not hide it. */
	for (int i = 1; i < argc; i++)
		for_bisect |= strcmp(argv[i], "--bisect") == 0;
	foreign_input_arguments(argc, argv);
	o = bench_compare_opts_read(argc, argv, &plan);
	for_bisect |= o->bisect;
	status = o->history || o->since_change ? run_history() : run_sides();
	bench_compare_opts_free(&plan);
	return stdout_close(status);
}
