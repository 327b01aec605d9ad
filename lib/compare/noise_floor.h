/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Noise floors: how far the ratio of two sides is from 1 if their code is the same. They
 * are estimated from subjects that were measured against themselves (bench-run --aa) and
 * from several runs of the same commit.
 */
#ifndef COMPARE_NOISE_FLOOR_H
#define COMPARE_NOISE_FLOOR_H

#include "compare/two_sample.h"

struct noise_floor;
/* Begins an estimate from rows of this schema. */
struct noise_floor *noise_floor_open(const struct schema *schema);
/*
 * Adds a row to a place, which is the caller's number for a subject, metric, unit and side.
 * A/A rows always count. history: other rows count also; the location of a run is one
 * value, and runs of one commit ran the same code. A commit that ends in -dirty may be any
 * code and is ignored.
 */
void noise_floor_row(
    struct noise_floor *f, const struct row *row, size_t place, bool history);
/* Ends the rows. one_subject: each place has the rows of one subject, so that duplicate A/A
 * rows can be recognized and removed. */
void noise_floor_finish(struct noise_floor *f, bool one_subject);
/*
 * Returns the noise floor of a place as a margin, for a measured comparison: 0.03 if ratios
 * from 1 / 1.03 to 1.03 are noise; NAN if it is unknown. It is the largest of these bounds:
 *
 * A/A: the end of the interval of b / a that is farther from 1, in logarithms. The ratio
 * and its interval are computed by two_sample_measure(), so from pairs in blocks. With too
 * few pairs for an interval there is no such bound.
 *
 * A/A of several processes or runs: their halves differ by d, in logarithms of the
 * locations, and d may vary by more than the samples show. The bound is t sqrt(sum d^2) /
 * n, the bound of the mean of n more such differences, whose true mean is 0; t is Student's
 * quantile for n degrees of freedom.
 *
 * Both bounds are for the number of pairs (of samples, processes or runs) of the A/A. For a
 * comparison of fewer pairs they are multiplied by the square root of the quotient. A
 * comparison within one run counts as one pair of an A/A of runs.
 *
 * History, unless the comparison is of pairs: the prediction bound of the difference of two
 * means of future runs (G. J. Hahn, W. Q. Meeker, "Statistical Intervals", 1991),
 * t s sqrt(1 / old runs + 1 / new runs). s is the standard deviation of the logarithms of
 * the locations of runs about the mean of their commit, pooled over commits, and t is
 * Student's quantile for its degrees of freedom, which are at least two.
 */
double noise_floor_margin(struct noise_floor *f, size_t place,
    const struct two_sample_opts *opts, const struct two_sample *of);
/* Returns whether a place of noise_floor_margin() has A/A rows, but too few for a bound. */
bool noise_floor_few(const struct noise_floor *f, size_t place);
void noise_floor_close(struct noise_floor *f);

#endif
