/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides which columns of the rows of one metric lie along x and which distinguish series:
 * the columns that the user named, or else those that vary. A column counts as varying only
 * if it distinguishes rows that the columns before it do not; env after host, or kind after
 * bench, then adds nothing to the labels. A column that is determined by a numeric x and
 * the other columns does not split lines; see record/derived_columns.h.
 */
#ifndef FIGURE_FACET_H
#define FIGURE_FACET_H

#include "record/collect.h"

struct columns {
	size_t *id, count, cap;
};

struct facet {
	const struct groups *groups;
	size_t *pick, picks, pick_cap; /* the groups of the metric */
	size_t failed;                 /* rows of groups that have no place */
	struct columns all;            /* candidates, in order of preference */
	struct columns x, series;
};

struct facet_opts {
	bool only_metric;      /* the rows must have one metric; else wall is preferred */
	const char *x, *group; /* columns, comma-separated; NULL: those that vary */
	/* Used unless only_metric, or if x is NULL: the first of these that the rows have;
	 * comma-separated or NULL. */
	const char *prefer_metric, *prefer_x;
	bool numeric_x;  /* x is one column of numbers */
	bool all_x;      /* by default all columns go to x and none to series */
	bool all_series; /* x also distinguishes series, and nothing lies along it */
	/* The values of the groups: groups without values have no place along a numeric x.
	 * NULL: all groups have values. */
	struct collect *values;
	bool limits; /* groups with limits (collect.h) also have a place */
	bool grid; /* two columns by default; those of opts->x go to series, of opts->group
	              to x */
};

/* Fills a zeroed facet, which must be freed even after a failure. Returns 0, or -1 and the
 * message. */
int facet_choose(struct facet *fa, const struct groups *groups,
    const struct facet_opts *opts, struct fault *f);
void facet_free(struct facet *fa);

/* Returns the text of a column in a picked group. */
struct text facet_cell(const struct facet *fa, size_t pick, size_t column);
/* Numbers the picks 0, 1, 2 ... by their strings in the columns and, unless part is NULL,
 * writes the number of each pick to it. Returns the number of different strings. */
size_t facet_partition(const struct facet *fa, const struct columns *c, size_t *part);
/* Returns the columns that distinguish picks which the given columns do not; the ids are
 * allocated.
 */
struct columns facet_parting(const struct facet *fa, const struct columns *given);
/* Returns whether every pick has a number in the column. */
bool facet_numeric(const struct facet *fa, size_t column);

bool columns_hold(const struct columns *c, size_t id);
void columns_add(struct columns *c, const struct columns *more);

#endif
