/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a figure from the samples of one metric, grouped by subject, host, env, commit and
 * the columns that the user named.
 */
#ifndef FIGURE_FIGURE_SAMPLES_H
#define FIGURE_FIGURE_SAMPLES_H

#include "figure/figure.h"

extern const struct figure_source figure_samples;

#endif
