/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison of several subjects: a sentence, a list of sentences or, for a sweep or
 * many subjects, a table. Pure.
 */
#ifndef BRIEF_BRIEF_SUMMARY_H
#define BRIEF_BRIEF_SUMMARY_H

#include "brief/brief.h"
#include "brief/brief_subjects.h"

/* Appends a paragraph for each set of subjects that can be compared; nothing if there is
 * none. The arguments are those of brief_put(). */
void brief_put_summary(struct buf *b, const struct brief_subjects *s,
    struct collect *collect, const struct brief_opts *opts);

#endif
