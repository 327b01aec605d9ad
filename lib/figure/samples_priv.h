/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files that turn groups of samples into marks. samples_marks.c gathers
 * values, samples_points.c does so for very many values of x, and samples_captions.c makes
 * the labels.
 */
#ifndef FIGURE_SAMPLES_PRIV_H
#define FIGURE_SAMPLES_PRIV_H

#include "figure/facet.h"
#include "figure/figure.h"
#include "figure/points.h"
#include "record/collect.h"

/* The collected samples. */
struct samples_input {
	const struct groups *groups;
	const struct groups *subjects; /* of the whole input, in order of appearance */
	struct collect *collect;       /* NULL: there are points */
	const size_t *repeated;        /* by group: duplicate rows, dropped; or NULL */
	struct points
	    *points; /* points of the groups, along a column that is not in their keys */
	size_t x;    /* the id of that column */
};

struct samples_making {
	const struct figure_kind *kind;
	const struct figure_opts *opts;
	const struct samples_input *input;
	struct facet facet;
	struct figure *fig;
	bool later_base; /* the ratios of a series are not to its least x, which has no
	                    median */
};

/* Returns the figure, or NULL and the message if there is nothing to draw. */
struct figure *samples_figure(const struct figure_kind *kind,
    const struct figure_opts *opts, const struct samples_input *input, struct fault *f);
/* Adds the marks of input->points; series has the number of the series of each pick. */
void samples_mark_points(struct samples_making *m, const size_t *series);
/* Adds a mark without values for each x at which a series was run but has no value; series
 * has the number of the series of each pick. */
void samples_mark_gaps(struct samples_making *m, const size_t *series);
/* Replaces the values of marks by ratios to the median at the least x of their series that
 * has one, inverted if less is better. The metric speedup is left as it is. Returns 0, or
 * -1 and the message. */
int samples_make_ratios(struct samples_making *m, struct fault *f);
/* Fits a model of growth to the medians of each series, and describes it. */
void samples_fit_growth(struct samples_making *m);
/* Orders marks by series, then x, for qsort. */
int samples_by_series(const void *a, const void *b);
/* Gives the series colors in the order in which they appear in the whole input, so that the
 * plots of its metrics agree; series has the number of the series of each pick. */
void samples_color(struct samples_making *m, const size_t *series);
/* Returns the values of the columns as one label, allocated; empty if there are no columns.
 */
char *samples_label(const struct samples_making *m, size_t pick, const struct columns *c);
/* Adds the title, the names of the axes and the lines of the subtitle. */
void samples_caption(struct samples_making *m);

#endif
