/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of margins; see thresholds.h. A tool may write a line for each benchmark, so
 * lines that name one are found by its name; only patterns are tried one after the other.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
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

/* Numbers of lines, in the order of the table. */
struct bench_lines {
	size_t *line;
	size_t count;
};

struct thresholds {
	struct threshold *item;
	size_t count, cap;
	const char *file;
	struct intern benches;  /* those that lines name without a pattern */
	struct bench_lines *of; /* by bench */
	size_t benches_cap;
	struct bench_lines patterns; /* all other lines */
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

/* Lists each line by its benchmark, or among the patterns. */
static void index_lines(struct thresholds *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct text only = threshold_only_bench(&t->item[i]);
		struct bench_lines *lines = &t->patterns;
		size_t known = t->benches.count, bench;

		if (only.len) {
			bench = intern_add(&t->benches, only);
			if (bench == known)
				*VEC_ADD(t->of, known, t->benches_cap) =
				    (struct bench_lines){ 0 };
			lines = &t->of[bench];
		}
		*VEC_ADD_MANY(lines->line, lines->count) = i;
	}
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
	if (status == 0) {
		index_lines(t);
		return t;
	}
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

/* Returns the first of these lines that matches, or NULL. */
static const struct threshold *first_match(const struct thresholds *t,
    const struct bench_lines *lines, const char *bench, const char *metric)
{
	for (size_t i = 0; i < lines->count; i++) {
		const struct threshold *item = &t->item[lines->line[i]];

		if (fits(item->bench, bench) && fits(item->metric, metric))
			return item;
	}
	return NULL;
}

const struct threshold *thresholds_find(
    const struct thresholds *t, struct text bench, struct text metric)
{
	const struct threshold *named = NULL, *pattern;
	long number;
	char *b, *m;

	if (!t)
		return NULL;
	b = mem_text(bench.ptr, bench.len);
	m = mem_text(metric.ptr, metric.len);
	number = intern_find(&t->benches, bench);
	if (number >= 0)
		named = first_match(t, &t->of[number], b, m);
	pattern = first_match(t, &t->patterns, b, m);
	free(b);
	free(m);
	/* Of both, the line that comes first counts. */
	return named && (!pattern || named < pattern) ? named : pattern;
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
	for (size_t i = 0; i < t->benches.count; i++)
		free(t->of[i].line);
	free(t->of);
	free(t->patterns.line);
	intern_free(&t->benches);
	free(t->item);
	free(t);
}
