/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bootstrap intervals of a ratio. Pure; the same seed gives the same interval.
 *
 * Resamples follow the levels of the values (hierarchy.h): units are drawn with
 * replacement, then leaves in each unit, then values in each leaf (T. Kalibera, R. Jones,
 * "Quantifying performance changes with effect size confidence intervals", University of
 * Kent, 2012).
 */
#ifndef STATS_BOOTSTRAP_H
#define STATS_BOOTSTRAP_H

#include "stats/hierarchy.h"
#include "stats/inference.h"

struct interval {
	double lo, hi;
};

/* How the ends of an interval are computed from the resamples. */
struct interval_method {
	const char *name;
	bool accelerated;
	/* Returns the probability whose quantile is the end with the normal deviate z.
	 * NULL: no interval. */
	double (*prob)(double z, double bias, double acceleration);
	const char *meaning;
};

extern const struct interval_method interval_methods[];
extern const size_t interval_methods_count;

enum { BOOTSTRAP_RESAMPLES = 10000 };

/*
 * Returns the least number of units on each side for an interval: at least 6, and enough
 * that the least and the greatest of n units enclose the median with the confidence, which
 * they do with probability 1 - 2^(1 - n).
 */
size_t bootstrap_least(double confidence);

/* Tables and scratch space for many intervals. Each thread needs its own. */
struct bootstrap;
struct bootstrap *bootstrap_open(void);
void bootstrap_close(struct bootstrap *b);

/*
 * Computes the interval of location(new) / location(old) from resamples of both sides, or
 * of pairs. Pairs are two hierarchies of the same shape, whose values at the same place are
 * drawn together. `percentile` takes quantiles of the resamples (B. Efron, R. J.
 * Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13). `bca` corrects them
 * for bias and acceleration (chapter 14; for two samples as in section 14.5 and in SciPy's
 * bootstrap, by the jackknife of the units).
 *
 * Returns false, and leaves the interval unchanged, with fewer than bootstrap_least() units
 * on a side, if a resample has no ratio (its old location is not positive or its new
 * location is negative), or if the method has no result.
 */
bool bootstrap_sides(struct bootstrap *b, const struct hierarchy *old,
    const struct hierarchy *new, const struct inference_opts *opts, struct interval *out);
bool bootstrap_pairs(struct bootstrap *b, const struct hierarchy *old,
    const struct hierarchy *new, const struct inference_opts *opts, struct interval *out);
/* Returns the *count ratios of the resamples of the last interval. */
const double *bootstrap_ratios(const struct bootstrap *b, size_t *count);

#endif
