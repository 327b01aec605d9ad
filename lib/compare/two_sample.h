/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares two sides of a subject and metric: which values are compared, the results and
 * the verdict. Pure.
 */
#ifndef COMPARE_TWO_SAMPLE_H
#define COMPARE_TWO_SAMPLE_H

#include <math.h>

#include "record/collect.h"
#include "record/metric.h"
#include "stats/adjust.h"
#include "stats/hierarchy.h"
#include "stats/infer.h"
#include "stats/inference.h"

/*
 * One compared value: a run of a side, a process of its only run, or a sample; or a pair of
 * these, from both sides, in the same run, process or block; or a pair that the caller
 * knows.
 */
enum basis {
	BASIS_NONE,
	BASIS_BLOCK,
	BASIS_RUN,
	BASIS_PROCESS,
	BASIS_SAMPLE,
	BASIS_RUN_PAIR,
	BASIS_PROCESS_PAIR,
	BASIS_PAIR,
};
bool basis_is_paired(enum basis basis);

enum verdict {
	VERDICT_UNSURE,
	VERDICT_SAME,
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_DIFFERS, /* beyond the margin, for a metric without a better direction */
};

struct two_sample_opts {
	enum location location;
	enum better better;
	struct inference_opts inference;
	/* The margin: ratios from 1 / (1 + threshold) to 1 + threshold, or differences of
	 * at most threshold times the smaller of both locations. */
	double threshold;
	bool shift; /* estimate the shift */
	/* The pair to which the samples of each run belong (pair_keys.h). NULL: pairs are
	 * runs, processes and blocks. */
	const uint32_t *pair_of_run;
};

/* The pairs of which only one side has samples: their number, and the first of them. */
enum { UNPAIRED_NAMED = 3 };
struct unpaired {
	size_t count;
	uint32_t pair[UNPAIRED_NAMED];
};

/*
 * The result. NAN: the number does not exist. p, the estimate and the interval come from
 * one test (stats/contrast.h). If all values are positive, the estimate and the interval
 * are those of the ratio, otherwise those of the difference; the others are NAN. With
 * censored values there may be an end without the estimate or the other end.
 */
struct two_sample {
	enum basis basis;
	size_t n_old, n_new; /* values compared */
	/* Of these, how many are only known to exceed a limit (stats/censored.h). Such
	 * sides are compared by ranks. */
	size_t censored_old, censored_new;
	double old, new; /* their locations */
	/* Lower bounds of locations that are censored, and therefore NAN. */
	double old_above, new_above;
	double ratio, ratio_lo, ratio_hi;
	double diff, diff_lo, diff_hi;
	double p, p_adj;
	double effect;   /* Cliff's delta, infer_cliff_delta */
	bool can_differ; /* false: all values of both sides are equal */
	enum verdict verdict;
	double runs_needed; /* additional values on each side; only if unsure */
	/* Of an unsure result, the values on each side with which p_adj can be significant,
	 * if no other p is; 0: it can be with n_old and n_new. */
	size_t values_least;
	const char *test; /* the test's name; NULL: no test */
	double shift;     /* see hodges_lehmann.h; only if requested */
	/* Only with two_sample_opts.pair_of_run and samples on both sides: */
	struct unpaired unpaired_old, unpaired_new;
	size_t reduced; /* pairs with several samples on a side */
};

/* clang-format off */
#define TWO_SAMPLE_NONE { .old = NAN, .new = NAN, .old_above = NAN, \
	.new_above = NAN, .ratio = NAN, .ratio_lo = NAN, \
	.ratio_hi = NAN, .diff = NAN, .diff_lo = NAN, .diff_hi = NAN, .p = NAN, \
	.p_adj = NAN, .effect = NAN, .runs_needed = NAN, .shift = NAN }
/* clang-format on */

/* Fills all fields except p_adj, verdict and runs_needed. NULL: a side without values. */
void two_sample_measure(const struct collected *old, const struct collected *new,
    const struct two_sample_opts *opts, struct two_sample *out);
/* Fills p_adj: the p of all results, corrected for their number. Returns the number of
 * tests that count, or 1 without a correction. */
size_t two_sample_adjust(
    struct two_sample *const *result, size_t count, enum adjust adjust);
/*
 * Returns the verdict. The whole interval and p_adj decide whether there is a difference:
 * the interval is beyond the margin and p_adj is below the level. If the interval is within
 * the margin, the verdict is VERDICT_SAME (two one-sided tests, D. J. Schuirmann, Journal
 * of Pharmacokinetics and Biopharmaceutics 15 (1987), each at half the level).
 */
enum verdict two_sample_verdict(
    const struct two_sample *c, const struct two_sample_opts *opts);
/* Fills verdict, runs_needed and values_least. tests: the number returned by
 * two_sample_adjust(). */
void two_sample_judge(
    struct two_sample *c, const struct two_sample_opts *opts, size_t tests);

extern const char *const basis_names[], *const verdict_names[];

#endif
