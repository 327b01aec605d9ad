/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-stat: summarizes the values of each group of rows.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "io/message.h"
#include "io/opt.h"
#include "record/bench_csv.h"
#include "record/collect.h"
#include "record/metric_filter.h"
#include "stats/inference.h"
#include "summary/components_table.h"
#include "summary/diagnosis.h"
#include "summary/summary.h"
#include "summary/summary_order.h"
#include "text/units.h"

static struct {
	const char *group, *statistics, *sort;
	struct inference_opts inference;
	struct opt_list melt, metrics;
	bool components, diagnose, strict;
} o = { .inference = INFERENCE_DEFAULTS };

static const struct opt opts[] = {
	OPT_HEADING("Grouping and input"),
	OPT('g', "group", &o.group, "COLUMNS",
	    "group by these columns, metric and unit (subject, machine and commit)"),
	OPT(0, "metric", &o.metrics, "GLOB",
	    "summarize only metrics whose names match (repeatable)"),
	OPT('m', "melt", &o.melt, "COLUMN[:UNIT]",
	    "read the values from COLUMN of another program's CSV (repeatable)"),
	OPT_HEADING("Statistics"),
	OPT('s', "statistics", &o.statistics, "LIST",
	    "print only these statistics, in this order"),
	OPT('C', "confidence", &o.inference.confidence, "PCT",
	    "confidence of the median's interval (95%)"),
	OPT(0, "sort", &o.sort, "[-]COLUMN",
	    "sort by COLUMN, descending with - (order of the input)"),
	OPT(0, "components", &o.components, NULL,
	    "print the variance between runs, processes and samples instead of statistics"),
	OPT_HEADING("Data quality"),
	OPT(0, "diagnose", &o.diagnose, NULL,
	    "print problems with the values, and advice, instead of statistics"),
	OPT(0, "strict", &o.strict, NULL, "exit with status 1 if there is any problem"),
	OPT_END,
};

static const char *const synopsis[] = { "[options] [file...]", NULL };
static const struct opt_program program = {
	.name = "bench-stat",
	.synopsis = synopsis,
	.summary = "Summarize the values of each subject and metric.",
	.opts = opts,
	.verbose = "report all findings, not only the first five",
	.flags = OPT_FORMATS,
};

/* Adds a row. The collection is made after the stream, whose schema it needs. */
static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	(void)f;
	return collect_row(*(struct collect **)ctx, row);
}

/* Splits "a,b,c" into an array of names; NULL has none. */
static char **names_of(const char *list, const char *option, size_t *count)
{
	char **names = NULL;
	struct fault f;

	*count = 0;
	if (list && units_list(list, &names, count, &f) < 0)
		opt_usage_error(&program, "%s: %s", option, f.text);
	return names;
}

static int read_all(struct bench_csv *stream, struct metric_filter *filter,
    const struct groups *groups, char **files, size_t count, struct fault *f)
{
	bench_csv_select(stream, filter);
	if (bench_csv_melt(stream, o.melt.item, o.melt.count, f) < 0 ||
	    bench_csv_read_all(stream, files, count, f) < 0 || groups_check(groups, f) < 0)
		return -1;
	if (!bench_csv_has_rows(stream))
		return fault_set(f, "no table of measurements in the input");
	return metric_filter_check(filter, f);
}

enum { HINTS = 5 };

/* Returns whether findings are reported on standard error, in addition to the output. */
static bool gives_hints(void)
{
	bool people = opt_common.format == RENDER_AUTO && isatty(STDOUT_FILENO);

	return !o.components && !o.diagnose && (o.strict || (people && !opt_common.quiet));
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
		message_warn(
		    "%zu more findings (use --diagnose to list all)", count - shown);
}

/* Prints the table. Returns 0, or -1 and errno if writing failed. */
static int print(const struct groups *groups, struct collect *collect,
    const struct summary_opts *shown, const struct diagnosis *diagnosis)
{
	if (o.components)
		return components_print(
		    groups, collect, stdout, opt_common.format, o.group);
	if (o.diagnose)
		return diagnosis_print(diagnosis, stdout, opt_common.format, o.group);
	return summary_print(groups, collect, shown, stdout, opt_common.format);
}

int main(int argc, char **argv)
{
	standard_files_open();

	static const struct bench_csv_sink sink = { .row = on_row };
	int first = opt_parse(&program, argc, argv);
	struct group_by by = { .provenance = true };
	struct summary_opts shown = { .inference = o.inference, .all_keys = o.group };
	struct diagnosis *diagnosis = NULL;
	struct metric_filter *filter;
	struct collect *collect;
	struct groups *groups;
	struct bench_csv *stream;
	struct fault f;
	char **names;
	size_t *order = NULL;
	bool checked, ordered;
	int status = STATUS_FINE;

	if (o.statistics &&
	    summary_choose(o.statistics, &shown.statistic, &shown.count, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
	if ((o.components || o.diagnose) && (o.statistics || o.sort))
		opt_usage_error(&program,
		    "%s does not work with --components or "
		    "--diagnose, which print no statistics",
		    o.statistics ? "-s" : "--sort");
	if (o.components && (o.diagnose || o.strict))
		opt_usage_error(
		    &program, "--components does not work with --diagnose or --strict");
	checked = o.diagnose || gives_hints();
	ordered = checked || o.components;
	names = names_of(o.group, "--group", &by.count);
	by.names = (const char *const *)names;
	filter = metric_filter_open(o.metrics.item, o.metrics.count, &f);
	if (!filter)
		opt_usage_error(&program, "%s", f.text);
	stream = bench_csv_open(&sink, &collect);
	groups = groups_open(bench_csv_schema(stream), &by);
	collect = collect_open(groups, ordered ? COLLECT_IDENTITY | COLLECT_TIME : 0);
	if (read_all(stream, filter, groups, argv + first, (size_t)(argc - first), &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	collect_finish(collect);
	if (checked)
		diagnosis = diagnosis_open(groups, collect, &o.inference);
	if (o.sort && !(order = summary_order(groups, collect, &shown, o.sort, &f)))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	shown.order = order;
	if (print(groups, collect, &shown, diagnosis) < 0)
		exit(stdout_failed());
	if (diagnosis && !o.diagnose && !opt_common.quiet)
		hint(diagnosis);
	if (o.strict && diagnosis_count(diagnosis))
		status = STATUS_NO;
	diagnosis_close(diagnosis);
	collect_close(collect);
	groups_close(groups);
	bench_csv_close(stream);
	metric_filter_close(filter);
	units_list_free(names, by.count);
	free(shown.statistic);
	free(order);
	free(o.metrics.item);
	free(o.melt.item);
	return stdout_close(status);
}
