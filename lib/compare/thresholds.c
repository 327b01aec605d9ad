/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the table of margins; see thresholds.h.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/thresholds.h"
#include "io/csv_table.h"
#include "text/units.h"

enum field { BENCH, METRIC, THRESHOLD, BETTER, WARNING, FIELDS };
static const char *const field_names[FIELDS] = {
	[BENCH] = "bench",
	[METRIC] = "metric",
	[THRESHOLD] = "threshold",
	[BETTER] = "better",
	[WARNING] = "warning",
};
static const bool is_needed[FIELDS] = {
	[BENCH] = true, [METRIC] = true, [THRESHOLD] = true
};

struct thresholds {
	struct threshold *item;
	size_t count, cap;
};

/* Fills the column of each field; SIZE_MAX: the table lacks it. */
static int read_header(const struct csv_table *g, size_t at[FIELDS], struct fault *f)
{
	for (size_t k = 0; k < FIELDS; k++)
		at[k] = SIZE_MAX;
	for (size_t i = 0; i < g->columns; i++) {
		size_t k = 0;

		while (k < FIELDS && strcmp(csv_table_name(g, i), field_names[k]) != 0)
			k++;
		if (k == FIELDS)
			return csv_table_unknown(g, f, "unknown column",
			    text_of(csv_table_name(g, i)), field_names, FIELDS);
		if (at[k] != SIZE_MAX)
			return csv_table_fault(
			    g, f, "duplicate column '%s'", field_names[k]);
		at[k] = i;
	}
	for (size_t k = 0; k < FIELDS; k++)
		if (is_needed[k] && at[k] == SIZE_MAX)
			return csv_table_fault(
			    g, f, "the column '%s' is missing", field_names[k]);
	return 0;
}

/* Reads a percentage as a fraction; NAN if the text is empty. Sets *is_doubtful if it may
 * be meant as a fraction. */
static int read_percent(struct text text, double *out, bool *is_doubtful, struct fault *f)
{
	char *s;
	int status;

	*out = NAN;
	if (!text.len)
		return 0;
	s = mem_text(text.ptr, text.len);
	status = units_percent(s, out, f);
	*is_doubtful = *is_doubtful || units_percent_is_doubtful(s);
	free(s);
	return status;
}

/* Reads the margins and direction of a row. usual: its threshold if it has none. */
static int read_margins(const struct csv_table *g, const size_t at[FIELDS], double usual,
    struct threshold *out, struct fault *f)
{
	struct text better = csv_table_field(g, at[BETTER]);

	if (csv_table_fields(g) > g->columns)
		return fault_set(f, "%zu fields, but the header has %zu columns",
		    csv_table_fields(g), g->columns);
	if (read_percent(csv_table_field(g, at[THRESHOLD]), &out->margin, &out->is_doubtful,
	        f) < 0 ||
	    read_percent(
	        csv_table_field(g, at[WARNING]), &out->warning, &out->is_doubtful, f) < 0)
		return -1;
	if (out->warning >= (isnan(out->margin) ? usual : out->margin))
		return fault_set(f, "the warning must be below the threshold");
	out->has_better = better.len > 0;
	if (out->has_better && !better_parse(better, &out->better))
		return fault_set(f, "better must be lower, higher or none");
	return 0;
}

static int take_row(struct thresholds *t, const struct csv_table *g,
    const size_t at[FIELDS], double usual, struct fault *f)
{
	struct threshold item = { .line = csv_table_line(g) };
	struct text bench = csv_table_field(g, at[BENCH]),
	            metric = csv_table_field(g, at[METRIC]);
	struct fault why;

	if (read_margins(g, at, usual, &item, &why) < 0)
		return csv_table_fault(g, f, "%s", why.text);
	item.bench = mem_text(bench.ptr, bench.len);
	item.metric = mem_text(metric.ptr, metric.len);
	*VEC_ADD(t->item, t->count, t->cap) = item;
	return 0;
}

static struct thresholds *thresholds_parse(
    struct text csv, const char *name, double usual, struct fault *f)
{
	struct thresholds *t = mem_zero(1, sizeof(*t));
	struct csv_table g = { 0 };
	size_t at[FIELDS];
	int status = csv_table_open(&g, csv, name, f);

	if (status == 0)
		status = g.columns ? read_header(&g, at, f)
		                   : fault_set(f, "%s: the file is empty", name);
	while (status == 0 && (status = csv_table_next(&g, f)) > 0)
		status = take_row(t, &g, at, usual, f);
	csv_table_free(&g);
	if (status == 0)
		return t;
	thresholds_free(t);
	return NULL;
}

struct thresholds *thresholds_read(const char *file, double usual, struct fault *f)
{
	struct buf text = { 0 };
	struct thresholds *t = NULL;

	if (file_read(file, &text, f) == 0)
		t = thresholds_parse((struct text){ text.ptr, text.len }, file, usual, f);
	buf_free(&text);
	return t;
}

/* Returns whether a text matches a pattern. Neither contains a NUL, since both come from
 * files. */
static bool fits(const char *pattern, const char *text)
{
	return !*pattern || fnmatch(pattern, text, 0) == 0;
}

const struct threshold *thresholds_find(
    const struct thresholds *t, struct text bench, struct text metric)
{
	const struct threshold *found = NULL;
	char *b, *m;

	if (!t)
		return NULL;
	b = mem_text(bench.ptr, bench.len);
	m = mem_text(metric.ptr, metric.len);
	for (size_t i = 0; i < t->count && !found; i++)
		if (fits(t->item[i].bench, b) && fits(t->item[i].metric, m))
			found = &t->item[i];
	free(b);
	free(m);
	return found;
}

bool threshold_demands(const struct threshold *t)
{
	return t && *t->metric && !(t->has_better && t->better == BETTER_NEITHER);
}

const struct threshold *thresholds_list(const struct thresholds *t, size_t *count)
{
	*count = t->count;
	return t->item;
}

void thresholds_free(struct thresholds *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++) {
		free(t->item[i].bench);
		free(t->item[i].metric);
	}
	free(t->item);
	free(t);
}
