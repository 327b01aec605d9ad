/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the table of margins; see thresholds.h.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/thresholds.h"
#include "io/user_table.h"
#include "text/units.h"

enum { BENCH, METRIC, THRESHOLD, BETTER, WARNING, COLUMNS, REQUIRED = THRESHOLD + 1 };
static const char *const columns[COLUMNS] = {
	[BENCH] = "bench",
	[METRIC] = "metric",
	[THRESHOLD] = "threshold",
	[BETTER] = "better",
	[WARNING] = "warning",
};

struct thresholds {
	struct threshold *item;
	size_t count, cap;
	const char *file;
};

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
static int read_margins(
    const struct user_table *table, double usual, struct threshold *out, struct fault *f)
{
	struct text better = user_table_field(table, BETTER);

	if (read_percent(user_table_field(table, THRESHOLD), &out->margin,
	        &out->is_doubtful, f) < 0 ||
	    read_percent(
	        user_table_field(table, WARNING), &out->warning, &out->is_doubtful, f) < 0)
		return -1;
	if (out->warning >= (isnan(out->margin) ? usual : out->margin))
		return fault_set(f, "the warning must be below the threshold");
	out->has_better = better.len > 0;
	if (out->has_better && !better_parse(better, &out->better))
		return fault_set(f, "better must be lower, higher or none");
	return 0;
}

/* Adds the current row. Returns 0, or -1 and the message. */
static int take_row(
    struct thresholds *t, const struct user_table *table, double usual, struct fault *f)
{
	struct threshold item = { .line = csv_table_line(&table->csv) };
	struct text bench = user_table_field(table, BENCH),
	            metric = user_table_field(table, METRIC);
	struct fault why;

	if (read_margins(table, usual, &item, &why) < 0)
		return csv_table_fault(&table->csv, f, "%s", why.text);
	item.bench = mem_text(bench.ptr, bench.len);
	item.metric = mem_text(metric.ptr, metric.len);
	*VEC_ADD(t->item, t->count, t->cap) = item;
	return 0;
}

struct thresholds *thresholds_read(const char *file, double usual, struct fault *f)
{
	struct thresholds *t = mem_zero(1, sizeof(*t));
	struct user_table table = { 0 };
	int status;

	t->file = file;
	status = user_table_open(&table, file, columns, COLUMNS, REQUIRED, f);

	while (status == 0 && (status = user_table_next(&table, f)) > 0)
		status = take_row(t, &table, usual, f);
	user_table_free(&table);
	if (status == 0)
		return t;
	thresholds_free(t);
	return NULL;
}

/* Returns whether a string matches a pattern. Neither contains a NUL, since both come from
 * files. */
static bool fits(const char *pattern, const char *text)
{
	return !*pattern || fnmatch(pattern, text, 0) == 0;
}

static bool fits_text(const char *pattern, struct text t)
{
	char *copy = mem_text(t.ptr, t.len);
	bool found = fits(pattern, copy);

	free(copy);
	return found;
}

bool threshold_fits_bench(const struct threshold *t, struct text bench)
{
	return fits_text(t->bench, bench);
}

struct text threshold_only_bench(const struct threshold *t)
{
	return t->bench[strcspn(t->bench, "*?[\\")] ? TEXT("") : text_of(t->bench);
}

bool threshold_fits_metric(const struct threshold *t, struct text metric)
{
	return fits_text(t->metric, metric);
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

const char *thresholds_file(const struct thresholds *t)
{
	return t->file;
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
