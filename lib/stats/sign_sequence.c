/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sequential sign test; see sign_sequence.h.
 *
 * p_beyond and p_within use only the medians at the two ends of the margin. With most
 * differences above the upper end, M is greater for each median below it, so the whole
 * margin is rejected at least as clearly as its end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/dist.h"
#include "stats/sign_sequence.h"

double sign_martingale_log(size_t above, size_t below)
{
	double n = (double)above + (double)below;

	return n * log(2) + dist_log_factorial((double)above) +
	       dist_log_factorial((double)below) - dist_log_factorial(n + 1);
}

size_t sign_sequence_least(double level)
{
	size_t n = 1;

	while (sign_martingale_log(n, 0) <= -log(level))
		n++;
	return n;
}

void sign_sequence_begin(struct sign_sequence *s, double level, double margin)
{
	*s = (struct sign_sequence){
		.level = level, .margin = margin, .lo = -INFINITY, .hi = INFINITY
	};
}

void sign_sequence_free(struct sign_sequence *s)
{
	free(s->value);
}

/* Returns the number of values that are less than x, or also those equal to it. */
static size_t values_below(const struct sign_sequence *s, double x, bool equal)
{
	size_t lo = 0, hi = s->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->value[mid] < x || (equal && s->value[mid] <= x))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void insert_value(struct sign_sequence *s, double difference)
{
	size_t at = values_below(s, difference, false);

	(void)VEC_ADD(s->value, s->count, s->cap);
	memmove(&s->value[at + 1], &s->value[at], (s->count - 1 - at) * sizeof(*s->value));
	s->value[at] = difference;
}

/* Updates the evidence at one end of the margin. Differences equal to it do not count. */
static void update_evidence(struct sign_sequence *s, int end)
{
	double median = end == SIGN_ABOVE ? s->margin : -s->margin;
	size_t below = values_below(s, median, false),
	       above = s->count - values_below(s, median, true);
	double *evidence = &s->evidence[end][above > below ? SIGN_ABOVE : SIGN_BELOW];

	if (above != below)
		*evidence = fmax(*evidence, sign_martingale_log(above, below));
}

/*
 * Intersects the confidence sequence with the interval after this difference. An interval
 * that has nothing in common with the sequence is left out: the median has changed.
 */
static void narrow_interval(struct sign_sequence *s)
{
	double lo, hi;

	/* The median is rejected if at most rank - 1 differences are on one side of it. */
	if (2 * s->rank < s->count &&
	    sign_martingale_log(s->rank, s->count - s->rank) > -log(s->level))
		s->rank++;
	if (!s->rank)
		return;
	lo = fmax(s->lo, s->value[s->rank - 1]);
	hi = fmin(s->hi, s->value[s->count - s->rank]);
	if (lo > hi)
		return;
	s->lo = lo;
	s->hi = hi;
}

void sign_sequence_add(struct sign_sequence *s, double difference)
{
	insert_value(s, difference);
	update_evidence(s, SIGN_BELOW);
	update_evidence(s, SIGN_ABOVE);
	narrow_interval(s);
}

double sign_sequence_median(const struct sign_sequence *s)
{
	double low, high;

	if (!s->count)
		return NAN;
	low = s->value[(s->count - 1) / 2];
	high = s->value[s->count / 2];
	return low == high ? low : low + (high - low) / 2;
}

double sign_sequence_p_beyond(const struct sign_sequence *s)
{
	return fmin(1, exp(-fmax(s->evidence[SIGN_ABOVE][SIGN_ABOVE],
	                   s->evidence[SIGN_BELOW][SIGN_BELOW])));
}

double sign_sequence_p_within(const struct sign_sequence *s)
{
	if (s->margin <= 0)
		return 1;
	return fmin(1, exp(-fmin(s->evidence[SIGN_ABOVE][SIGN_BELOW],
	                   s->evidence[SIGN_BELOW][SIGN_ABOVE])));
}

int sign_sequence_side(const struct sign_sequence *s)
{
	return s->evidence[SIGN_ABOVE][SIGN_ABOVE] > s->evidence[SIGN_BELOW][SIGN_BELOW]
	           ? SIGN_ABOVE
	           : SIGN_BELOW;
}
