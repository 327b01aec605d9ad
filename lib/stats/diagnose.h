/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of the values of a group, in the order in which they were measured, for problems
 * of the measurement. Pure.
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
	AILMENT_SWITCHES, /* from here on: correlation with another metric */
	AILMENT_INVOLUNTARY,
	AILMENT_MIGRATIONS,
	AILMENT_FAULTS,
	AILMENT_STEAL,
	AILMENTS
};

struct ailment_type {
	const char *name;
	const char *metric; /* with which the values are correlated; NULL: none */
	const char *meaning;
	const char *before,
	    *after; /* strings around the value, after the meaning; NULL: no value */
	int digits;
	double scale;
	const char *advice; /* what to do */
};
extern const struct ailment_type ailments[AILMENTS];

/* Values in order of time. The values of a segment, a run or a process, are adjacent. */
struct diagnosed {
	const double *value;
	size_t n;
	const size_t *start; /* where each segment begins */
	size_t starts;
};

/*
 * The result of a check. NAN: the number does not exist. A check that has no p sets
 * `certain` if it finds something. A result with neither means that the check was not made,
 * because there are fewer than DIAGNOSE_LEAST values or all are equal.
 */
struct symptom {
	double value, p;
	bool certain; /* found by a check without p */
};

enum { DIAGNOSE_LEAST = 10 };

/*
 * Counts the values far from the median, in median absolute deviations (F. R. Hampel, "The
 * influence curve and its role in robust estimation", JASA 69 (1974)); of logarithms if all
 * values are positive. 1.4826 deviations are a standard deviation of normal values. The
 * quotient is compared with Student's t with 0.37 (n - 1) degrees of freedom, 0.37 being
 * the efficiency of this deviation, and its p is multiplied by n. A value is far if that p
 * is below alpha; the result has the p of the farthest value. Not made if half the values
 * are equal.
 */
struct symptom diagnose_outliers(const double *value, size_t n, double alpha);
/*
 * Checks whether neighbors in time resemble each other, or differ more than other values:
 * von Neumann's ratio of ranks (R. Bartels, "The rank version of von Neumann's ratio test
 * for randomness", JASA 77 (1982)), summed over the segments. The value is 1 minus half
 * that ratio, nearly the correlation of the ranks of neighbors. Two-sided.
 */
struct symptom diagnose_autocorrelation(const struct diagnosed *d);
/*
 * Checks whether values rise or fall during a segment: Spearman's rank correlation of value
 * and position, summed over the segments (as R. M. Hirsch, J. R. Slack, "A nonparametric
 * trend test for seasonal data", Water Resources Research 20 (1984), sum Kendall's
 * correlation). Two-sided. The value is the median of the last third minus that of the
 * first third, divided by the median of all values.
 */
struct symptom diagnose_drift(const struct diagnosed *d);
/*
 * Checks for more than one mode with the dip (dip.h). Equal values are first spread evenly
 * over the smallest step between values.
 */
struct symptom diagnose_modes(const double *value, size_t n);
/* Checks whether at most half the values are distinct, and all are a whole number of steps
 * apart. The value is the step; NAN if all values are equal. */
struct symptom diagnose_clock(const double *value, size_t n);
/*
 * Checks whether values increase with another metric of the same samples: the rank
 * correlation within the segments, one-sided. Not made if the other metric is constant.
 */
struct symptom diagnose_companion(const struct diagnosed *d, const double *other);

#endif
