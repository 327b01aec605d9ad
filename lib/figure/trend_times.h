/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the times of a history can be the axis of a plot.
 */
#ifndef FIGURE_TREND_TIMES_H
#define FIGURE_TREND_TIMES_H

#include "history/history.h"

struct trend_times {
	bool all;    /* all points have times */
	bool shared; /* two points of a series have the same time, so that a plot over time
	                could not show their order */
	/* The length of a gap of more than two years that would squeeze all points into a
	 * twentieth of the axis, as if a clock was reset; 0: there is none. */
	double squeezed_years;
	bool few_early; /* few points precede the gap */
};

/* Returns what is known of the times of these series, each of which is in order. */
struct trend_times trend_times(
    const struct history *h, const struct history_series *const *series, size_t count);

#endif
