/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots of measurements under load: quantiles of the latency over the rate of requests,
 * or over the throughput, and the requests that kept the service level.
 */
#ifndef FIGURE_FIGURE_LOAD_H
#define FIGURE_FIGURE_LOAD_H

#include "figure/figure.h"

struct load_figure {
	struct figure common;
	char *limit_name; /* of common.limit; NULL: none */
	bool *saturated;  /* of each mark: the servers could not keep up; NULL: of none */
	bool names_marks; /* the labels of the marks are drawn */
	bool round_x;     /* x has round tics, not those of the marks */
};

extern const struct figure_source figure_load, figure_capacity, figure_goodput;

#endif
