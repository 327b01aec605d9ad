/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A timeline: one panel for each metric, with its own axis, and one curve for each sample,
 * along the time since the sample began, in ns.
 */
#ifndef FIGURE_FIGURE_TIMELINE_H
#define FIGURE_FIGURE_TIMELINE_H

#include "figure/figure.h"
#include "figure/points.h"

struct timeline_panel {
	char *name, *shown, *unit; /* name: unchanged; shown: cleaned for a plot */
};

/* A curve, or a part of one that is interrupted. */
struct timeline_curve {
	size_t series, panel, count;
	struct point *point;
};

struct timeline_figure {
	struct figure common;
	struct timeline_panel *panel;
	struct timeline_curve *curve;
	size_t panels, curves;
	size_t samples; /* whose curves may be interrupted */
};

extern const struct figure_source figure_timeline;

#endif
