/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks samples; see budget_check.h. A failed sample may lack rows of some metrics, so the
 * failures of a subject are those of its metrics wall and ok, which every sample has.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "budget/budget_check.h"
#include "compare/duplicates.h"
#include "record/collect.h"
#include "stats/censored.h"
#include "stats/confidence.h"
#include "text/unit_value.h"

/* A group of rows, without its values. */
struct budget_group {
	size_t subject;
	double limit; /* the least limit of a timeout */
	bool is_ok;   /* the metric ok */
};

struct budget_check {
	const struct budgets *budgets;
	double confidence;
	struct groups *groups, *subjects;
	struct collect *collect;
	struct budget_group *group;
	size_t count, cap;
	size_t *failed; /* samples of each subject */
	struct budget_result *result;
	size_t results, result_cap;
	struct budget_gap *gap;
	size_t gaps, gap_cap;
	bool ignores;
	size_t ignored_column;
	char *ignored;
	const struct run_ends *ends; /* or NULL */
	bool one_subject; /* each group has the rows of one subject */
	size_t repeated;  /* duplicate rows */
	const struct metrics *metrics;
};

struct budget_check *budget_check_open(const struct budgets *b, const struct schema *schema,
    const struct group_by *by, double confidence)
{
	static const char *const quantity[] = { "metric", "unit" };
	struct budget_check *c = mem_zero(1, sizeof(*c));
	struct group_by subject = *by;

	subject.except = quantity;
	subject.excepts = COUNT(quantity);
	c->budgets = b;
	c->confidence = confidence;
	c->groups = groups_open(schema, by);
	c->subjects = groups_open(schema, &subject);
	c->collect = collect_open(c->groups, COLLECT_IDENTITY);
	c->one_subject = !by->names;
	return c;
}

int budget_check_row(struct budget_check *c, const struct row *row)
{
	size_t g = groups_find(c->groups, row);
	struct budget_group *of;
	struct row part;

	if (g == c->count)
		*VEC_ADD(c->group, c->count, c->cap) = (struct budget_group){
			.subject = groups_find(c->subjects, row),
			.limit = INFINITY,
			.is_ok = text_is(row->cell[COL_METRIC], "ok"),
		};
	of = &c->group[g];
	if (!row->ok && row->has_value && (row->sample >= 0 || row->sample == ROW_NONE) &&
	    text_is(row->cell[COL_STATUS], "timeout") &&
	    metric_has_limits(row->cell[COL_METRIC]))
		of->limit = fmin(of->limit, row->value);
	if (!row->aa)
		return collect_into(c->collect, g, row);
	part = row_part_twins(row);
	return collect_into(c->collect, g, &part);
}

void budget_check_ignore(struct budget_check *c, size_t column, struct text value)
{
	c->ignores = true;
	c->ignored_column = column;
	c->ignored = mem_text(value.ptr, value.len);
}

void budget_check_set_ends(struct budget_check *c, const struct run_ends *ends)
{
	c->ends = ends;
}

const struct run_ends *budget_check_ends(const struct budget_check *c)
{
	return c->ends;
}

/* Returns whether a budget applies to the benchmark of a group or subject. */
static bool applies(const struct budget_check *c, const struct budget *b,
    const struct groups *groups, size_t group)
{
	if (c->ignores &&
	    text_is(groups_cell(groups, group, c->ignored_column), c->ignored))
		return false;
	return budget_matches_bench(b, groups_cell(groups, group, COL_BENCH));
}

/* Counts the failed samples of each subject. */
static void count_failed(struct budget_check *c)
{
	c->failed = mem_zero(groups_count(c->subjects) + 1, sizeof(*c->failed));
	for (size_t g = 0; g < c->count; g++) {
		const struct collected *values = collect_group(c->collect, g);
		size_t failed = 0, *of = &c->failed[c->group[g].subject];

		if (text_is(groups_cell(c->groups, g, COL_METRIC), "wall"))
			failed = values->missing->failed;
		for (size_t i = 0; c->group[g].is_ok && i < values->count; i++)
			failed += values->value[i] == 0;
		*of = failed > *of ? failed : *of;
	}
}

/* Fills in the values of a group, sorted, and their summary. */
static struct budget_values values_of(
    struct budget_check *c, size_t group, struct summary *summary)
{
	struct collected *collected = collect_group(c->collect, group);
	const struct budget_group *g = &c->group[group];
	struct budget_values v = { .sorted = collected->value,
		.n = collected->count,
		.missing = collected->missing->failed,
		.limit = g->limit,
		.is_proportion = g->is_ok };
	struct summary above;

	censored_summarize(collected->value, v.n, collected->missing->limit,
	    collected->missing->limits, c->confidence, summary, &above);
	for (size_t i = 0; v.is_proportion && i < v.n; i++)
		v.is_proportion = v.sorted[i] == 0 || v.sorted[i] == 1;
	if (!g->is_ok && c->failed[g->subject] > v.missing)
		v.missing = c->failed[g->subject];
	if (isfinite(g->limit))
		v.above = collected->missing->censored;
	summary->failed = (double)v.missing;
	return v;
}

static int limit_of(
    const char *text, const char *unit, double none, double *out, struct fault *f)
{
	*out = none;
	return text ? unit_value_parse(text, unit, out, f) : 0;
}

/* Fills in the limits of a result, in the unit of its statistic. */
static int read_limits(
    const struct budget_check *c, struct budget_result *r, struct fault *f)
{
	const struct budget *b = r->budget;
	struct text unit = groups_cell(c->groups, r->group, COL_UNIT);
	char *name = b->statistic->kind == STATISTIC_COUNT ? str_copy("")
	                                                   : mem_text(unit.ptr, unit.len);
	int status = 0;

	if (limit_of(b->min, name, -INFINITY, &r->min, f) < 0 ||
	    limit_of(b->max, name, INFINITY, &r->max, f) < 0)
		status = fault_prefix(
		    f, "%s:%" PRIu64, budgets_file(c->budgets), b->line);
	else if (r->min > r->max)
		status = fault_set(f, "%s:%" PRIu64 ": min is greater than max",
		    budgets_file(c->budgets), b->line);
	free(name);
	return status;
}

/* Returns how many values a result needs for the ends that its limits need, or 0. */
static double values_needed(
    const struct budget_check *c, const struct budget_result *r, size_t all)
{
	const struct statistic *s = r->budget->statistic;
	double least = 0;

	if (s->kind == STATISTIC_QUANTILE && s->prob > 0 && s->prob < 1) {
		if (isfinite(r->max))
			least = confidence_quantile_values(s->prob, c->confidence, true);
		if (isfinite(r->min))
			least = fmax(least,
			    confidence_quantile_values(s->prob, c->confidence, false));
	} else if (strcmp(s->name, "mean") == 0 || strcmp(s->name, "sd") == 0) {
		least = 2;
	}
	return least > (double)all ? least : 0;
}

/* Returns the lowest value of a group if it cannot have been measured, or NAN. */
static double impossible_value(
    const struct budget_check *c, const struct budget_result *r, const double *sorted)
{
	return r->n && sorted[0] <= 0 && r->budget->statistic->kind != STATISTIC_COUNT &&
	               metrics_positive(
	                   c->metrics, groups_cell(c->groups, r->group, COL_METRIC))
	           ? sorted[0]
		   : (double)NAN;
}

static int judge_group(
    struct budget_check *c, const struct budget *budget, size_t group, struct fault *f)
{
	struct budget_result r = { .budget = budget, .group = group };
	struct summary summary;
	struct budget_values v = values_of(c, group, &summary);

	if (read_limits(c, &r, f) < 0)
		return -1;
	r.n = v.n;
	r.failed = v.missing;
	r.value = statistic_get(budget->statistic, &summary);
	r.range = budget_range_of(budget->statistic, r.value, &v, c->confidence);
	r.verdict = budget_judge(&r.range, r.min, r.max, &r.hopeless);
	r.impossible = impossible_value(c, &r, v.sorted);
	if (!isnan(r.impossible)) {
		r.verdict = BUDGET_UNDECIDED;
		r.hopeless = true;
	}
	r.values_least = r.hopeless && !v.missing ? values_needed(c, &r, v.n) : 0;
	*VEC_ADD(c->result, c->results, c->result_cap) = r;
	return 0;
}

/* Adds subjects whose samples failed and that have no group that a budget matches. judged:
 * whether each subject has such a group. any: whether one has. */
static void find_gaps(
    struct budget_check *c, const struct budget *b, const bool *judged, bool any)
{
	for (size_t s = 0; s < groups_count(c->subjects); s++) {
		if (judged[s] || !c->failed[s] || !applies(c, b, c->subjects, s))
			continue;
		*VEC_ADD(c->gap, c->gaps, c->gap_cap) = (struct budget_gap){ b, true, s };
		any = true;
	}
	if (!any)
		*VEC_ADD(c->gap, c->gaps, c->gap_cap) = (struct budget_gap){ b, false, 0 };
}

static int judge_budget(struct budget_check *c, const struct budget *b, struct fault *f)
{
	bool *judged = mem_zero(groups_count(c->subjects) + 1, sizeof(*judged));
	bool any = false;
	int status = 0;

	for (size_t g = 0; g < c->count && status == 0; g++) {
		if (!applies(c, b, c->groups, g) ||
		    !budget_matches_metric(b, groups_cell(c->groups, g, COL_METRIC)))
			continue;
		judged[c->group[g].subject] = any = true;
		status = judge_group(c, b, g, f);
	}
	if (status == 0)
		find_gaps(c, b, judged, any);
	free(judged);
	return status;
}

int budget_check_finish(
    struct budget_check *c, const struct metrics *metrics, struct fault *f)
{
	size_t count;
	const struct budget *list = budgets_list(c->budgets, &count);
	int status = groups_check(c->groups, f);

	c->metrics = metrics;
	collect_finish(c->collect);
	for (size_t g = 0; c->one_subject && g < c->count; g++)
		c->repeated += duplicates_drop(c->collect, g);
	count_failed(c);
	for (size_t i = 0; i < count && status == 0; i++)
		status = judge_budget(c, &list[i], f);
	return status;
}

size_t budget_check_repeated(const struct budget_check *c)
{
	return c->repeated;
}

const struct budgets *budget_check_budgets(const struct budget_check *c)
{
	return c->budgets;
}

const struct groups *budget_check_groups(const struct budget_check *c)
{
	return c->groups;
}

const struct groups *budget_check_subjects(const struct budget_check *c)
{
	return c->subjects;
}

const struct budget_result *budget_check_results(
    const struct budget_check *c, size_t *count)
{
	*count = c->results;
	return c->result;
}

size_t budget_check_count(const struct budget_check *c, enum budget_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < c->results; i++)
		count += c->result[i].verdict == verdict;
	return count;
}

const struct budget_gap *budget_check_gaps(const struct budget_check *c, size_t *count)
{
	*count = c->gaps;
	return c->gap;
}

int budget_check_status(const struct budget_check *c, bool strict)
{
	bool hopeless = c->gaps || (c->ends && run_ends_count_cut(c->ends, strict));

	for (size_t i = 0; i < c->results; i++) {
		if (c->result[i].verdict == BUDGET_BROKEN ||
		    (strict && c->result[i].verdict == BUDGET_UNDECIDED))
			return STATUS_NO;
		hopeless = hopeless || c->result[i].hopeless;
	}
	return hopeless ? STATUS_TROUBLE : STATUS_FINE;
}

void budget_check_close(struct budget_check *c)
{
	if (!c)
		return;
	collect_close(c->collect);
	groups_close(c->groups);
	groups_close(c->subjects);
	free(c->group);
	free(c->failed);
	free(c->result);
	free(c->gap);
	free(c->ignored);
	free(c);
}
