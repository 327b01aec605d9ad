/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which columns become what in a picture: the rows of one metric, grouped as finely as they
 * differ, are parted along x and into series, by the columns asked for or else by what
 * varies. A column counts as varying only when it parts what the columns before it have not
 * parted, so that env beside host, or kind beside bench, adds nothing to the labels. A
 * column that follows from a numeric x and the others parts no lines, see
 * record/derived_columns.h.
 */
#ifndef PLOT_FACET_H
#define PLOT_FACET_H

#include "record/collect.h"

struct columns {
	size_t *id, count, cap;
};

struct facet {
	const struct groups *groups;
	size_t *pick, picks, pick_cap; /* the groups of the metric */
	size_t failed;                 /* rows of the groups that have no place */
	struct columns all;            /* what could part them, the most telling first */
	struct columns x, series;
};

struct facet_opts {
	const char *metric;    /* NULL: wall, or the only one */
	const char *x, *group; /* columns, comma-separated; NULL: what varies */
	/* The first of these that the rows have, where metric or x is NULL; comma-separated
	 * or NULL. */
	const char *prefer_metric, *prefer_x;
	bool numeric_x;  /* x is one column of numbers */
	bool all_x;      /* by default all goes to x and nothing into series */
	bool all_series; /* x parts series also, and nothing lies along it */
	/* Of the groups: those without values have no place along a numeric x. NULL: all
	 * have. */
	struct collect *values;
	bool grid; /* of two columns by default; those of x are in series, of group in x */
};

/* Fills a zeroed facet, which is to be freed also after a failure. 0 or -1. */
int facet_choose(struct facet *fa, const struct groups *groups,
    const struct facet_opts *opts, struct fault *f);
void facet_free(struct facet *fa);

struct text facet_cell(const struct facet *fa, size_t pick, size_t column);
/* Numbers the picks 0, 1, 2 ... by their texts in the columns, in part unless it is NULL.
 * Returns how many numbers there are. */
size_t facet_partition(const struct facet *fa, const struct columns *c, size_t *part);
/* Returns the columns that part the picks further than those given; the ids are allocated.
 */
struct columns facet_parting(const struct facet *fa, const struct columns *given);
/* Returns whether every pick has a number in the column. */
bool facet_numeric(const struct facet *fa, size_t column);

bool columns_hold(const struct columns *c, size_t id);
void columns_add(struct columns *c, const struct columns *more);

#endif
