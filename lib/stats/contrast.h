/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much new values differ from old ones. Pure.
 *
 * A contrast is a ratio r or a difference d. The hypothesis of a contrast is that the new
 * values, divided by r or less d, do not differ from the old ones. A test of this
 * hypothesis has a p for each r or d. The interval consists of those whose p is at least
 * alpha, so it contains no difference (the ratio 1, or the difference 0) if and only if the
 * p of the test of no difference is at least alpha. The estimate is the contrast for which
 * the test finds no direction.
 */
#ifndef STATS_CONTRAST_H
#define STATS_CONTRAST_H

#include "base/base.h"

struct contrast {
	bool ratio;    /* otherwise a difference; set by the caller */
	double at;     /* the estimate; NAN: none */
	double lo, hi; /* NAN: none; a ratio may have only lo */
};

#endif
