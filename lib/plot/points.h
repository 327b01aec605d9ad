/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects values with their x by group, for an x that has too many different values to
 * form a group for each. A value takes sixteen bytes.
 */
#ifndef PLOT_POINTS_H
#define PLOT_POINTS_H

#include "plot/decimate.h"
#include "record/group.h"

struct points;
struct points *points_open(void);
void points_add(struct points *p, size_t group, double x, double value);
void points_failed(struct points *p, size_t group);
/* Returns the points of one group in input order; the caller may change the order. */
struct point *points_of(struct points *p, size_t group, size_t *count, size_t *failed);
/* Sorts points by x, then value. */
void points_sort(struct point *point, size_t count);
void points_close(struct points *p);

#endif
