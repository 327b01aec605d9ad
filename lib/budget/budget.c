/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the table of limits; see budget.h.
 */
#include <fnmatch.h>
#include <stdlib.h>

#include "budget/budget.h"
#include "io/user_table.h"
#include "summary/summary.h"
#include "text/near_name.h"

enum { BENCH, METRIC, STATISTIC, LEAST, MOST, COLUMNS, REQUIRED = METRIC + 1 };
static const char *const columns[COLUMNS] = {
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

static char *text_or_null(struct text t)
{
	return t.len ? mem_text(t.ptr, t.len) : NULL;
}

/* Adds the current row. Returns 0, or -1 and the message. */
static int take_row(struct budgets *b, const struct user_table *t, struct fault *f)
{
	struct text bench = user_table_field(t, BENCH),
	            metric = user_table_field(t, METRIC),
	            name = user_table_field(t, STATISTIC), min = user_table_field(t, LEAST),
	            max = user_table_field(t, MOST);
	const struct statistic *statistic =
	    statistic_find(name.len ? name : text_of("median"));

	if (!metric.len)
		return csv_table_fault(&t->csv, f, "the metric is missing");
	if (!statistic) {
		struct known_names none = { 0 };
		struct fault why;

		summary_unknown_statistic(&why, "unknown statistic", name, &none, false);
		return csv_table_fault(&t->csv, f, "%s", why.text);
	}
	if (!min.len && !max.len)
		return csv_table_fault(&t->csv, f, "neither min nor max has a limit");
	*VEC_ADD(b->item, b->count, b->cap) = (struct budget){
		.line = csv_table_line(&t->csv),
		.bench = mem_text(bench.ptr, bench.len),
		.metric = mem_text(metric.ptr, metric.len),
		.statistic = statistic,
		.min = text_or_null(min),
		.max = text_or_null(max),
	};
	return 0;
}

/* Adds all rows. Returns 0, or -1 and the message. */
static int take_table(struct budgets *b, struct user_table *t, struct fault *f)
{
	int status;

	if (!user_table_has(t, LEAST) && !user_table_has(t, MOST))
		return csv_table_fault(
		    &t->csv, f, "the columns 'min' and 'max' are missing");
	while ((status = user_table_next(t, f)) > 0)
		if (take_row(b, t, f) < 0)
			return -1;
	if (status == 0 && !b->count)
		return fault_set(f, "%s: the table has no budget", b->name);
	return status;
}

struct budgets *budgets_read(const char *file, struct fault *f)
{
	struct budgets *b = mem_zero(1, sizeof(*b));
	struct user_table t = { 0 };
	int status = user_table_open(&t, file, columns, COLUMNS, REQUIRED, f);

	b->name = file;
	if (status == 0)
		status = take_table(b, &t, f);
	user_table_free(&t);
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

/* Returns whether a string matches a pattern. Neither contains a NUL, since both come from
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
