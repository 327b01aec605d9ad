/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides whether a series is steady. Pure.
 *
 * Compares both halves of the series. It is steady unless the rank-sum test (infer.h) finds
 * a difference between the halves at 5% and their medians differ by more than 2%. So
 * neither noise nor a very small drift makes it unsteady.
 */
#ifndef STATS_STEADY_H
#define STATS_STEADY_H

#include "base/base.h"

enum { STEADY_LEAST = 12 }; /* fewer values are not enough */

/* Returns whether a series is steady. The values are in order of time and positive; count
 * is at least STEADY_LEAST. */
bool steady_is(const double *value, size_t count);

#endif
