/*
 * The user's margins; see thresholds.h.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "io/csv_reader.h"
#include "compare/thresholds.h"
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
	const char *name;    /* of the file, while it is read */
	long column[FIELDS]; /* where each field stands, or -1 */
	size_t columns;      /* 0 before the header */
	double usual;
	struct threshold *item;
	size_t count, cap;
};

static int read_header(struct thresholds *t, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	t->columns = count;
	for (size_t k = 0; k < FIELDS; k++)
		t->column[k] = -1;
	for (size_t i = 0; i < count; i++) {
		size_t k = 0;

		while (k < FIELDS && !text_is(field[i], field_names[k]))
			k++;
		if (k == FIELDS)
			return fault_set(f,
			    "%s:%d: there is no column '%.*s' (bench, metric, threshold, "
			    "better, "
			    "warning)",
			    t->name, (int)line, (int)field[i].len, field[i].ptr);
		if (t->column[k] >= 0)
			return fault_set(f, "%s:%d: the column '%s' is there twice",
			    t->name, (int)line, field_names[k]);
		t->column[k] = (long)i;
	}
	for (size_t k = 0; k < FIELDS; k++)
		if (is_needed[k] && t->column[k] < 0)
			return fault_set(f, "%s:%d: the column '%s' is missing", t->name,
			    (int)line, field_names[k]);
	return 0;
}

static struct text field_of(
    const struct thresholds *t, enum field k, const struct text *field, size_t count)
{
	long i = t->column[k];

	return i < 0 || (size_t)i >= count ? TEXT("") : field[i];
}

/* NAN when the text is empty. */
static int read_percent(struct text text, double *out, struct fault *f)
{
	char *s;
	int status;

	*out = NAN;
	if (!text.len)
		return 0;
	s = mem_text(text.ptr, text.len);
	status = units_percent(s, out, f);
	free(s);
	return status;
}

static int read_line(const struct thresholds *t, const struct text *cell, size_t count,
    struct threshold *out, struct fault *f)
{
	struct text better = field_of(t, BETTER, cell, count);

	if (count > t->columns)
		return fault_set(f, "%zu fields under %zu columns", count, t->columns);
	if (read_percent(field_of(t, THRESHOLD, cell, count), &out->margin, f) < 0 ||
	    read_percent(field_of(t, WARNING, cell, count), &out->warning, f) < 0)
		return -1;
	if (out->warning >= (isnan(out->margin) ? t->usual : out->margin))
		return fault_set(f, "the warning is not below the threshold");
	out->has_better = better.len > 0;
	if (out->has_better && !better_parse(better, &out->better))
		return fault_set(f, "better is lower, higher or none");
	return 0;
}

static int on_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct thresholds *t = ctx;
	struct threshold item = { .line = line };
	struct text bench, metric;
	struct fault why;

	if (!t->columns)
		return read_header(t, field, count, line, f);
	if (read_line(t, field, count, &item, &why) < 0)
		return fault_set(f, "%s:%d: %s", t->name, (int)line, why.text);
	bench = field_of(t, BENCH, field, count);
	metric = field_of(t, METRIC, field, count);
	item.bench = mem_text(bench.ptr, bench.len);
	item.metric = mem_text(metric.ptr, metric.len);
	*VEC_ADD(t->item, t->count, t->cap) = item;
	return 0;
}

struct thresholds *thresholds_parse(
    struct text csv, const char *name, double usual, struct fault *f)
{
	struct thresholds *t = mem_zero(1, sizeof(*t));
	struct sheet *sheet = sheet_open(on_record, t);
	int status;

	t->name = name;
	t->usual = usual;
	sheet_begin(sheet, name);
	status = sheet_feed(sheet, csv.ptr, csv.len, f);
	if (status == 0)
		status = sheet_end(sheet, f);
	sheet_close(sheet);
	if (status == 0 && !t->columns)
		status = fault_set(f, "%s: it is empty", name);
	if (status == 0)
		return t;
	thresholds_free(t);
	return NULL;
}

/* Patterns and texts that hold a NUL cannot come from a file. */
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
