/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the rows of a comparison that decide its verdict: those of primary metrics, see
 * metrics_primary(). In a benchmark without a primary metric, all rows decide. Pure.
 */
#ifndef RECORD_PRIMARY_H
#define RECORD_PRIMARY_H

#include "record/group.h"
#include "record/metric.h"

struct primary;
/* Opens an empty collection of groups. Both arguments must outlive the result. */
struct primary *primary_open(const struct groups *groups, const struct metrics *metrics);
/* Notes that a group is compared. Its benchmark is its kind and bench. */
void primary_add(struct primary *p, size_t group);
/*
 * Returns whether a group decides: its metric is primary, or no primary metric of its
 * benchmark was added. The metric ok does not count here, because it measures nothing.
 */
bool primary_decides(struct primary *p, size_t group);
void primary_close(struct primary *p);

#endif
