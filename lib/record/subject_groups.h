/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Subjects of rows, for writers of formats: groups that differ only in metric and unit.
 */
#ifndef RECORD_SUBJECT_GROUPS_H
#define RECORD_SUBJECT_GROUPS_H

#include "record/group.h"

/* Returns the number of a group's subject, which is added to the keys if it is new. */
size_t subject_number(const struct groups *groups, size_t group, struct intern *keys);
/* The groups of each subject, in their order. Zero it to begin. */
struct subject_groups {
	size_t *first, *last; /* by subject */
	size_t *next;         /* by group: the next one of its subject, or SUBJECT_END */
	size_t count, cap, last_cap, groups, groups_cap;
};
#define SUBJECT_END SIZE_MAX
/* Adds a new group, after all others, whose subject is one of those before or the next. */
void subject_groups_add(struct subject_groups *g, size_t subject);
void subject_groups_free(struct subject_groups *g);
/*
 * Appends the name of a group's subject: bench, or kind if bench is empty, and
 * "/name=value" for each of its factors, with sign instead of '='.
 */
void subject_name(
    const struct groups *groups, size_t group, const char *sign, struct buf *out);
/*
 * Adds a name to those that a file already has, and makes it unique by a number in
 * parentheses: "sort (2)".
 */
void subject_name_unique(struct intern *names, struct buf *name);

#endif
