/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trend: the medians of commits or runs over time, the changes of level of each series,
 * the levels between changes, and the flags that the user named.
 */
#ifndef FIGURE_FIGURE_TREND_H
#define FIGURE_FIGURE_TREND_H

#include "figure/figure.h"

struct trend_change {
	size_t series;
	double x, before, after;
	bool worse, better; /* neither: it is unknown which way is better */
};

struct trend_level {
	size_t series;
	double from, to;        /* x */
	double value, to_value; /* they differ if the series drifts */
};

struct trend_flag {
	double x;
	char *text;
};

struct trend_figure {
	struct figure common;
	struct trend_change *change;
	struct trend_level *level;
	struct trend_flag *flag;
	size_t changes, levels, flags, drifts;
};

extern const struct figure_source figure_trend;

#endif
