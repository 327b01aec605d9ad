/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks subjects by the values of one metric: finds the best one, and compares each other
 * one with it as bench-compare does with the best one as its reference. In a sweep, the
 * subjects of each size are a contest of their own, with its best one. Pure.
 */
#ifndef BRIEF_RANKING_H
#define BRIEF_RANKING_H

#include "compare/noise_floor.h"
#include "compare/two_sample.h"

struct ranking_opts {
	enum better better; /* of the metric; BETTER_NEITHER is BETTER_LOWER */
	struct inference_opts inference;
	double threshold; /* largest relative difference treated as none */
	enum adjust adjust;
	/* Noise floors, and the place in them of each subject; NULL: none. */
	struct noise_floor *floors;
	const size_t *place;
	/* The contest of each subject; NULL: all are in one. */
	const size_t *contest;
};

/* Why a subject has this place. */
enum rank {
	RANK_BEST,
	RANK_ALONE,    /* the only subject of its contest, of several contests */
	RANK_COMPARED, /* result has a verdict; it is better or worse than the best one */
	RANK_FEW,      /* compared, but more values are needed for a verdict */
	RANK_FAILED,   /* all samples failed, without limits that the values exceed */
	RANK_EMPTY,    /* it was not measured */
};

struct ranking_item {
	size_t subject; /* its number */
	size_t contest;
	enum rank rank;
	size_t values;           /* without those of samples that failed or timed out */
	size_t failed, timeouts; /* samples; failed includes timeouts */
	double median;           /* NAN: unknown */
	double above;            /* a lower bound of an unknown median, or NAN */
	/* The comparison: old is the best subject, new is this one. */
	struct two_sample result;
	double margin; /* the larger of threshold and noise floor */
	/* The factor by which the best subject is better, and its interval; NAN: unknown.
	 * If timeouts bound the ratio, there may be only times_lo. */
	double times, times_lo, times_hi;
};

struct ranking {
	/* By contest; the best one first, those without values last. */
	struct ranking_item *item;
	size_t count;
	size_t compared; /* items with RANK_COMPARED or RANK_FEW */
	double confidence, threshold;
	double alpha; /* the level of significance */
};

/*
 * Ranks subjects by their medians. values[i] are those of subject i, collected with
 * COLLECT_IDENTITY and in any order; NULL: none. If no subject of a contest has a median,
 * none of it is best. All p are corrected for the comparisons of all contests.
 * End with ranking_free().
 */
void ranking_make(struct ranking *r, const struct collected *const *values, size_t count,
    const struct ranking_opts *opts);
/* Returns whether the best subject, of a single contest, is better than all others that are
 * compared. */
bool ranking_is_clear(const struct ranking *r);
void ranking_free(struct ranking *r);

#endif
