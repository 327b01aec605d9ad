/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-stat: summarizes the values of each group of rows.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "budget/budget_print.h"
#include "compare/duplicates.h"
#include "io/message.h"
#include "options/bench_stat.h"
#include "record/bench_csv.h"
#include "record/collect.h"
#include "record/foreign_input.h"
#include "record/metric.h"
#include "summary/components_table.h"
#include "summary/diagnosis.h"
#include "summary/gpu_limits.h"
#include "summary/growth_table.h"
#include "summary/idle_metrics.h"
#include "summary/summary.h"
#include "summary/summary_order.h"
#include "sys/temp_file.h"
#include "text/plural.h"

static const struct bench_stat_opts *o;
static struct bench_stat_plan plan;

/* Adds a row. The collection is made after the stream, whose schema it needs. */
static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	struct collect *collect = *(struct collect **)ctx;
	struct row part;

	(void)f;
	if (!row->aa)
		return collect_row(collect, row);
	part = row_part_twins(row);
	return collect_row(collect, &part);
}

static int read_stream(struct bench_csv *stream, struct fault *f)
{
	if (stream_options_apply(&o->rows, stream, f) < 0 ||
	    bench_csv_read_all(stream, plan.file, plan.files, f) < 0)
		return -1;
	if (!bench_csv_has_rows(stream))
		return fault_set(
		    f, "no table of measurements in the input (bench-run writes one)");
	return stream_options_check(&o->rows, f);
}

enum { HINTS = 5, BUDGETS_SHOWN = 20 };

/* Returns whether findings are reported on standard error, in addition to the output. */
static bool gives_hints(void)
{
	bool people = opt_common.output.format == RENDER_AUTO && isatty(STDOUT_FILENO);

	return !o->components && !o->diagnose && !o->growth &&
	       (o->strict || (people && !opt_common.quiet));
}

static void hint(const struct diagnosis *d)
{
	size_t count = diagnosis_count(d), shown = opt_common.verbose ? count : HINTS;

	for (size_t i = 0; i < count && i < shown; i++) {
		char *line = diagnosis_line(d, i);

		message_warn("%s", line);
		free(line);
	}
	if (count > shown)
		message_warn("%zu more finding%s (use --diagnose to list all)",
		    count - shown, plural_s(count - shown));
}

/* Reports each line as a warning, the first of them unless -v is given, and frees the
 * lines. */
static void warn_of(struct buf *lines)
{
	size_t count = 0, most = opt_common.verbose ? SIZE_MAX : BUDGETS_SHOWN;
	char *rest = lines->ptr, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line && count++ < most)
			message_warn("%s", line);
	if (count > most)
		message_warn("%zu more (use -v to list all)", count - most);
	buf_free(lines);
}

/* Reports the number of rows that were counted once although they are there several times.
 */
static void say_repeated(size_t rows)
{
	if (rows && !opt_common.quiet)
		message_warn("%zu duplicate row%s ignored", rows, plural_s(rows));
}

/* Returns whether each group is hidden, because its metric says nothing; NULL: none is. */
static bool *hidden_groups(const struct groups *groups, struct collect *collect)
{
	if (o->components || o->diagnose || o->rows.metrics.count ||
	    opt_common.output.wide || !render_is_table(&opt_common.output))
		return NULL;
	return idle_metrics(groups, collect);
}

/* Reports what a table of statistics or of growth does not show: repeated rows, hidden
 * metrics, and samples of a group that were taken under different limits of a GPU. */
static void say_unseen(const struct groups *groups, struct collect *collect,
    size_t repeated, const bool *hidden)
{
	struct buf lines = { 0 };

	say_repeated(repeated);
	if (opt_common.quiet)
		return;
	if (!groups_count(groups))
		message_warn("the input has a header, but no samples");
	if (hidden)
		idle_metrics_note(groups, hidden, &lines);
	warn_of(&lines);
	gpu_limits_explain(groups, collect, &lines);
	warn_of(&lines);
}

/* Prints the table. Returns 0, or -1 and errno if writing failed. */
static int print_statistics(const struct groups *groups, struct collect *collect,
    const struct summary_opts *shown, const struct diagnosis *diagnosis)
{
	if (o->components)
		return components_print(groups, collect, &opt_common.output);
	if (o->diagnose)
		return diagnosis_print(diagnosis, &opt_common.output);
	return summary_print(groups, collect, shown, &opt_common.output);
}

static int on_budget_row(void *ctx, const struct row *row, struct fault *f)
{
	(void)f;
	return budget_check_row(*(struct budget_check **)ctx, row);
}

static void write_cases(const struct budget_check *check)
{
	struct junit cases = { 0 };
	struct buf xml = { 0 };
	struct fault f;

	budget_put_cases(&cases, check, o->strict);
	junit_finish(&cases, "bench-stat --budget", &xml);
	if (temp_file_write(
	        o->junit, TEMP_FILE_OUTPUT, text_in(&xml), &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	buf_free(&xml);
}

/* Checks the budgets instead of printing statistics. Returns the exit status. */
static int run_budget(void)
{
	static const struct bench_csv_sink sink = { .row = on_budget_row };
	struct fault f;
	struct budgets *budgets = budgets_read(o->budget, &f);
	char *const table[] = { (char *)o->budget };
	struct metrics *metrics = budgets ? metrics_open(&f) : NULL;
	struct budget_check *check;
	struct bench_csv *stream;
	struct run_ends ends = { 0 };
	struct buf lines = { 0 };
	int status;

	if (!budgets || !metrics ||
	    (o->junit && (temp_file_spares(o->junit, plan.file, plan.files, &f) < 0 ||
	                     temp_file_spares(o->junit, table, 1, &f) < 0)))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	stream = bench_csv_open(&sink, &check);
	check = budget_check_open(
	    budgets, bench_csv_schema(stream), &plan.by, o->inference.confidence);
	bench_csv_watch_ends(stream, &ends);
	if (read_stream(stream, &f) < 0 || budget_check_finish(check, metrics, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	run_ends_finish(&ends);
	budget_check_set_ends(check, o->allow_missing ? NULL : &ends);
	if (budget_print_table(check, &opt_common.output) < 0)
		exit(stdout_failed());
	if (o->junit)
		write_cases(check);
	say_repeated(budget_check_repeated(check));
	budget_put_lines(&lines, check, o->strict, opt_common.quiet);
	warn_of(&lines);
	status = budget_check_status(check, o->strict);
	budget_check_close(check);
	bench_csv_close(stream);
	budgets_free(budgets);
	metrics_free(metrics);
	run_ends_free(&ends);
	return status;
}

/* Returns the exit status of --strict. If nothing was checked, nothing can be vouched for.
 */
static int strict_status(
    const struct groups *groups, struct collect *collect, const struct diagnosis *d)
{
	bool any = false;

	for (size_t i = 0; i < groups_count(groups); i++)
		any |= collect_group(collect, i)->count > 0;
	if (!any)
		message_warn("--strict: the input has no successful sample, so nothing was "
		             "checked");
	else if (!diagnosis_checked(d))
		message_warn("--strict: no group has %d values, so nothing was checked",
		    DIAGNOSE_LEAST);
	if (!diagnosis_checked(d))
		return STATUS_TROUBLE;
	return diagnosis_count(d) ? STATUS_NO : STATUS_FINE;
}

/* Reports what the table of --diagnose does not show. */
static void say_unchecked(const struct diagnosis *d)
{
	struct buf lines = { 0 };

	diagnosis_note(d, &lines);
	warn_of(&lines);
}

/* The samples of the input, in groups. */
struct grouped_input {
	struct bench_csv *stream;
	struct groups *groups;
	struct collect *collect;
};

/* Reads the files. Ends the program if this fails. */
static void grouped_input_read(
    struct grouped_input *in, const struct group_by *by, int keep)
{
	static const struct bench_csv_sink sink = { .row = on_row };
	struct fault f;

	in->stream = bench_csv_open(&sink, &in->collect);
	in->groups = groups_open(bench_csv_schema(in->stream), by);
	in->collect = collect_open(in->groups, keep);
	if (read_stream(in->stream, &f) < 0 || groups_check(in->groups, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	groups_complete(in->groups);
	collect_finish(in->collect);
}

static void grouped_input_free(struct grouped_input *in)
{
	collect_close(in->collect);
	groups_close(in->groups);
	bench_csv_close(in->stream);
}

/* Drops rows that are there several times. Returns their number. */
static size_t drop_repeated(const struct grouped_input *in)
{
	size_t repeated = 0;

	for (size_t i = 0; !o->group && i < groups_count(in->groups); i++)
		repeated += duplicates_drop(in->collect, i);
	return repeated;
}

/* Returns the order of the rows by --sort; NULL: that of the groups. */
static size_t *order_rows(const struct grouped_input *in, const struct summary_opts *shown)
{
	size_t *order = NULL;
	struct fault f;

	if (o->sort &&
	    !(order = summary_order(in->groups, in->collect, shown, o->sort, &f)))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	return order;
}

/* Prints statistics, components or findings. Returns the exit status. */
static int run_summary(void)
{
	struct summary_opts shown = { .inference = o->inference,
		.statistic = plan.statistic,
		.count = plan.statistics };
	struct diagnosis *diagnosis = NULL;
	struct ordered_groups *ordered;
	struct grouped_input in;
	size_t *order, repeated;
	bool *hidden, checked = o->diagnose || gives_hints();
	int status = STATUS_FINE;

	grouped_input_read(&in, &plan.by,
	    COLLECT_IDENTITY | (checked || o->components ? COLLECT_TIME : 0) |
	        (o->components ? 0 : COLLECT_COMPACT));
	repeated = drop_repeated(&in);
	if (checked)
		diagnosis = diagnosis_open(in.groups, in.collect, NULL, &o->inference);
	shown.ordered = ordered =
	    summary_order_values(in.groups, in.collect, &shown, o->sort);
	shown.order = order = order_rows(&in, &shown);
	shown.hidden = hidden = hidden_groups(in.groups, in.collect);
	if (print_statistics(in.groups, in.collect, &shown, diagnosis) < 0)
		exit(stdout_failed());
	if (diagnosis && !o->diagnose && !opt_common.quiet)
		hint(diagnosis);
	say_unseen(in.groups, in.collect, repeated, hidden);
	if (o->diagnose && !opt_common.quiet)
		say_unchecked(diagnosis);
	if (o->strict)
		status = strict_status(in.groups, in.collect, diagnosis);
	diagnosis_close(diagnosis);
	ordered_groups_close(ordered);
	grouped_input_free(&in);
	free(hidden);
	free(order);
	return status;
}

/* Prints how the medians grow with the sizes. Returns the exit status. */
static int run_growth(void)
{
	struct group_by also = plan.by;
	struct grouped_input in;
	struct buf gaps = { 0 };
	struct fault f;
	size_t repeated;
	bool *hidden;

	also.also = &o->growth;
	also.alsos = 1;
	grouped_input_read(&in, &also, COLLECT_IDENTITY | COLLECT_COMPACT);
	repeated = drop_repeated(&in);
	hidden = hidden_groups(in.groups, in.collect);
	const struct growth_opts shown = { .column = o->growth,
		.confidence = o->inference.confidence,
		.hidden = hidden,
		.out = &opt_common.output };
	if (growth_print(in.groups, in.collect, &shown, &gaps, &f) < 0) {
		if (*f.text)
			message_fail(STATUS_TROUBLE, "%s", f.text);
		exit(stdout_failed());
	}
	if (opt_common.quiet)
		buf_free(&gaps);
	warn_of(&gaps);
	say_unseen(in.groups, in.collect, repeated, hidden);
	grouped_input_free(&in);
	free(hidden);
	return STATUS_FINE;
}

int main(int argc, char **argv)
{
	standard_files_open();

	int status;

	foreign_input_arguments(argc, argv);
	o = bench_stat_opts_read(argc, argv, &plan);
	status = o->budget ? run_budget() : o->growth ? run_growth() : run_summary();
	bench_stat_opts_free(&plan);
	return stdout_close(status);
}
