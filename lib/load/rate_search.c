/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches for the highest rate; see rate_search.h.
 */
#include <math.h>

#include "load/rate_search.h"
#include "stats/dist.h"

enum { BATCHES = 20, MORE = 8 };

/* The ratio of the ends of an interval that is not bisected further, and of the highest and
 * the lowest rate that are tried to the capacity. */
static const double fine_enough = 1.05, most_of_capacity = 4, least_of_capacity = 1. / 32;

/* Returns the variance of the mean of the requests, from the means of their batches. */
static double variance_of_mean(const bool *kept, size_t requests, double mean)
{
	const size_t size = requests / BATCHES;
	double sum = 0;

	for (size_t b = 0; b < BATCHES; b++) {
		double in_batch = 0;

		for (size_t i = b * size; i < (b + 1) * size; i++)
			in_batch += kept[i];
		in_batch = in_batch / (double)size - mean;
		sum += in_batch * in_batch;
	}
	return sum / (BATCHES - 1) / BATCHES;
}

void share_estimate_add(struct share_estimate *e, const bool *kept, size_t requests)
{
	double n = (double)requests, sum = 0, mean, effect = 1;

	for (size_t i = 0; i < requests; i++)
		sum += kept[i];
	mean = sum / n;
	if (requests >= BATCHES && sum > 0 && sum < n)
		effect = variance_of_mean(kept, requests, mean) / (mean * (1 - mean) / n);
	e->requests += n;
	e->kept += sum;
	e->effective += n / fmax(effect, 1);
}

enum rate_verdict share_estimate_judge(
    const struct share_estimate *e, double share, double confidence)
{
	const double tail = (1 - confidence) / 2, n = e->effective,
	             kept = e->kept / e->requests * n, broken = n - kept;

	if (!(e->requests > 0))
		return RATE_UNDECIDED;
	if (kept > 0 && dist_beta_quantile(tail, kept, broken + 1) > share)
		return RATE_KEEPS;
	if (broken > 0 && dist_beta_quantile_above(tail, kept + 1, broken) < share)
		return RATE_BREAKS;
	return RATE_UNDECIDED;
}

size_t share_requests(double share, double confidence)
{
	return (size_t)ceil(log((1 - confidence) / 2) / log(share)) + 1;
}

/* Returns the rate to try next; 0 if there is none. */
static double next_rate(const struct rate_search *s)
{
	double next;

	if (s->keeps > 0 && isfinite(s->breaks))
		return s->breaks <= s->keeps * fine_enough ? 0 : sqrt(s->keeps * s->breaks);
	next = s->keeps > 0 ? s->keeps * 2 : s->breaks / 2;
	return next < s->least || next > s->most ? 0 : next;
}

/* Returns the number of requests of the first period at a rate. */
static size_t least_requests(const struct rate_search *s)
{
	return MORE * share_requests(s->share, s->confidence);
}

/* Sets the next rate, and the number of requests of its first period. */
static void try_rate(struct rate_search *s, double rate)
{
	s->rate = rate;
	s->requests = least_requests(s);
	s->estimate = (struct share_estimate){ 0 };
}

void rate_search_begin(
    struct rate_search *s, double capacity, double share, double confidence)
{
	*s = (struct rate_search){ .breaks = INFINITY,
		.share = share,
		.confidence = confidence,
		.least = capacity * least_of_capacity,
		.most = capacity * most_of_capacity };
	try_rate(s, capacity / 2);
}

void rate_search_note(
    struct rate_search *s, const bool *kept, size_t requests, bool saturated)
{
	enum rate_verdict verdict;

	share_estimate_add(&s->estimate, kept, requests);
	verdict = share_estimate_judge(
	    &s->estimate, s->share, 1 - (1 - s->confidence) / (RATE_DOUBLINGS + 1));
	if (verdict == RATE_UNDECIDED) {
		s->requests *= 2;
		if (s->requests > least_requests(s) << RATE_DOUBLINGS)
			s->rate = 0;
		return;
	}
	/* The queue of such a rate grows as long as the load lasts. A short period does not
	 * show this. */
	if (verdict == RATE_KEEPS && saturated)
		verdict = RATE_BREAKS;
	if (verdict == RATE_KEEPS)
		s->keeps = s->rate;
	else
		s->breaks = s->rate;
	try_rate(s, next_rate(s));
}

double rate_search_middle(const struct rate_search *s)
{
	return s->keeps > 0 && isfinite(s->breaks) ? sqrt(s->keeps * s->breaks) : NAN;
}
