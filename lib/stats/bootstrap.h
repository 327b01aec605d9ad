/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals of a ratio by the bootstrap. Pure; the same seed gives the same interval.
 *
 * What is resampled has levels (hierarchy.h): units are drawn with replacement, then leaves
 * in each of them, then values in those, as T. Kalibera and R. Jones do ("Quantifying
 * performance changes with effect size confidence intervals", University of Kent, 2012).
 */
#ifndef STATS_BOOTSTRAP_H
#define STATS_BOOTSTRAP_H

#include "stats/hierarchy.h"
#include "stats/inference.h"

struct interval {
	double lo, hi;
};

/* How the ends of an interval follow from the resamples. */
struct interval_method {
	const char *name;
	bool accelerated;
	/* Returns the probability whose quantile is the end with normal deviate z. NULL: no
	 * interval. */
	double (*prob)(double z, double bias, double acceleration);
	const char *meaning;
};

extern const struct interval_method interval_methods[];
extern const size_t interval_methods_count;

enum { BOOTSTRAP_RESAMPLES = 10000 };

/*
 * The fewest units a side of which there is an interval: at least 6, and as many as make
 * the least and the greatest of them enclose the median with that confidence, which they do
 * with 1 - 2^(1 - n).
 */
size_t bootstrap_least(double confidence);

/* Tables and room that many intervals share; each thread has its own. */
struct bootstrap;
struct bootstrap *bootstrap_open(void);
void bootstrap_close(struct bootstrap *b);

/*
 * The interval of location(new) / location(old) by resamples of both sides, or of pairs:
 * two nests of the same shape, whose values at the same place keep together. `percentile`
 * takes quantiles of the resamples (B. Efron, R. J. Tibshirani, "An Introduction to the
 * Bootstrap", 1993, chapter 13), `bca` corrects them for bias and acceleration (chapter 14;
 * of two samples as in section 14.5 and in SciPy's bootstrap, by the jackknife of the
 * units). False,
 * and the interval left alone, with fewer than bootstrap_least units a side, when a
 * resample's old location is not positive or its new one negative, since the ratio then
 * says nothing, and where the method has no answer.
 */
bool bootstrap_sides(struct bootstrap *b, const struct hierarchy *old,
    const struct hierarchy *new, const struct inference_opts *opts, struct interval *out);
bool bootstrap_pairs(struct bootstrap *b, const struct hierarchy *old,
    const struct hierarchy *new, const struct inference_opts *opts, struct interval *out);
/* The ratios of the last interval's resamples; *count of them. */
const double *bootstrap_ratios(const struct bootstrap *b, size_t *count);

#endif
