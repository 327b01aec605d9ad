/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects values with their x by group, for an x that has too many different values to
 * form a group for each, and reduces their number without changing the plot. A value
 * takes sixteen bytes. Pure.
 */
#ifndef FIGURE_POINTS_H
#define FIGURE_POINTS_H

#include "base/base.h"

struct point {
	double x, value;
};

struct points;
/* Returns an empty collection, to be freed with points_close(). */
struct points *points_open(void);
/* Adds a value to a group, whose number is the caller's; groups are made as needed. */
void points_add(struct points *p, size_t group, double x, double value);
/* Notes a value that is only known to exceed a limit. */
void points_add_limit(struct points *p, size_t group, double x, double limit);
void points_failed(struct points *p, size_t group);
/* Notes an x at which a value failed. */
void points_add_gap(struct points *p, size_t group, double x);
/* Returns the points of one group in input order, and sets the numbers of points and of
 * failed values. The array belongs to the collection, and the caller may change its order.
 */
struct point *points_of(struct points *p, size_t group, size_t *count, size_t *failed);
/* Returns the limits of one group in the same way. */
struct point *points_limits(struct points *p, size_t group, size_t *count);
/* Returns each x at which a value of one group failed, in input order; an x can occur
 * several times, and the group can have other values there. */
const double *points_gaps(struct points *p, size_t group, size_t *count);
/* Sorts points by x, then value. */
void points_sort(struct point *point, size_t count);
void points_close(struct points *p);
/*
 * Keeps the points that a line needs in a plot of this many columns: the first, last,
 * smallest and largest point of each column (U. Jugel et al., "M4: a visualization-oriented
 * time series data aggregation", PVLDB 7 (2014)). The points are in order of x. The columns
 * divide the range of x evenly, or, if logarithmic, the range of its logarithm; every x is
 * then above 0. The kept points move to the front, in order. Returns their number, at most
 * 4 for each column.
 */
size_t points_decimate(struct point *point, size_t n, size_t columns, bool logarithmic);

#endif
