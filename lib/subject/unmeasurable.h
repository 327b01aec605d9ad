/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Subjects that are known in advance not to be measurable, and messages about the reasons.
 */
#ifndef SUBJECT_UNMEASURABLE_H
#define SUBJECT_UNMEASURABLE_H

#include "subject/subject.h"

/* How many there are. */
struct unmeasurable {
	size_t skipped, unsupported, absent; /* the absent are among the skipped */
};
struct unmeasurable subjects_unmeasurable(const struct subjects *list);
/*
 * Appends a line for each name and reason of the subjects that are skipped, or of those
 * that are unsupported: "NAME: skipped: REASON", or the reason alone.
 */
void subjects_explain(
    const struct subjects *list, bool unsupported, bool with_names, struct buf *lines);

#endif
