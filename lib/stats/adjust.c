/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Corrections of p by name; see adjust.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/adjust.h"
#include "stats/infer.h"

const char *const adjust_names[] = {
	[ADJUST_HOLM] = "holm",
	[ADJUST_BH] = "bh",
	[ADJUST_NONE] = "none",
};
const size_t adjust_names_count = COUNT(adjust_names);

static int descending(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return (x < y) - (x > y);
}

/* Corrects by BH, from the largest p to the smallest: p times tests / rank, and at most the
 * previous result. */
static void step_up(double *p, size_t count)
{
	double **order = mem_zero(count + 1, sizeof(double *)), least = 1;
	size_t tests = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(p[i]))
			order[tests++] = &p[i];
	qsort(order, tests, sizeof(double *), descending);
	for (size_t i = 0; i < tests; i++) {
		least = fmin(least, (double)tests / (double)(tests - i) * *order[i]);
		*order[i] = least;
	}
	free(order);
}

void adjust_p(enum adjust adjust, double *p, size_t count)
{
	if (adjust == ADJUST_HOLM)
		infer_holm(p, count);
	else if (adjust == ADJUST_BH)
		step_up(p, count);
}
