/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points by windows and t-tests: the fast method of change.h, and functions that
 * both methods share. Pure.
 */
#ifndef STATS_CHANGE_WINDOW_H
#define STATS_CHANGE_WINDOW_H

#include "stats/change.h"

/* A point, and the part of the series in which it was tested. */
struct change_point {
	size_t at, from, to;
	double p;
	bool ranked; /* also tested by ranks */
};

/* Finds the points of a series without autocorrelation. out has room for n / least. Returns
 * their number. */
size_t change_window_find(
    const double *x, size_t n, const struct change_opts *opts, struct change_point *out);
/* Removes a point. */
void change_point_drop(struct change_point *point, size_t *count, size_t which);

#endif
