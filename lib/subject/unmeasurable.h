/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks, counts and explains the subjects that are known in advance not to be measurable.
 */
#ifndef SUBJECT_UNMEASURABLE_H
#define SUBJECT_UNMEASURABLE_H

#include "subject/subject.h"

/* Marks a subject as absent for this reason. */
void subject_set_absent(struct subject *s, const struct fault *why);

/* Numbers of such subjects. */
struct unmeasurable {
	size_t skipped, unsupported, absent; /* skipped includes absent */
};
struct unmeasurable subjects_unmeasurable(const struct subjects *list);
/*
 * Appends one line for each distinct name and reason of the subjects that are skipped,
 * or unsupported: "NAME: skipped: REASON", or only the reason.
 */
void subjects_explain(
    const struct subjects *list, bool unsupported, bool with_names, struct buf *lines);

#endif
