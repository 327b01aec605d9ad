/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a figure of ratios with their verdicts: each row of bench-compare's table is a
 * lane.
 */
#ifndef FIGURE_FIGURE_FOREST_H
#define FIGURE_FIGURE_FOREST_H

#include "figure/figure.h"

/* Reads tables of bench-compare, or compares the samples of two files, or of the two sides
 * in a column. Returns NULL and the message on failure. */
struct figure *figure_forest(const struct figure_kind *kind, const struct figure_opts *opts,
    char *const *file, size_t count, struct fault *f);

#endif
