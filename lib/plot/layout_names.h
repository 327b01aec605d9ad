/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the names of points go, so that they cover neither each other nor points nor lines.
 * Pure. Greedy, in the order of the points: the optimum is NP-hard, and a picture that is
 * crowded needs fewer names rather than a better order.
 */
#ifndef PLOT_LAYOUT_NAMES_H
#define PLOT_LAYOUT_NAMES_H

#include "base/base.h"

enum { NAMES_MAX = 256 };

struct names_point {
	double x, y;           /* of the point; y grows downwards */
	double width;          /* of the name, in characters */
	bool shown;            /* found a place: */
	double name_x, name_y; /* its left end and its middle */
};

struct names_line {
	double x1, y1, x2, y2;
};

struct names_room {
	double left, right, top, bottom, column, row; /* column, row: a character's size */
	const struct names_line *line;
	size_t lines;
};

/* Finds a place for the name of each point; names that find none are not shown. */
void names_place(struct names_point *point, size_t count, const struct names_room *room);

#endif
