/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows gathered into one array of values a group: what bench-stat, bench-compare,
 * bench-plot and bench-run's own summary all do with a stream. Applies the contract's
 * rules: warm-ups are left out, rows that failed are counted, a time series is reduced to
 * its mean per (run, process, sample) of each subject.
 */
#ifndef RECORD_COLLECT_H
#define RECORD_COLLECT_H

#include "base/sample_id.h"
#include "record/group.h"

struct collected {
	double *value;
	struct sample_id *identity; /* kept on request, else NULL; parallel to value */
	int64_t *began; /* the same: when its row began, ns since 1970, or ROW_NONE */
	size_t count;
	size_t failed;   /* rows whose status was not ok, warm-ups aside */
	size_t censored; /* those of them that are timeouts */
};

enum { COLLECT_IDENTITY = 1, COLLECT_TIME = 2 };

struct collect;
struct collect *collect_open(struct groups *groups, int flags); /* borrows the groups */
int collect_row(struct collect *c, const struct row *row);      /* always 0 */
/* The same into a group that the caller has chosen by other means. */
int collect_into(struct collect *c, size_t group, const struct row *row);
/* Call once after the last row; then ask for groups 0 .. groups_count - 1. */
void collect_finish(struct collect *c);
/* Lives until collect_close; empty for a group without rows. */
struct collected *collect_group(struct collect *c, size_t group);
/* The text of the run column by its number in an identity; begins with a NUL when there is
 * none. Once all is finished numbers are in the order of the texts, whichever came first.
 */
struct text collect_run(const struct collect *c, uint32_t run);
void collect_close(struct collect *c);

#endif
