/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ratios with their verdicts as a figure: a row of bench-compare's table is a lane.
 */
#ifndef PLOT_FIGURE_FOREST_H
#define PLOT_FIGURE_FOREST_H

#include "plot/figure.h"

/* Reads tables that bench-compare wrote, or compares the samples of two files, or of the
 * sides that a column names. NULL and the message. */
struct figure *figure_forest(const struct figure_kind *kind, const struct figure_opts *opts,
    char *const *file, size_t count, struct fault *f);

#endif
