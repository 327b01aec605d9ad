/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line about changes of metrics that do not decide, such as "also worse: a: max_rss,
 * sys; b: sys; better: a: user". Pure.
 */
#ifndef COMPARE_OTHER_CHANGES_H
#define COMPARE_OTHER_CHANGES_H

#include "base/base.h"

/* Begin with the lines; the rest is zero. */
struct other_changes {
	struct buf *lines;
	const char *word;   /* of the last change */
	struct buf subject; /* of the last change */
	size_t found;
};

/*
 * Counts a change and appends its word ("worse", "changed") unless that of the previous
 * change is equal. Returns false if enough changes were shown; otherwise the caller appends
 * the change, after other_changes_subject().
 */
bool other_changes_next(struct other_changes *o, const char *word);
/* Appends a subject, which may be empty, unless that of the previous change is equal. Frees
 * its text. */
void other_changes_subject(struct other_changes *o, struct buf *subject);
/* Appends how many changes are not shown, and ends the line if there is one. */
void other_changes_end(struct other_changes *o);

#endif
