/*
 * Names of groups for people: what tells them apart, and what is the same in all. Pure but
 * for the groups.
 */
#ifndef NAMING_H
#define NAMING_H

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
 * Leave out of later labels what says nothing that the columns before it, and those listed,
 * have not said: the shapes of kernels that differ in name already.
 */
void group_labels_shorten(struct group_labels *n, const char *const *list);
/*
 * The columns of one that differ, metric and unit aside, as "sort, n=1000": of those named
 * in a list that ends with NULL, or of all the others; allocated, "" when there are none.
 */
char *group_labels_text(
    const struct group_labels *n, size_t i, const char *const *list, bool others);
/* Append what is the same in all, kind aside. */
void group_labels_held(const struct group_labels *n, struct lines *held);

#endif
