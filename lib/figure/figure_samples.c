/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects samples of one metric by subject for a figure; see samples_priv.h. A line along
 * a factor with very many values would need a group for each of them. In this case, the
 * groups are made without the factor, and the values become points.
 */
#include <stdlib.h>
#include <string.h>

#include "compare/duplicates.h"
#include "figure/figure_samples.h"
#include "figure/samples_priv.h"
#include "text/units.h"

enum { GROUPS_MAX = 10000 };

/* The samples of a figure. */
struct samples {
	const struct figure_kind *kind;
	const struct figure_opts *opts;
	char *names; /* text of the columns of the options; `also` points into it */
	const char **also;
	struct groups *groups;
	struct collect *collect;
	struct groups
	    *subjects; /* of all rows, without the metric; NULL: no row is excluded */
	struct points *points; /* used instead if x has too many values for groups */
	const char *except[1]; /* x, which then does not distinguish groups */
	size_t x;
	char *metric; /* metric of the points */
};

/* Returns the number of columns that -x and -g name, and sets *names to them, followed by
 * NULL. They distinguish rows of any kind.
 */
static size_t columns_asked(
    const struct figure_opts *opts, char **text, const char ***names)
{
	size_t count = 0, cap = 0;
	char *rest;

	*text = str_format("%s,%s", opts->x ? opts->x : "", opts->group ? opts->group : "");
	rest = *text;
	for (char *name; (name = strsep(&rest, ","));)
		if (*name)
			*VEC_ADD(*names, count, cap) = name;
	*VEC_ADD(*names, count, cap) = NULL;
	return count - 1;
}

static void *samples_open(const struct figure_kind *kind, const struct schema *schema,
    const struct figure_opts *opts)
{
	static const char *const metric[] = { "metric", "unit" };
	struct samples *s = mem_zero(1, sizeof(*s));
	struct group_by by = { .provenance = true };

	s->kind = kind;
	s->opts = opts;
	by.alsos = columns_asked(opts, &s->names, &s->also);
	by.also = s->also;
	s->groups = groups_open(schema, &by);
	s->collect = collect_open(
	    s->groups, COLLECT_IDENTITY | (kind->quantiles ? 0 : COLLECT_COMPACT));
	if (opts->filter) {
		by.except = metric;
		by.excepts = COUNT(metric);
		s->subjects = groups_open(schema, &by);
	}
	return s;
}

/* Chooses the column of x from the groups so far. Returns 0, or -1 and the message. */
static int choose_x(struct samples *s, struct fault *f)
{
	struct facet facet = { 0 };
	struct facet_opts opts = { .only_metric = s->opts->filter,
		.x = s->opts->x,
		.group = s->opts->group,
		.prefer_metric = s->kind->metric,
		.prefer_x = s->kind->x,
		.numeric_x = true };
	int status = facet_choose(&facet, s->groups, &opts, f);

	if (status == 0) {
		struct text metric = facet_cell(&facet, 0, COL_METRIC);

		s->x = facet.x.id[0];
		s->metric = mem_text(metric.ptr, metric.len);
	}
	facet_free(&facet);
	return status;
}

static int x_of(const struct samples *s, struct text t, double *x, struct fault *f)
{
	if (number_parse(t, x))
		return 0;
	return fault_set(f,
	    "-x %s: '%.*s' is not a number, and a line needs a number in every row",
	    groups_schema(s->groups)->name[s->x], t.len > 40 ? 40 : (int)t.len, t.ptr);
}

/* Replaces groups for each x by points. Returns 0, or -1 and the message. */
static int to_points(struct samples *s, struct fault *f)
{
	const struct schema *schema = groups_schema(s->groups);
	struct group_by by = { .provenance = true, .also = s->also, .excepts = 1 };
	struct groups *old = s->groups;
	struct text *cell;
	int status = 0;

	if (choose_x(s, f) < 0)
		return -1;
	s->except[0] = schema->name[s->x];
	by.except = s->except;
	for (by.alsos = 0; s->also && s->also[by.alsos]; by.alsos++)
		;
	s->groups = groups_open(schema, &by);
	s->points = points_open();
	collect_finish(s->collect);
	cell = mem_zero(schema->count, sizeof(*cell));
	for (size_t g = 0; g < groups_count(old) && status == 0; g++) {
		struct row row = { .schema = schema, .cell = cell };
		const struct collected *c = collect_group(s->collect, g);
		double x = 0;

		groups_cells(old, g, cell);
		if (!text_is(cell[COL_METRIC], s->metric))
			continue;
		if (c->count || c->missing->limits)
			status = x_of(s, cell[s->x], &x, f);
		size_t into = groups_find(s->groups, &row);
		for (size_t i = 0; i < c->count && status == 0; i++)
			points_add(s->points, into, x, c->value[i]);
		for (size_t i = 0; i < c->missing->limits; i++)
			points_add_limit(s->points, into, x, c->missing->limit[i]);
		for (size_t i = c->missing->limits; i < c->missing->failed; i++)
			points_failed(s->points, into);
		if (c->missing->failed && number_parse(cell[s->x], &x))
			points_add_gap(s->points, into, x);
	}
	free(cell);
	collect_close(s->collect);
	groups_close(old);
	s->collect = NULL;
	return status;
}

/* Returns whether a row that failed has the limit of a sample that timed out; as in
 * collect.h. */
static bool is_limit(const struct row *row)
{
	return row->t == ROW_NONE && row->has_value && row->value >= 0 &&
	       text_is(row->cell[COL_STATUS], "timeout") &&
	       metric_has_limits(row->cell[COL_METRIC]);
}

/* Adds the value of a row as a point. A point of a time series also counts as a value,
 * because means are known only at the end. */
static int add_point(struct samples *s, const struct row *row, struct fault *f)
{
	double x;

	if ((row->sample < 0 && row->sample != ROW_NONE) ||
	    !text_is(row->cell[COL_METRIC], s->metric))
		return 0;
	if (!row->ok && !is_limit(row)) {
		points_failed(s->points, groups_find(s->groups, row));
		if (number_parse(row->cell[s->x], &x))
			points_add_gap(s->points, groups_find(s->groups, row), x);
		return 0;
	}
	if (x_of(s, row->cell[s->x], &x, f) < 0)
		return -1;
	if (!row->ok)
		points_add_limit(s->points, groups_find(s->groups, row), x, row->value);
	else if (row->has_value)
		points_add(s->points, groups_find(s->groups, row), x, row->value);
	return 0;
}

static void samples_excluded(void *ctx, const struct row *row)
{
	struct samples *s = ctx;

	if (groups_count(s->subjects) < GROUPS_MAX)
		groups_find(s->subjects, row);
}

static int samples_row(void *ctx, const struct row *row, struct fault *f)
{
	struct samples *s = ctx;
	struct row part;

	if (s->subjects)
		samples_excluded(s, row);
	if (s->points)
		return add_point(s, row, f);
	part = row->aa ? row_part_twins(row) : *row;
	collect_row(s->collect, &part);
	if (!s->kind->lanes && !s->kind->all_series && groups_count(s->groups) > GROUPS_MAX)
		return to_points(s, f);
	return 0;
}

/* Ends the collection. Returns the number of duplicate rows that each group had, allocated.
 * Points have no identity, so duplicates among them remain. */
static size_t *end_collection(struct samples *s)
{
	size_t count = groups_count(s->groups), *repeated;

	if (!s->collect)
		return NULL;
	collect_finish(s->collect);
	repeated = mem_zero(count + 1, sizeof(*repeated));
	for (size_t i = 0; i < count; i++)
		repeated[i] = duplicates_drop(s->collect, i);
	return repeated;
}

static struct figure *samples_make(void *ctx, struct fault *f)
{
	struct samples *s = ctx;
	size_t *repeated = end_collection(s);
	struct figure *fig;

	struct samples_input input = { .groups = s->groups,
		.subjects = s->subjects ? s->subjects : s->groups,
		.collect = s->collect,
		.repeated = repeated,
		.points = s->points,
		.x = s->x };

	fig = samples_figure(s->kind, s->opts, &input, f);
	free(repeated);
	return fig;
}

static void samples_close(void *ctx)
{
	struct samples *s = ctx;

	collect_close(s->collect);
	points_close(s->points);
	groups_close(s->groups);
	groups_close(s->subjects);
	free(s->names);
	free(s->metric);
	free(s->also);
	free(s);
}

const struct figure_source figure_samples = { .open = samples_open,
	.row = samples_row,
	.excluded = samples_excluded,
	.make = samples_make,
	.close = samples_close };
