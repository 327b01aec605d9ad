/*
 * Intervals of a ratio by the bootstrap. Pure; the same seed gives the same interval.
 */
#ifndef BOOTSTRAP_H
#define BOOTSTRAP_H

#include "base.h"

/* What stands for a sample: its median, or its mean (for proportions). */
enum location { LOCATION_MEDIAN, LOCATION_MEAN };

struct interval {
	double lo, hi;
};

enum { BOOTSTRAP_RESAMPLES = 2000, BOOTSTRAP_LEAST = 6 };

double location_of(enum location location, const double *sorted, size_t n);

/*
 * The percentile interval (B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap",
 * 1993, chapter 13) of location(new) / location(old) from resamples of both sides, sorted
 * ascending, or of whole pairs (old[i], new[i]) in any order. There are 2000 resamples; of
 * more than 10,000 pairs fewer, at least 400. False, and the interval left alone, with
 * fewer than 6 values a side, and when a resample's old location is not positive or its new
 * one negative, since the ratio then says nothing.
 */
bool bootstrap_sides(enum location location, const double *old, size_t olds,
    const double *new, size_t news, double confidence, uint64_t seed, struct interval *out);
bool bootstrap_pairs(enum location location, const double *old, const double *new, size_t n,
    double confidence, uint64_t seed, struct interval *out);

#endif
