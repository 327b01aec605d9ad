/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search for the highest rate at which a service level is kept. Pure.
 *
 * The rate is doubled or halved until it lies between one that keeps the level and one that
 * does not, and this interval is then bisected. A rate keeps the level, or does not, only
 * if an interval of the share of requests that keep their limits lies on one side of the
 * share that must keep them.
 */
#ifndef LOAD_RATE_SEARCH_H
#define LOAD_RATE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a rate keeps the service level. */
enum rate_verdict { RATE_KEEPS, RATE_BREAKS, RATE_UNDECIDED };

/* The share of requests that keep their limits, as far as periods have shown it. */
struct share_estimate {
	double requests, kept;
	double effective; /* the number of independent requests that would say as much */
};

/*
 * Adds the requests of a period, in the order of their arrival. The fates of successive
 * requests are similar, because they wait together. The effective number follows from the
 * means of batches of successive requests (L. Kish, Survey Sampling, 1965, section 8.2, for
 * the design effect; A. M. Law, Simulation Modeling and Analysis, section 9.5, for batch
 * means).
 */
void share_estimate_add(struct share_estimate *e, const bool *kept, size_t requests);
/*
 * Compares the share with the one that is required, by the interval of C. J. Clopper and E.
 * S. Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934), with the
 * effective number of requests.
 */
enum rate_verdict share_estimate_judge(
    const struct share_estimate *e, double share, double confidence);
/* Returns the least number of requests that can show that a share is kept. */
size_t share_requests(double share, double confidence);

/* The number of times that an undecided rate is tried again, each time with twice the
 * requests. */
enum { RATE_DOUBLINGS = 3 };

struct rate_search {
	/* rates in requests per second */
	double keeps;                   /* the highest that keeps the level; 0: none */
	double breaks;                  /* the lowest that breaks it; INFINITY: none */
	double rate;                    /* of the next period; 0: the search is over */
	size_t requests;                /* of the next period */
	struct share_estimate estimate; /* at this rate */
	double share, confidence;
	double least, most; /* the rates between which the search stays */
};

/* Begins at half of the capacity: the highest rate, in requests per second, that the
 * servers are expected to complete. */
void rate_search_begin(
    struct rate_search *s, double capacity, double share, double confidence);
/* Adds the requests of the next period, and chooses the one after it. A rate that keeps the
 * level in a period whose servers are saturated breaks it in a longer one. A rate that
 * remains undecided ends the search. */
void rate_search_note(
    struct rate_search *s, const bool *kept, size_t requests, bool saturated);
/* Returns the geometric mean of the ends of the interval; NAN if no rate keeps the level,
 * or all rates do. */
double rate_search_middle(const struct rate_search *s);

#endif
