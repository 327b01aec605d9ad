/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Placement of the names of points; see layout_names.h.
 */
#include <math.h>

#include "plot/layout_names.h"

struct box {
	double left, right, top, bottom;
};

static bool overlap(const struct box *a, const struct box *b)
{
	return a->left < b->right && b->left < a->right && a->top < b->bottom &&
	       b->top < a->bottom;
}

/* Returns whether a segment passes through a box; it does not if both ends are on the same
 * side of the box. */
static bool crosses(const struct box *b, const struct names_line *s)
{
	double from = 0, to = 1, dx = s->x2 - s->x1, dy = s->y2 - s->y1;
	double p[4] = { -dx, dx, -dy, dy }, q[4] = { s->x1 - b->left, b->right - s->x1,
		s->y1 - b->top, b->bottom - s->y1 };

	for (int i = 0; i < 4; i++) {
		if (p[i] == 0 && q[i] < 0)
			return false;
		if (p[i] < 0)
			from = fmax(from, q[i] / p[i]);
		else if (p[i] > 0)
			to = fmin(to, q[i] / p[i]);
	}
	return from <= to;
}

/* Positions around a point: right, left, above, below and the corners, first near, then
 * farther away. */
static const double side[][2] = { { 1, 0 }, { -1, 0 }, { 0, -1 }, { 0, 1 }, { 1, -1 },
	{ 1, 1 }, { -1, -1 }, { -1, 1 } };

static struct box box_at(
    const struct names_point *p, const struct names_room *r, size_t way, double width)
{
	double away = 1 + (double)(way / COUNT(side)), sx = side[way % COUNT(side)][0],
	       sy = side[way % COUNT(side)][1];
	if (p->fixed)
		return (struct box){ p->x, p->x + width, p->y - r->row * 0.45,
			p->y + r->row * 0.45 };

	double x = p->x + sx * r->column * away, y = p->y + sy * r->row * 0.8 * away;

	x -= sx < 0 ? width : sx > 0 ? 0 : width / 2;
	return (struct box){ x, x + width, y - r->row * 0.45, y + r->row * 0.45 };
}

static bool is_free(const struct box *b, const struct names_point *point, size_t count,
    const struct box *taken, size_t boxes, const struct names_room *r)
{
	if (b->left < r->left || b->right > r->right || b->top < r->top ||
	    b->bottom > r->bottom)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct box own = { point[i].x - r->column / 2, point[i].x + r->column / 2,
			point[i].y - r->row / 4, point[i].y + r->row / 4 };

		if (!point[i].fixed && overlap(b, &own))
			return false;
	}
	for (size_t i = 0; i < r->dots; i++)
		if (r->dot[i].x > b->left - r->column / 2 &&
		    r->dot[i].x < b->right + r->column / 2 &&
		    r->dot[i].y > b->top - r->row / 5 &&
		    r->dot[i].y < b->bottom + r->row / 5)
			return false;
	for (size_t i = 0; i < boxes; i++)
		if (overlap(b, &taken[i]))
			return false;
	for (size_t i = 0; i < r->lines; i++)
		if (crosses(b, &r->line[i]))
			return false;
	return true;
}

void names_place(struct names_point *point, size_t count, const struct names_room *r)
{
	enum { FARTHEST = 4 };
	struct box taken[NAMES_MAX];
	size_t boxes = 0;

	for (size_t i = 0; i < count; i++) {
		double width = point[i].width * r->column;

		point[i].shown = false;
		for (size_t way = 0; way < FARTHEST * COUNT(side) && boxes < NAMES_MAX;
		     way++) {
			struct box b = box_at(&point[i], r, way, width);

			if (!is_free(&b, point, count, taken, boxes, r))
				continue;
			taken[boxes++] = b;
			point[i].shown = true;
			point[i].name_x = b.left;
			point[i].name_y = (b.top + b.bottom) / 2;
			break;
		}
	}
}
