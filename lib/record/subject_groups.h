/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Subjects of rows: groups that differ only in metric and unit, and the names of subjects
 * in other formats.
 */
#ifndef RECORD_SUBJECT_GROUPS_H
#define RECORD_SUBJECT_GROUPS_H

#include "base/hash_map.h"
#include "base/intern.h"
#include "record/group.h"

/* The groups of each subject, in their order. Zero it to begin. */
struct subject_groups {
	struct hash_map subjects; /* by the keys of their first groups */
	uint32_t *first, *last;   /* by subject */
	uint32_t *next; /* by group: the next one of its subject, or SUBJECT_END */
	size_t count, cap, last_cap, groups, groups_cap;
};
#define SUBJECT_END UINT32_MAX
/* Adds the group that follows those that were added. Returns the number of its subject. */
size_t subject_groups_add(struct subject_groups *g, const struct groups *groups);
void subject_groups_free(struct subject_groups *g);
/*
 * Appends the name of a group's subject: bench, or kind if bench is empty, and
 * "/name=value" for each of its factors, with sign instead of '='. left_out: whether a
 * column is left out, or NULL.
 */
void subject_name(const struct groups *groups, size_t group, const char *sign,
    const bool *left_out, struct buf *out);
/*
 * Adds a name to those that a file already has, and makes it unique by a number in
 * parentheses: "sort (2)".
 */
void subject_name_unique(struct intern *names, struct buf *name);

#endif
