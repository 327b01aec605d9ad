/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fewer points for the same picture. Pure.
 */
#ifndef PLOT_DECIMATE_H
#define PLOT_DECIMATE_H

#include "base/base.h"

struct point {
	double x, value;
};

/*
 * Keeps of n points in order of x those that a line through them over that many columns of
 * a picture needs: the first, the last, the least and the greatest of each column (U. Jugel
 * et al., "M4: a visualization-oriented time series data aggregation", PVLDB 7 (2014)). The
 * columns part the range of x evenly, or the range of its logarithm, for which every x is
 * above 0. The kept points move to the front, in order. Returns their count, at most 4 a
 * column.
 */
size_t decimate_line(struct point *point, size_t n, size_t columns, bool logarithmic);

#endif
