/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the median of a resample without drawing the resample. Pure.
 *
 * The median of n values drawn with replacement from n sorted values is one of them, or the
 * mean of two. The distribution of their ranks depends only on n: it is that of the order
 * statistics of n uniform numbers among 1 .. n (B. Efron, "Bootstrap methods: another look
 * at the jackknife", Annals of Statistics 7 (1979), section 3). So the ranks are drawn from
 * a table, by the alias method (M. D. Vose, "A linear algorithm for generating random
 * numbers with a given distribution", IEEE Transactions on Software Engineering 17(9),
 * 1991).
 */
#ifndef STATS_BOOTSTRAP_MEDIAN_H
#define STATS_BOOTSTRAP_MEDIAN_H

#include "base/base.h"
#include "base/rng.h"

/* The two middle values of a resample, as indices of the sorted sample; equal if n is odd.
 */
struct bootstrap_median_ranks {
	uint32_t low, high;
};

struct bootstrap_median_entry {
	uint32_t keep,
	    alias; /* draw this entry below `keep` of 2^32, otherwise its alias */
};

/* The pairs of ranks that can be drawn from n values, with their alias table. */
struct bootstrap_median_table {
	size_t n, count;
	struct bootstrap_median_ranks *ranks;
	struct bootstrap_median_entry *entry;
};

/* Tables by n, each made when it is first needed. Initialize with zeros. */
struct bootstrap_median {
	struct bootstrap_median_table **table;
	size_t count;
};

enum { BOOTSTRAP_MEDIAN_MOST = 4000 };

/* Returns the table of n values, 1 .. BOOTSTRAP_MEDIAN_MOST. It is valid until
 * bootstrap_median_free(). */
const struct bootstrap_median_table *bootstrap_median_table(
    struct bootstrap_median *r, size_t n);
void bootstrap_median_free(struct bootstrap_median *r);

/* Draws an entry of ranks[] and returns its index. */
static inline uint32_t bootstrap_median_draw(
    const struct bootstrap_median_table *t, struct rng *r)
{
	uint64_t bits = rng_next(r);
	uint32_t i = (uint32_t)((bits >> 32) * t->count >> 32);

	return (uint32_t)bits < t->entry[i].keep ? i : t->entry[i].alias;
}

/*
 * Returns the mean of two values, rounded as in stats_quantile(), so that a resample with
 * the median of the sample has exactly that median. The correction for bias counts such
 * resamples.
 */
static inline double bootstrap_median_between(double low, double high)
{
	return low + 0.5 * (high - low);
}

/* Draws a median for any n, without a table, at a higher cost. */
double bootstrap_median_of(struct rng *r, const double *sorted, size_t n);

#endif
