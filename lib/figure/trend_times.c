/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Examines the times of a history; see trend_times.h. */
#include <stdlib.h>

#include "figure/trend_times.h"

static const double year_ns = 365.25 * 86400e9, gap_years = 2, squeezed = 0.05;

static int by_time(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Sets the years of the longest gap if it leaves little of the axis. */
static void find_gap(struct trend_times *t, int64_t *time, size_t count)
{
	double gap = 0, range;
	size_t before = 0;

	if (count < 3)
		return;
	qsort(time, count, sizeof(*time), by_time);
	range = (double)time[count - 1] - (double)time[0];
	for (size_t i = 1; i < count; i++) {
		double step = (double)time[i] - (double)time[i - 1];

		if (step > gap) {
			gap = step;
			before = i;
		}
	}
	if (gap <= gap_years * year_ns || range - gap >= squeezed * range)
		return;
	t->squeezed_years = gap / year_ns;
	t->few_early = 2 * before < count;
}

struct trend_times trend_times(
    const struct history *h, const struct history_series *const *series, size_t count)
{
	struct trend_times t = { .all = true };
	int64_t *time;
	size_t points = 0, n = 0;

	for (size_t s = 0; s < count; s++)
		points += series[s]->count;
	time = mem_zero(points + 1, sizeof(*time));
	for (size_t s = 0; s < count; s++) {
		const struct history_point *p = history_points(h) + series[s]->first;

		for (size_t i = 0; i < series[s]->count; i++) {
			t.all = t.all && p[i].has_time;
			t.shared = t.shared ||
			           (i && p[i].has_time && p[i].time_ns == p[i - 1].time_ns);
			time[n++] = p[i].time_ns;
		}
	}
	if (t.all)
		find_gap(&t, time, n);
	free(time);
	return t;
}
