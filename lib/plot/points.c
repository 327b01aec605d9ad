/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points by group; see points.h.
 */
#include <stdlib.h>

#include "plot/points.h"

struct cloud {
	struct point *point;
	size_t count, cap, failed;
};

struct points {
	struct cloud *group;
	size_t count, cap;
};

struct points *points_open(void)
{
	return mem_zero(1, sizeof(struct points));
}

static struct cloud *of(struct points *p, size_t group)
{
	while (p->count <= group)
		*VEC_ADD(p->group, p->count, p->cap) = (struct cloud){ 0 };
	return &p->group[group];
}

void points_add(struct points *p, size_t group, double x, double value)
{
	struct cloud *g = of(p, group);

	*VEC_ADD(g->point, g->count, g->cap) = (struct point){ x, value };
}

void points_failed(struct points *p, size_t group)
{
	of(p, group)->failed++;
}

struct point *points_of(struct points *p, size_t group, size_t *count, size_t *failed)
{
	struct cloud *g = of(p, group);

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
	for (size_t i = 0; i < p->count; i++)
		free(p->group[i].point);
	free(p->group);
	free(p);
}
