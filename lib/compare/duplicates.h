/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Duplicate rows, as of a file that was joined with itself, are no further samples.
 */
#ifndef COMPARE_DUPLICATES_H
#define COMPARE_DUPLICATES_H

#include "record/collect.h"

/*
 * Leaves out the values of a group, which is of one subject, that have the run, process,
 * sample and value of another one. The collection, after collect_finish, keeps identities
 * and nothing else. Returns the number of values left out.
 */
size_t duplicates_drop(struct collect *c, size_t group);

#endif
