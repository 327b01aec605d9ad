/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a series has come to rest. Pure.
 *
 * A change-point test at its middle: the series is steady unless its second half lies
 * elsewhere than its first, that is, unless the rank-sum test (infer.h) tells the halves
 * apart at 5 % and their medians differ by more than 2 %. So a drift too small to matter
 * does not keep it from being steady, and noise does not either.
 */
#ifndef STATS_STEADY_H
#define STATS_STEADY_H

#include "base/base.h"

enum { STEADY_LEAST = 12 }; /* fewer values tell nothing */

/* count is STEADY_LEAST or more; the values are in their order in time, and above 0. */
bool steady_is(const double *value, size_t count);

#endif
