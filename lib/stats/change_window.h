/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points by windows and t-tests: the quick half of change.h, and what both halves
 * share. Pure.
 */
#ifndef STATS_CHANGE_WINDOW_H
#define STATS_CHANGE_WINDOW_H

#include "stats/change.h"

/* A point and the stretch of the series that it was tested in. */
struct change_point {
	size_t at, from, to;
	double p;
	bool ranked; /* tested by ranks, too */
};

/* Of a white series; out has room for n / least. Returns how many. */
size_t change_window_find(
    const double *x, size_t n, const struct change_opts *opts, struct change_point *out);
void change_point_drop(struct change_point *point, size_t *count, size_t which);

#endif
