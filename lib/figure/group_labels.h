/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes labels of groups: the columns that distinguish them, and those that are the same in
 * all.
 */
#ifndef FIGURE_GROUP_LABELS_H
#define FIGURE_GROUP_LABELS_H

#include "figure/figure.h"
#include "record/group.h"

struct group_labels {
	const struct groups *groups;
	size_t *group; /* groups to name; allocated */
	size_t count, cap;
	bool utf8;
	bool *needed; /* by column, set by group_labels_shorten; allocated; NULL: all */
};

/*
 * Omits from later labels the columns that do not distinguish groups further than the
 * columns before them and those of the list; an example is the shape of kernels that
 * already differ in name.
 */
void group_labels_shorten(struct group_labels *n, const char *const *list);
/*
 * Returns the columns of group i that vary, except metric and unit, as "sort, n=1000". They
 * are columns of the list, which ends with NULL, or, if others, all columns not in the
 * list. The text is allocated and "" if there are none.
 */
char *group_labels_text(
    const struct group_labels *n, size_t i, const char *const *list, bool others);
/* Appends the columns that are the same in all groups, except kind, to a figure. */
void group_labels_held(const struct group_labels *n, struct figure *fig);
/* Appends a value after ", " unless the buffer is empty, with the name of its column unless
 * that is bench, kind or metric. Of a commit, only the first ten digits are written. */
void group_labels_put(struct buf *b, const char *column, struct text value, bool utf8);
/* Appends an allocated string that describes a constant column: to the origin of the figure
 * if the column is host, env or commit, and otherwise to what is held. */
void group_labels_hold(struct figure *fig, const char *column, char *text);

#endif
