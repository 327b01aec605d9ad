/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between the files of samples: groups on their way to marks. samples_marks.c gathers
 * values, samples_points.c those of very many places along x, samples_captions.c finds the
 * words.
 */
#ifndef PLOT_SAMPLES_PRIV_H
#define PLOT_SAMPLES_PRIV_H

#include "plot/facet.h"
#include "plot/figure.h"
#include "plot/points.h"
#include "record/collect.h"

/* What samples were collected into. */
struct samples_input {
	const struct groups *groups;
	struct collect *collect; /* NULL: there are points */
	struct points *points;   /* of the groups, along a column that they lack */
	size_t x;                /* that column */
};

struct samples_making {
	const struct figure_kind *kind;
	const struct figure_opts *opts;
	const struct samples_input *input;
	struct facet facet;
	struct figure *fig;
};

/* Returns the figure. NULL and the message when there is nothing to draw. */
struct figure *samples_figure(const struct figure_kind *kind,
    const struct figure_opts *opts, const struct samples_input *input, struct fault *f);
/* Adds the marks of input->points; series has the series of each pick. */
void samples_mark_points(struct samples_making *m, const size_t *series);
/* Returns the values of some columns as one label, allocated; empty for no columns. */
char *samples_label(const struct samples_making *m, size_t pick, const struct columns *c);
/* Adds the title, the names of axes, what is drawn and what was held constant. */
void samples_caption(struct samples_making *m);

#endif
