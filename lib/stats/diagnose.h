/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be wrong with a sample: checks of its values in the order in which they were
 * measured. Pure.
 */
#ifndef STATS_DIAGNOSE_H
#define STATS_DIAGNOSE_H

#include "base/base.h"

enum ailment {
	AILMENT_OUTLIERS,
	AILMENT_AUTOCORRELATION,
	AILMENT_DRIFT,
	AILMENT_MODES,
	AILMENT_CLOCK,
	AILMENT_SWITCHES, /* from here on: values that go with another metric */
	AILMENT_INVOLUNTARY,
	AILMENT_MIGRATIONS,
	AILMENT_FAULTS,
	AILMENT_STEAL,
	AILMENTS
};

struct ailment_type {
	const char *name;
	const char *metric; /* of the values that these go with; NULL: none */
	const char *meaning;
	const char *before,
	    *after; /* of the value, told behind the meaning; NULL: untold */
	int digits;
	double scale;
	const char *advice; /* what to do */
};
extern const struct ailment_type ailments[AILMENTS];

/* The values of a segment, a run or a process, stand together; their order is that in time.
 */
struct diagnosed {
	const double *value;
	size_t n;
	const size_t *start; /* where each segment begins */
	size_t starts;
};

/*
 * NAN is a number that does not exist. A check without p finds or finds not; one with
 * neither was not made: fewer than DIAGNOSE_LEAST values, or all equal.
 */
struct symptom {
	double value, p;
	bool certain; /* found, and there is no p to it */
};

enum { DIAGNOSE_LEAST = 10 };

/*
 * How many values lie far from the median, in median absolute deviations; of logarithms
 * when all values are positive. 1.4826 deviations are a standard deviation of normal
 * values; the quotient is held against Student's t with 0.37 (n - 1) degrees of freedom,
 * 0.37 being the efficiency of this deviation, and its p multiplied by n. A value lies far
 * when that is below alpha; p is that of the farthest. (F. R. Hampel, "The influence curve
 * and its role in robust estimation", JASA 69 (1974), for the deviation.) Not made when
 * half the values are equal.
 */
struct symptom diagnose_outliers(const double *value, size_t n, double alpha);
/*
 * Whether neighbours in time resemble each other, or differ more than others: von Neumann's
 * ratio of ranks (R. Bartels, "The rank version of von Neumann's ratio test for
 * randomness", JASA 77 (1982)), summed over the segments. The value is 1 less half that
 * ratio, nearly the correlation of the ranks of neighbours. Two-sided.
 */
struct symptom diagnose_autocorrelation(const struct diagnosed *d);
/*
 * Whether values rise or fall in the course of a segment: Spearman's rank correlation of
 * value and place, summed over the segments (as R. M. Hirsch, J. R. Slack, "A nonparametric
 * trend test for seasonal data", Water Resources Research 20 (1984), sum Kendall's).
 * Two-sided. The value is the median of the last third less that of the first, by the
 * median of all.
 */
struct symptom diagnose_drift(const struct diagnosed *d);
/*
 * Whether there is more than one mode: the dip (dip.h). Equal values are first spread
 * evenly over the smallest step between values.
 */
struct symptom diagnose_modes(const double *value, size_t n);
/* Whether at most half the values are distinct, all a whole number of steps apart. The
 * value is the step; NAN when all are equal. */
struct symptom diagnose_clock(const double *value, size_t n);
/*
 * Whether a greater value goes with a greater one of another metric of the same sample: the
 * rank correlation within the segments, one-sided. Empty where the other is constant.
 */
struct symptom diagnose_companion(const struct diagnosed *d, const double *other);

#endif
