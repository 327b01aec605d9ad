/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sequential sign test of differences that are observed one after the other, such as
 * the logarithms of the ratios new / old of successive rounds. The results are valid
 * after each difference, so that one may stop as soon as they are enough. Pure.
 *
 * The test assumes that, regardless of earlier ones, a difference is as likely to be above
 * its median as below it, and that this median is the same in all rounds. It assumes
 * nothing about the distribution, nor that the differences are independent.
 */
#ifndef STATS_SIGN_SEQUENCE_H
#define STATS_SIGN_SEQUENCE_H

#include "base/base.h"

/*
 * Returns the logarithm of M = 2^n B(above + 1, below + 1), with n = above + below and
 * the beta function B: the likelihood of these signs, averaged over all chances of a sign
 * "above", relative to the chance 1/2. If the chance is 1/2, M is a martingale with
 * expectation 1, so it ever reaches 1/a with probability at most a (J. Ville, Étude
 * critique de la notion de collectif, 1939; H. Robbins, "Statistical methods related to
 * the law of the iterated logarithm", Annals of Mathematical Statistics 41 (1970)).
 */
double sign_martingale_log(size_t above, size_t below);
/* Returns the least number of differences, all of one sign, with M > 1 / level. */
size_t sign_sequence_least(double level);

enum { SIGN_BELOW, SIGN_ABOVE, SIGN_SIDES };

/* Fields are read by others, but written only by the functions below. */
struct sign_sequence {
	double level;  /* of the confidence sequence: 1 - confidence */
	double margin; /* differences of medians up to this one do not matter */
	double *value; /* ascending */
	size_t count, cap;
	size_t rank; /* of the ends of the interval, from the extremes; 0: no interval */
	/*
	 * The confidence sequence of the median: the intersection of the intervals after
	 * each difference, which contain the medians that the test does not reject (S. R.
	 * Howard, A. Ramdas, "Sequential estimation of quantiles", Bernoulli 28 (2022)).
	 * Infinite if there are too few differences.
	 */
	double lo, hi;
	/*
	 * The largest log M for the medians -margin and margin, while most differences
	 * were below the median, or above it.
	 */
	double evidence[SIGN_SIDES][SIGN_SIDES];
};

/* Begins a sequence. The margin is not negative. */
void sign_sequence_begin(struct sign_sequence *s, double level, double margin);
/* Adds a difference, which may be infinite, but not NAN. */
void sign_sequence_add(struct sign_sequence *s, double difference);
/* Returns the median of the differences; NAN if there are none. */
double sign_sequence_median(const struct sign_sequence *s);
/*
 * Return an always-valid p (R. Johari, P. Koomen, L. Pekelis, D. Walsh, "Always valid
 * inference", Operations Research 70 (2022)): the probability that it is ever at most a
 * is at most a if the median lies within the margin (p_beyond), or is at least the margin
 * away from 0 (p_within; always 1 without a margin).
 */
double sign_sequence_p_beyond(const struct sign_sequence *s);
double sign_sequence_p_within(const struct sign_sequence *s);
/* Returns on which side of the margin p_beyond places the median. */
int sign_sequence_side(const struct sign_sequence *s);
void sign_sequence_free(struct sign_sequence *s);

#endif
