/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reduces the number of points without changing the picture. Pure.
 */
#ifndef PLOT_DECIMATE_H
#define PLOT_DECIMATE_H

#include "base/base.h"

struct point {
	double x, value;
};

/*
 * Keeps the points that a line needs in a picture of this many columns: the first, last,
 * least and greatest point of each column (U. Jugel
 * et al., "M4: a visualization-oriented time series data aggregation", PVLDB 7 (2014)). The
 * points are in order of x. The columns divide the range of x evenly, or, if logarithmic,
 * the range of its logarithm; every x is then above 0. The kept points move to the front,
 * in order. Returns their number, at most 4 for each column.
 */
size_t decimate_line(struct point *point, size_t n, size_t columns, bool logarithmic);

#endif
