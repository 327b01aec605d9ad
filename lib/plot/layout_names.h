/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places the names of points so that they overlap neither each other nor points, lines and
 * dots. The algorithm is greedy, in the order of the points: the optimum is NP-hard, and a
 * crowded plot needs fewer names rather than a better order. Pure.
 */
#ifndef PLOT_LAYOUT_NAMES_H
#define PLOT_LAYOUT_NAMES_H

#include "base/base.h"

enum { NAMES_MAX = 256 };

struct names_line {
	double x1, y1, x2, y2;
};

struct names_point {
	double x, y;  /* of the point; y grows downwards */
	double width; /* of the name, in characters */
	bool fixed; /* x is the left end of the name and y its middle: there is no point */
	bool shown; /* has a place, which is: */
	double name_x, name_y; /* its left end and its middle */
	/* A line from the point to its name is needed, because the name is far away or
	 * close to another point. It overlaps no name. Only in a room with leaders. */
	bool led;
	struct names_line leader;
};

/* The middle of a symbol that has no name. */
struct names_dot {
	double x, y;
};

struct names_room {
	double left, right, top, bottom, column, row; /* column, row: a character's size */
	const struct names_line *line;
	size_t lines;
	const struct names_dot *dot;
	size_t dots;
	bool leaders; /* may join points with their names by lines */
};

/* Places the name of each point; a name without room is not shown. */
void names_place(struct names_point *point, size_t count, const struct names_room *room);

#endif
