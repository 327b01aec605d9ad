/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The range in which a statistic lies, and whether a limit is kept. Samples without a value
 * are part of the range: it contains the interval that would result from any values of
 * them. Pure.
 */
#ifndef BUDGET_BUDGET_ESTIMATE_H
#define BUDGET_BUDGET_ESTIMATE_H

#include "stats/stats.h"

/* The values of a group, sorted, and the samples that have none. */
struct budget_values {
	const double *sorted;
	size_t n;
	size_t missing; /* samples without a value */
	size_t above;   /* those of them whose values are at least `limit` */
	double limit;
	bool is_proportion; /* every value is 0 or 1 and says whether a trial succeeded */
};

struct budget_range {
	double lo, hi;    /* infinite: no such end */
	bool is_interval; /* false: without missing values, both ends are the value */
};

/* Returns the range of a statistic, whose value in the summary of these values is known. */
struct budget_range budget_range_of(const struct statistic *s, double value,
    const struct budget_values *v, double confidence);

enum budget_verdict { BUDGET_BROKEN, BUDGET_UNDECIDED, BUDGET_MET };
extern const char *const budget_verdict_names[]; /* broken, undecided, met */

/*
 * Returns whether a statistic in this range is between two limits, either of which may be
 * infinite. A limit belongs to what it allows. Sets *hopeless if the verdict is undecided
 * because the range has no end where a limit needs one.
 */
enum budget_verdict budget_judge(
    const struct budget_range *range, double min, double max, bool *hopeless);

#endif
