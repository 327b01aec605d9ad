/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variance by tier: between runs, between the processes of a run, between the samples of a
 * process. Pure.
 *
 * A tier counts only where it can be told from the one below: runs where there are
 * several, processes where some run has several, samples where some process has several.
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

/* NAN is a number that does not exist. */
struct component {
	enum tier tier;
	size_t units;      /* how many there are in all */
	double variance;   /* unbiased, and so possibly negative */
	double error;      /* of variance: what the tier adds to the variance of the mean */
	double best;       /* how many units a unit of the tier above should have */
	double error_best; /* error, with all tiers at their best */
};

struct components {
	struct component tier[TIERS]; /* from the top */
	size_t count;                 /* 0: fewer than two values */
};

/*
 * Estimators from the analysis of variance of a nested random model: each sum of squares is
 * set equal to its expectation, whose coefficients allow for unequal numbers (S. R. Searle,
 * G. Casella, C. E. McCulloch, "Variance Components", 1992, section 5.3); with equal
 * numbers they are T^2 of T. Kalibera, R. Jones, "Rigorous benchmarking in reasonable
 * time", ISMM 2013, section 6.
 *
 * best is that paper's optimum: sqrt(cost above / cost * variance / variance above) rounded
 * up; of the top tier, as many as cost what all these values did. cost, by tier, is what
 * a unit costs beside the units in it; NULL: all alike. A tier of no variance passes its
 * part on to the one above it, and where none is left best is NAN.
 *
 * The values are sorted in place, by run and process.
 */
void components_of(
    struct component_value *v, size_t n, const double cost[TIERS], struct components *out);

#endif
