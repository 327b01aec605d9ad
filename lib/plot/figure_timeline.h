/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A timeline: panels, each a metric with an axis of its own, and curves in them along the
 * time since a sample began, in ns.
 */
#ifndef PLOT_FIGURE_TIMELINE_H
#define PLOT_FIGURE_TIMELINE_H

#include "plot/decimate.h"
#include "plot/figure.h"

struct timeline_panel {
	char *name, *shown, *unit; /* name: as it is; shown: fit for a picture */
};

struct timeline_curve {
	size_t series, panel, count;
	struct point *point;
};

struct timeline_figure {
	struct figure common;
	struct timeline_panel *panel;
	struct timeline_curve *curve;
	size_t panels, curves;
};

extern const struct figure_source figure_timeline;

#endif
