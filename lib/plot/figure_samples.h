/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of one metric as a figure: grouped by subject, host, env, commit and the columns
 * asked for.
 */
#ifndef PLOT_FIGURE_SAMPLES_H
#define PLOT_FIGURE_SAMPLES_H

#include "plot/figure.h"

extern const struct figure_source figure_samples;

#endif
