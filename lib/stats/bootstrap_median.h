/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The median of a resample, drawn as one. Pure.
 *
 * The median of n values drawn with replacement from n sorted ones is one of them, or the
 * mean of two, and which ones they are has a distribution that depends on n alone: that of
 * order statistics of n uniform numbers among 1 .. n (B. Efron, "Bootstrap methods: another
 * look at the jackknife", Annals of Statistics 7 (1979), section 3). So it is drawn from a
 * table at once, by the method of aliases (M. D. Vose, "A linear algorithm for generating
 * random numbers with a given distribution", IEEE Transactions on Software Engineering
 * 17(9), 1991).
 */
#ifndef STATS_BOOTSTRAP_MEDIAN_H
#define STATS_BOOTSTRAP_MEDIAN_H

#include "base/base.h"
#include "base/rng.h"

/* The two middle values of a resample, as indices of the sorted sample; odd n: one, twice.
 */
struct bootstrap_median_ranks {
	uint32_t low, high;
};

struct bootstrap_median_entry {
	uint32_t keep, alias; /* below `keep` of 2^32 this entry, otherwise its alias */
};

/* The pairs of ranks that can be drawn from n values, and how to draw one of them. */
struct bootstrap_median_table {
	size_t n, count;
	struct bootstrap_median_ranks *ranks;
	struct bootstrap_median_entry *entry;
};

/* Tables by n, each made when it is first asked for. Zero it to begin. */
struct bootstrap_median {
	struct bootstrap_median_table **table;
	size_t count;
};

enum { BOOTSTRAP_MEDIAN_MOST = 4000 };

/* Returns the table of n values, 1 .. BOOTSTRAP_MEDIAN_MOST; valid until
 * bootstrap_median_free. */
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
 * Returns the middle of two values, rounded as stats_quantile does: a resample with the
 * sample's median is then equal to it, which the correction for bias counts.
 */
static inline double bootstrap_median_between(double low, double high)
{
	return low + 0.5 * (high - low);
}

/* Draws a median for any n without a table, at a higher cost. */
double bootstrap_median_of(struct rng *r, const double *sorted, size_t n);

#endif
