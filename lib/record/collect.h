/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the values of rows into one array for each group, for bench-stat, bench-compare,
 * bench-plot and the summary of bench-run. Applies the rules of bench-csv(5): warm-ups are
 * left out, failed rows are counted, and a time series is reduced to its mean per run,
 * process and sample of each subject, unless each of its values counts (row->each).
 *
 * A request that was never served has no value. Without it, only the requests that were
 * fast enough would be left, so its time since its arrival counts as infinite: its limit is
 * the largest value or limit of the group (metric_is_since_arrival()). A group without
 * values has no such limits.
 */
#ifndef RECORD_COLLECT_H
#define RECORD_COLLECT_H

#include "base/sample_id.h"
#include "record/group.h"

/* The samples of a group without a value. */
struct missing_values {
	size_t failed;   /* rows whose status is not ok, without warm-ups */
	size_t censored; /* failed rows that are timeouts */
	/* the values of timeouts, which the true values exceed; see metric_has_limits();
	 * and the limits of requests that were never served */
	double *limit;
	size_t limits;
	/* parallel to limit; NULL without COLLECT_IDENTITY */
	struct sample_id *limit_identity;
	/* samples that failed or timed out, as opposed to those that were skipped or cannot
	 * be measured here; NULL without COLLECT_IDENTITY */
	struct sample_id *failing;
	size_t failings;
};
extern const struct missing_values none_missing;

/* The values of a group. There may be millions of groups, and few of them lack values. */
struct collected {
	double *value;
	/* parallel to value; NULL without COLLECT_IDENTITY, and with COLLECT_COMPACT until
	 * collect_identify() is called */
	struct sample_id *identity;
	/* the times of the values' rows in ns since 1970, or ROW_NONE; parallel to value;
	 * NULL without COLLECT_TIME */
	int64_t *began;
	size_t count;
	double only;  /* the first value, to which `value` points if there is no other */
	bool several; /* a sample may have several values, which depend on each other */
	const struct missing_values *missing; /* or &none_missing */
};

/* COLLECT_SAMPLES reduces a time series in which each value counts to its median per run,
 * process and sample, for tests that need independent values. COLLECT_COMPACT keeps
 * identities in little memory until they are needed. */
enum { COLLECT_IDENTITY = 1, COLLECT_TIME = 2, COLLECT_SAMPLES = 4, COLLECT_COMPACT = 8 };

struct collect;
struct collect *collect_open(struct groups *groups, int flags); /* borrows the groups */
int collect_row(struct collect *c, const struct row *row);      /* always 0 */
/* Collects a row into a group that the caller chose. Always returns 0. */
int collect_into(struct collect *c, size_t group, const struct row *row);
/* Ends the rows. Call it once after the last row and before collect_group(). */
void collect_finish(struct collect *c);
/* Returns the values of a group below groups_count(); empty for a group without rows. They
 * live until collect_close(). */
struct collected *collect_group(struct collect *c, size_t group);
/* Returns the missing values of a group, which may be changed, or NULL if it has none. */
struct missing_values *collect_missing(struct collect *c, size_t group);
/* Fills in the identities of the values of a group, which COLLECT_COMPACT keeps back. */
void collect_identify(struct collect *c, size_t group);
/* Frees the identities that collect_identify() filled in, until it is called again. Those
 * of a group that lost values to duplicates_drop() remain. */
void collect_forget(struct collect *c, size_t group);
/* Returns the number of runs. */
size_t collect_runs(const struct collect *c);
/* Sets is_run[run] for the runs of the values of a group. */
void collect_mark_runs(const struct collect *c, size_t group, bool *is_run);
/* Returns whether is_run[run] is true for the run of a value of a group. */
bool collect_has_run(const struct collect *c, size_t group, const bool *is_run);
/* Returns whether values of a group have the same run, process and sample, where these are
 * known. Call it before the values are changed. */
bool collect_repeats(const struct collect *c, size_t group);
/* Returns the text of the column run for a number in an identity. It begins with a NUL for
 * a table without this column. After collect_finish(), numbers are in the order of the
 * strings, regardless of the order of the input. */
struct text collect_run(const struct collect *c, uint32_t run);
/* Removes all rows. Not with COLLECT_IDENTITY. */
void collect_reset(struct collect *c);
void collect_close(struct collect *c);

#endif
