/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Divides the subjects of a sweep into contests. Benches and backends compete if they do
 * the same work, such as a kernel of one size; those of another size do other work, and
 * have a best one of their own. Pure.
 */
#ifndef BRIEF_BRIEF_CONTESTS_H
#define BRIEF_BRIEF_CONTESTS_H

#include "brief/brief_subjects.h"

/*
 * Returns the contest of each of these subjects, allocated: 0, 1 ... in the order of their
 * first subjects. Returns NULL if all are in one contest, because they have one bench and
 * backend or one work, or if no two of them have the same work.
 */
size_t *brief_contests(const struct brief_subjects *s, const size_t *subject, size_t count);

#endif
