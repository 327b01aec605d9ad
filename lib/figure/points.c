/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points by group, and their reduction; see points.h.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/points.h"

struct cloud {
	struct point *point;
	size_t count, failed;
	struct point *limit;
	size_t limits;
	double *gap;
	size_t gaps;
};

struct points {
	struct cloud *group;
	size_t count, cap;
};

struct points *points_open(void)
{
	return mem_zero(1, sizeof(struct points));
}

static struct cloud *cloud_of(struct points *p, size_t group)
{
	while (p->count <= group)
		*VEC_ADD(p->group, p->count, p->cap) = (struct cloud){ 0 };
	return &p->group[group];
}

void points_add(struct points *p, size_t group, double x, double value)
{
	struct cloud *g = cloud_of(p, group);

	*VEC_ADD_MANY(g->point, g->count) = (struct point){ x, value };
}

void points_add_limit(struct points *p, size_t group, double x, double limit)
{
	struct cloud *g = cloud_of(p, group);

	*VEC_ADD_MANY(g->limit, g->limits) = (struct point){ x, limit };
}

struct point *points_limits(struct points *p, size_t group, size_t *count)
{
	struct cloud *g = cloud_of(p, group);

	*count = g->limits;
	return g->limit;
}

void points_failed(struct points *p, size_t group)
{
	cloud_of(p, group)->failed++;
}

void points_add_gap(struct points *p, size_t group, double x)
{
	struct cloud *g = cloud_of(p, group);

	if (!g->gaps || g->gap[g->gaps - 1] != x)
		*VEC_ADD_MANY(g->gap, g->gaps) = x;
}

const double *points_gaps(struct points *p, size_t group, size_t *count)
{
	struct cloud *g = cloud_of(p, group);

	*count = g->gaps;
	return g->gap;
}

struct point *points_of(struct points *p, size_t group, size_t *count, size_t *failed)
{
	struct cloud *g = cloud_of(p, group);

	*count = g->count;
	*failed = g->failed;
	return g->point;
}

static int by_x(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->value > q->value) - (p->value < q->value);
}

void points_sort(struct point *point, size_t count)
{
	bool sorted = true;

	for (size_t i = 1; i < count && sorted; i++)
		sorted = by_x(&point[i - 1], &point[i]) <= 0;
	if (!sorted)
		qsort(point, count, sizeof(*point), by_x);
}

void points_close(struct points *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++) {
		free(p->group[i].point);
		free(p->group[i].limit);
		free(p->group[i].gap);
	}
	free(p->group);
	free(p);
}

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
static size_t keep_column(struct point *point, size_t kept, const struct kept_column *c)
{
	size_t at[4] = { c->first, c->least, c->most, c->last };

	sort4(at);
	for (size_t i = 0; i < 4; i++)
		if (i == 0 || at[i] != at[i - 1])
			point[kept++] = point[at[i]];
	return kept;
}

size_t points_decimate(struct point *point, size_t n, size_t columns, bool logarithmic)
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
			kept = keep_column(point, kept, &c);
			c = (struct kept_column){ i, i, i, i };
		}
		now = own;
		c.last = i;
		c.least = point[i].value < point[c.least].value ? i : c.least;
		c.most = point[i].value > point[c.most].value ? i : c.most;
	}
	return keep_column(point, kept, &c);
}
