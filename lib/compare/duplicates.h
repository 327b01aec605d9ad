/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes duplicate rows, as of a file that was concatenated with itself.
 */
#ifndef COMPARE_DUPLICATES_H
#define COMPARE_DUPLICATES_H

#include "record/collect.h"

/*
 * Removes the values of a group that have the same run, process, sample and value as
 * another value, and failed samples that have the same run, process and sample as another
 * one. Values of a time series each of which counts are kept. The group must have only one
 * subject, whose halves have different identities (row_part_twins()), and the collection,
 * after collect_finish, must keep identities. Returns the number of values and samples
 * removed.
 */
size_t duplicates_drop(struct collect *c, size_t group);

#endif
