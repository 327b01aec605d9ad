/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of groups for people: what tells them apart, and what is the same in all. Pure but
 * for the groups.
 */
#ifndef PLOT_GROUP_LABELS_H
#define PLOT_GROUP_LABELS_H

#include "plot/figure.h"
#include "record/group.h"

struct group_labels {
	const struct groups *groups;
	size_t *group; /* those that are named; allocated */
	size_t count, cap;
	bool utf8;
	bool *needed; /* by column, from naming_shorten; allocated; NULL: all are */
};

/*
 * Leaves columns out of later labels that do not tell groups apart further than the columns
 * before them and those listed: the shapes of kernels that differ in name already.
 */
void group_labels_shorten(struct group_labels *n, const char *const *list);
/*
 * Returns the columns of group i that differ, metric and unit aside, as "sort, n=1000": of
 * those named in a list that ends with NULL, or of all others; allocated, "" for none.
 */
char *group_labels_text(
    const struct group_labels *n, size_t i, const char *const *list, bool others);
/* Appends the columns that are the same in all groups, kind aside. */
void group_labels_held(const struct group_labels *n, struct lines *held);

#endif
