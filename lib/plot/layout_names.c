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

/* Returns the box around a point. */
static struct box box_around(double x, double y, double half_width, double half_height)
{
	return (
	    struct box){ x - half_width, x + half_width, y - half_height, y + half_height };
}

static bool is_free(const struct box *b, const struct names_point *point, size_t count,
    const struct box *taken, size_t boxes, const struct names_room *r)
{
	if (b->left < r->left || b->right > r->right || b->top < r->top ||
	    b->bottom > r->bottom)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct box own =
		    box_around(point[i].x, point[i].y, r->column / 2, r->row / 4);

		if (!point[i].fixed && overlap(b, &own))
			return false;
	}
	for (size_t i = 0; i < r->dots; i++) {
		const struct box dot =
		    box_around(r->dot[i].x, r->dot[i].y, r->column / 2, r->row / 5);

		if (overlap(b, &dot))
			return false;
	}
	for (size_t i = 0; i < boxes; i++)
		if (overlap(b, &taken[i]))
			return false;
	for (size_t i = 0; i < r->lines; i++)
		if (crosses(b, &r->line[i]))
			return false;
	return true;
}

/* The places that are taken by names, and the lines to them. */
struct names_taken {
	struct box box[NAMES_MAX];
	size_t boxes;
	struct names_line leader[NAMES_MAX];
	size_t leaders;
};

/* Returns the line from a point to the nearest place of a box. */
static struct names_line leader_to(const struct box *b, const struct names_point *p)
{
	return (struct names_line){ p->x, p->y, fmin(fmax(p->x, b->left), b->right),
		fmin(fmax(p->y, b->top), b->bottom) };
}

static double distance(const struct box *b, const struct names_point *p)
{
	struct names_line l = leader_to(b, p);

	return hypot(l.x2 - l.x1, l.y2 - l.y1);
}

/* Returns whether a name could belong to another point, which is almost as close. */
static bool is_ambiguous(const struct box *b, const struct names_point *point, size_t count,
    const struct names_point *own)
{
	double most = 1.5 * distance(b, own);

	for (size_t i = 0; i < count; i++)
		if (&point[i] != own && !point[i].fixed && distance(b, &point[i]) < most)
			return true;
	return false;
}

/* Returns whether a line to a box passes through a name, or through another point. */
static bool leader_blocked(const struct names_line *leader, const struct names_taken *taken,
    const struct names_point *point, size_t count, const struct names_point *own,
    const struct names_room *r)
{
	for (size_t i = 0; i < taken->boxes; i++)
		if (crosses(&taken->box[i], leader))
			return true;
	for (size_t i = 0; i < count; i++) {
		struct box near = { point[i].x - r->column / 2, point[i].x + r->column / 2,
			point[i].y - r->row / 4, point[i].y + r->row / 4 };

		if (&point[i] != own && !point[i].fixed && crosses(&near, leader))
			return true;
	}
	return false;
}

/* Returns whether a box is on the line to a name. */
static bool on_leader(const struct box *b, const struct names_taken *taken)
{
	for (size_t i = 0; i < taken->leaders; i++)
		if (crosses(b, &taken->leader[i]))
			return true;
	return false;
}

void names_place(struct names_point *point, size_t count, const struct names_room *r)
{
	enum { FARTHEST = 4, FARTHEST_LED = 8 };
	struct names_taken taken = { .boxes = 0 };
	size_t ways = (r->leaders ? FARTHEST_LED : FARTHEST) * COUNT(side);

	for (size_t i = 0; i < count; i++) {
		struct names_point *p = &point[i];
		double width = p->width * r->column;

		p->shown = false;
		for (size_t way = 0; way < ways && taken.boxes < NAMES_MAX; way++) {
			struct box b = box_at(p, r, way, width);
			struct names_line leader = leader_to(&b, p);
			bool led = r->leaders && (way >= COUNT(side) ||
			                             is_ambiguous(&b, point, count, p));

			if (!is_free(&b, point, count, taken.box, taken.boxes, r) ||
			    on_leader(&b, &taken) ||
			    (led && leader_blocked(&leader, &taken, point, count, p, r)))
				continue;
			taken.box[taken.boxes++] = b;
			if (led)
				taken.leader[taken.leaders++] = leader;
			p->shown = true;
			p->led = led;
			p->leader = leader;
			p->name_x = b.left;
			p->name_y = (b.top + b.bottom) / 2;
			break;
		}
	}
}
