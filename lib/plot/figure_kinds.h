/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of pictures by name, and presets: the pictures that everybody asks for, which
 * are a kind with what it prefers to draw.
 */
#ifndef PLOT_FIGURE_KINDS_H
#define PLOT_FIGURE_KINDS_H

#include "plot/figure.h"

extern const struct figure_kind figure_kinds[];
extern const size_t figure_kinds_count;

struct figure_preset {
	const char *name, *meaning;
	const char *kind;
	const char *metric, *x; /* as in struct figure_kind */
};

extern const struct figure_preset figure_presets[];
extern const size_t figure_presets_count;

/* Fills out with the kind of this name, or with that of the preset and what it prefers.
 * Returns false when there is neither. */
bool figure_kind_choose(const char *name, struct figure_kind *out);

#endif
