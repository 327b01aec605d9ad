/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles of unsorted values. Pure.
 */
#ifndef STATS_QUICKSELECT_H
#define STATS_QUICKSELECT_H

#include "base/base.h"

/*
 * Sets out[i] to the quantile p[i] of n values in any order, as stats_quantile() would for
 * sorted values. p is ascending. One pass over the values sets bins of equal width, a
 * second pass counts, and only bins that hold the requested ranks are sorted.
 */
void quickselect_quantiles(
    const double *values, size_t n, const double *p, size_t count, double *out);

#endif
