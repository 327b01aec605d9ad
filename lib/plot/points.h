/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values with the place x of each, by group: what is drawn along a number that has too many
 * values for a group each. Sixteen bytes a value.
 */
#ifndef PLOT_POINTS_H
#define PLOT_POINTS_H

#include "plot/decimate.h"
#include "record/group.h"

struct points;
struct points *points_open(void);
void points_add(struct points *p, size_t group, double x, double value);
void points_failed(struct points *p, size_t group);
/* Returns the points of one group in the order in which they came, which the caller may
 * change. */
struct point *points_of(struct points *p, size_t group, size_t *count, size_t *failed);
/* Sorts by x, then value. */
void points_sort(struct point *point, size_t count);
void points_close(struct points *p);

#endif
