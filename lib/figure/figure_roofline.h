/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A roofline: kernels and models as points at their arithmetic intensity and rate, below
 * the roof of their device.
 */
#ifndef FIGURE_FIGURE_ROOFLINE_H
#define FIGURE_FIGURE_ROOFLINE_H

#include "figure/figure.h"

/* The largest rates measured on the device of a series; 0: unknown. */
struct roofline_roof {
	double flop_rate, bandwidth;
};

struct roofline_figure {
	struct figure common;
	struct roofline_roof *roof; /* of each series */
	size_t unplaced;            /* subjects without a rate and an intensity above 0 */
	size_t unknown;             /* subjects whose median rate timed out */
	size_t timeouts;            /* samples that timed out */
};

extern const struct figure_source figure_roofline;

#endif
