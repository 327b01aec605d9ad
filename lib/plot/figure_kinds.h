/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of plots by name, and presets: common plots, each a kind with preferred
 * metrics and columns.
 */
#ifndef PLOT_FIGURE_KINDS_H
#define PLOT_FIGURE_KINDS_H

#include "figure/figure.h"

extern const struct figure_kind figure_kinds[];
extern const size_t figure_kinds_count;

struct figure_preset {
	const char *name, *meaning;
	const char *kind;
	const char *metric, *x; /* as in struct figure_kind */
};

extern const struct figure_preset figure_presets[];
extern const size_t figure_presets_count;

/* Sets *out to the kind of this name, or to the kind and preferences of the preset of this
 * name. Returns false if there is neither. */
bool figure_kind_choose(const char *name, struct figure_kind *out);
/* Returns the axes of a kind that can be logarithmic: "", "x", "y" or "xy". */
const char *figure_kind_log_axes(const struct figure_kind *kind);

#endif
