/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the table of limits; see budget.h.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "budget/budget.h"
#include "io/csv_table.h"
#include "summary/summary.h"
#include "text/near_name.h"

enum field { BENCH, METRIC, STATISTIC, LEAST, MOST, FIELDS };
static const char *const field_names[FIELDS] = {
	[BENCH] = "bench",
	[METRIC] = "metric",
	[STATISTIC] = "statistic",
	[LEAST] = "min",
	[MOST] = "max",
};

struct budgets {
	struct budget *item;
	size_t count, cap;
	const char *name;
};

/* Returns the field of this name, or FIELDS. */
static size_t budget_field(const char *name)
{
	size_t k = 0;

	while (k < FIELDS && strcmp(name, field_names[k]) != 0)
		k++;
	return k;
}

/* Fills the column of each field; SIZE_MAX: the table lacks it. */
static int read_header(const struct csv_table *g, size_t at[FIELDS], struct fault *f)
{
	for (size_t k = 0; k < FIELDS; k++)
		at[k] = SIZE_MAX;
	for (size_t i = 0; i < g->columns; i++) {
		size_t k = budget_field(csv_table_name(g, i));

		if (k == FIELDS)
			return csv_table_unknown(g, f, "unknown column",
			    text_of(csv_table_name(g, i)), field_names, FIELDS);
		if (at[k] != SIZE_MAX)
			return csv_table_fault(
			    g, f, "duplicate column '%s'", field_names[k]);
		at[k] = i;
	}
	for (size_t k = BENCH; k <= METRIC; k++)
		if (at[k] == SIZE_MAX)
			return csv_table_fault(
			    g, f, "the column '%s' is missing", field_names[k]);
	if (at[LEAST] == SIZE_MAX && at[MOST] == SIZE_MAX)
		return csv_table_fault(g, f, "the columns 'min' and 'max' are missing");
	return 0;
}

static char *text_or_null(struct text t)
{
	return t.len ? mem_text(t.ptr, t.len) : NULL;
}

static int take_row(
    struct budgets *b, const struct csv_table *g, const size_t at[FIELDS], struct fault *f)
{
	struct text bench = csv_table_field(g, at[BENCH]),
	            metric = csv_table_field(g, at[METRIC]),
	            name = csv_table_field(g, at[STATISTIC]),
	            min = csv_table_field(g, at[LEAST]), max = csv_table_field(g, at[MOST]);
	const struct statistic *statistic =
	    statistic_find(name.len ? name : text_of("median"));

	if (csv_table_fields(g) > g->columns)
		return csv_table_fault(g, f, "%zu fields, but the header has %zu columns",
		    csv_table_fields(g), g->columns);
	if (!metric.len)
		return csv_table_fault(g, f, "the metric is missing");
	if (!statistic) {
		struct known_names none = { 0 };
		struct fault why;

		summary_unknown_statistic(&why, "unknown statistic", name, &none, false);
		return csv_table_fault(g, f, "%s", why.text);
	}
	if (!min.len && !max.len)
		return csv_table_fault(g, f, "neither min nor max has a limit");
	*VEC_ADD(b->item, b->count, b->cap) = (struct budget){
		.line = csv_table_line(g),
		.bench = mem_text(bench.ptr, bench.len),
		.metric = mem_text(metric.ptr, metric.len),
		.statistic = statistic,
		.min = text_or_null(min),
		.max = text_or_null(max),
	};
	return 0;
}

static int budgets_parse(struct budgets *b, struct text csv, struct fault *f)
{
	struct csv_table g = { 0 };
	size_t at[FIELDS];
	int status = csv_table_open(&g, csv, b->name, f);

	if (status == 0)
		status = g.columns ? read_header(&g, at, f)
		                   : fault_set(f, "%s: the file is empty", b->name);
	while (status == 0 && (status = csv_table_next(&g, f)) > 0)
		status = take_row(b, &g, at, f);
	csv_table_free(&g);
	if (status == 0 && !b->count)
		status = fault_set(f, "%s: the table has no budget", b->name);
	return status;
}

struct budgets *budgets_read(const char *file, struct fault *f)
{
	struct budgets *b = mem_zero(1, sizeof(*b));
	struct buf text = { 0 };
	int status = file_read(file, &text, f);

	b->name = file;
	if (status == 0)
		status = budgets_parse(b, (struct text){ text.ptr, text.len }, f);
	buf_free(&text);
	if (status == 0)
		return b;
	budgets_free(b);
	return NULL;
}

const struct budget *budgets_list(const struct budgets *b, size_t *count)
{
	*count = b->count;
	return b->item;
}

const char *budgets_file(const struct budgets *b)
{
	return b->name;
}

/* Returns whether a text matches a pattern. Neither contains a NUL, since both come from
 * files. */
static bool pattern_fits(const char *pattern, struct text t)
{
	char *copy = mem_text(t.ptr, t.len);
	bool fits = fnmatch(pattern, copy, 0) == 0;

	free(copy);
	return fits;
}

bool budget_matches_bench(const struct budget *b, struct text bench)
{
	return !*b->bench || pattern_fits(b->bench, bench);
}

bool budget_matches_metric(const struct budget *b, struct text metric)
{
	return pattern_fits(b->metric, metric);
}

void budgets_free(struct budgets *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->count; i++) {
		free(b->item[i].bench);
		free(b->item[i].metric);
		free(b->item[i].min);
		free(b->item[i].max);
	}
	free(b->item);
	free(b);
}
