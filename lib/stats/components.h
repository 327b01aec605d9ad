/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Components of variance: between runs, between the processes of a run, and between the
 * samples of a process. Pure.
 *
 * A tier counts only if it can be distinguished from the tier below: runs if there are
 * several, processes if a run has several, samples if a process has several.
 */
#ifndef STATS_COMPONENTS_H
#define STATS_COMPONENTS_H

#include "base/base.h"
#include "stats/hierarchy.h"

extern const char *const tier_names[TIERS];

struct component_value {
	uint32_t run;
	int64_t process;
	double value;
};

/* The component of a tier. NAN: the number does not exist. */
struct component {
	enum tier tier;
	size_t units;      /* total number */
	double variance;   /* unbiased, so it may be negative; in units of scale^2 */
	double error;      /* contribution to the variance of the mean, likewise */
	double best;       /* optimal number of units in a unit of the tier above */
	double error_best; /* error, likewise, if all tiers have their optimal numbers */
};

struct components {
	struct component tier[TIERS]; /* from the highest */
	size_t count;                 /* 0: fewer than two values */
	/* A power of two: squares of the values themselves may exceed the range of doubles.
	 */
	double scale;
};

/*
 * Estimates the components by the analysis of variance of a nested random model. Each sum
 * of squares is set equal to its expectation, whose coefficients allow for unequal numbers
 * (S. R. Searle, G. Casella, C. E. McCulloch, "Variance Components", 1992, section 5.3).
 * With equal numbers the estimates are T^2 of T. Kalibera, R. Jones, "Rigorous benchmarking
 * in reasonable time", ISMM 2013, section 6.
 *
 * best is the optimum of that paper: sqrt(cost above / cost * variance / variance above),
 * rounded up; for the highest tier, the number that costs as much as all these values did.
 * cost, by tier, is the cost of a unit without the units in it; NULL: all costs are equal.
 * The tier above a tier without variance takes its place; if none is left, best is NAN.
 *
 * Sorts the values in place, by run and process.
 */
void components_of(
    struct component_value *v, size_t n, const double cost[TIERS], struct components *out);

#endif
