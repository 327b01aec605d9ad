/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-stat; see bench_stat.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_stat.h"
#include "record/stream_names.h"
#include "summary/summary.h"
#include "text/units.h"

static struct bench_stat_opts o = { .inference = INFERENCE_DEFAULTS };

static const struct opt opts[] = {
	OPT_HEADING("Grouping and input"),
	OPT('g', "group", &o.group, "COLUMNS",
	    "group by these columns, metric and unit (subject, machine and commit)"),
	STREAM_FILTER(o.rows),
	OPT(0, "metric", &o.rows.metrics, "GLOB",
	    "summarize only metrics whose names match (repeatable)"),
	STREAM_MELT(o.rows),
	OPT_HEADING("Statistics"),
	OPT('s', "statistics", &o.statistics, "LIST",
	    "print only these statistics, in this order"),
	OPT('C', "confidence", &o.inference.confidence, "PCT",
	    "confidence of intervals (95%)"),
	OPT(0, "sort", &o.sort, "[-]COLUMN",
	    "sort by COLUMN, descending with - (order of the input)"),
	OPT(0, "components", &o.components, NULL,
	    "print the variance between runs, processes and samples instead of statistics"),
	OPT(0, "growth", &o.growth, "COLUMN",
	    "print how medians grow with the numbers in COLUMN instead of statistics"),
	OPT_HEADING("Data quality"),
	OPT(0, "diagnose", &o.diagnose, NULL,
	    "print problems with the values, and advice, instead of statistics"),
	OPT(0, "strict", &o.strict, NULL, "exit with status 1 if there is any problem"),
	OPT_HEADING("Budgets"),
	OPT(0, "budget", &o.budget, "FILE",
	    "check the limits in FILE; exit with status 1 if one is broken"),
	OPT(0, "allow-missing", &o.allow_missing, NULL,
	    "with --budget: accept runs that are incomplete"),
	OPT(0, "junit", &o.junit, "FILE",
	    "with --budget: also write test results for a CI service"),
	OPT_END,
};

#define NO_STATISTICS ", which print no statistics"
static const struct opt_rule rules[] = {
	{ "-s", OPT_EXCLUDES, "--components --diagnose", NO_STATISTICS },
	{ "--sort", OPT_EXCLUDES, "--components --diagnose", NO_STATISTICS },
	{ "--components", OPT_EXCLUDES, "--diagnose --strict", NULL },
	{ "--growth", OPT_EXCLUDES, "-s --sort --components --diagnose --strict --budget",
	    NULL },
	{ "--budget", OPT_EXCLUDES, "-s --sort --components --diagnose --metric", NULL },
	{ "--junit", OPT_REQUIRES, "--budget", NULL },
	{ "--allow-missing", OPT_REQUIRES, "--budget", NULL },
	OPT_RULES_END,
};

static const char *const synopsis[] = {
	"[options] [file...]",
	"[options] --components [file...]",
	"[options] --growth COLUMN [file...]",
	"[options] --diagnose [file...]",
	"[options] --budget FILE [--allow-missing] [--junit FILE] [file...]",
	NULL,
};

static void stat_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	bool sorts = strcmp(option, "sort") == 0;

	if (sorts || strcmp(option, "group") == 0 || strcmp(option, "growth") == 0)
		stream_names_columns(k, file, files);
	if (sorts || strcmp(option, "statistics") == 0)
		chosen_statistic_names(k);
	stream_options_values(k, option, file, files);
}

const struct opt_program bench_stat = {
	.values = stat_values,
	.name = "bench-stat",
	.synopsis = synopsis,
	.summary = "Summarize the values of each subject and metric.",
	.opts = opts,
	.rules = rules,
	.verbose = "report all findings or budgets, not only the first",
	.flags = OPT_FORMATS | OPT_PAGER,
};

const struct bench_stat_opts *bench_stat_opts_read(
    int argc, char **argv, struct bench_stat_plan *plan)
{
	int first = opt_parse(&bench_stat, argc, argv);
	struct fault f;

	opt_common.output.all_keys = o.group;
	plan->file = argv + first;
	plan->files = (size_t)(argc - first);
	plan->by.provenance = true;
	if (o.group && units_list(o.group, &plan->group, &plan->by.count, &f) < 0)
		opt_usage_error(&bench_stat, "--group: %s", f.text);
	plan->by.names = (const char *const *)plan->group;
	stream_options_open(&o.rows, &bench_stat);
	if (o.statistics &&
	    summary_choose(o.statistics, &plan->statistic, &plan->statistics, &f) < 0)
		opt_usage_error(&bench_stat, "%s", f.text);
	return &o;
}

void bench_stat_opts_free(struct bench_stat_plan *plan)
{
	units_list_free(plan->group, plan->by.count);
	free(plan->statistic);
	stream_options_close(&o.rows);
}
