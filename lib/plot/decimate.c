/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decimation; see decimate.h.
 */
#include <math.h>

#include "plot/decimate.h"

/* The indices of the four points of a column. */
struct kept_column {
	size_t first, last, least, most;
};

static void sort4(size_t *at)
{
	for (size_t i = 1; i < 4; i++)
		for (size_t k = i; k > 0 && at[k] < at[k - 1]; k--) {
			size_t other = at[k];

			at[k] = at[k - 1];
			at[k - 1] = other;
		}
}

/* Moves the points of a column to the front, over points that were kept or dropped before.
 */
static size_t keep(struct point *point, size_t kept, const struct kept_column *c)
{
	size_t at[4] = { c->first, c->least, c->most, c->last };

	sort4(at);
	for (size_t i = 0; i < 4; i++)
		if (i == 0 || at[i] != at[i - 1])
			point[kept++] = point[at[i]];
	return kept;
}

size_t decimate_line(struct point *point, size_t n, size_t columns, bool logarithmic)
{
	if (n <= 4 * columns || !columns)
		return n;

	double from = logarithmic ? log(point[0].x) : point[0].x,
	       to = logarithmic ? log(point[n - 1].x) : point[n - 1].x,
	       scale = to > from ? (double)columns / (to - from) : 0;
	size_t kept = 0, now = 0;
	struct kept_column c = { 0 };

	for (size_t i = 0; i < n; i++) {
		double x = logarithmic ? log(point[i].x) : point[i].x;
		size_t own = (size_t)((x - from) * scale);

		own = own < columns ? own : columns - 1;
		if (own != now && i) {
			kept = keep(point, kept, &c);
			c = (struct kept_column){ i, i, i, i };
		}
		now = own;
		c.last = i;
		c.least = point[i].value < point[c.least].value ? i : c.least;
		c.most = point[i].value > point[c.most].value ? i : c.most;
	}
	return keep(point, kept, &c);
}
