/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits of statistics, from a table that the user writes:
 *
 *	bench,metric,statistic,min,max
 *	sort*,wall,p95,,5ms
 *	,max_rss,,,20MiB
 */
#ifndef BUDGET_BUDGET_H
#define BUDGET_BUDGET_H

#include "stats/stats.h"

/* A line of the table. */
struct budget {
	uint64_t line;        /* in the file */
	char *bench, *metric; /* shell patterns; an empty bench: all */
	const struct statistic *statistic;
	char *min, *max; /* as the user wrote them; NULL: none */
};

struct budgets;
/*
 * Reads the table. The header must have the columns bench and metric, and min or max, in
 * any order, and may have statistic, which is the median if the field is empty. A line may
 * end early; it must have a metric, and min or max. A table without lines is an error.
 * Returns NULL with a message that has the name of the file, which must outlive the result,
 * and the line.
 */
struct budgets *budgets_read(const char *file, struct fault *f);
/* Returns the lines in the order of the file. */
const struct budget *budgets_list(const struct budgets *b, size_t *count);
/* Returns the name of the file. */
const char *budgets_file(const struct budgets *b);
/* Returns whether the patterns of a line match. */
bool budget_matches_bench(const struct budget *b, struct text bench);
bool budget_matches_metric(const struct budget *b, struct text metric);
void budgets_free(struct budgets *b);

#endif
