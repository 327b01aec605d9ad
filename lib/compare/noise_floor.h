/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Noise floors: how far the ratio of two sides is from 1 although their code is the same,
 * estimated from subjects that were measured beside themselves (bench-run --aa) and from
 * several runs of the same commit.
 */
#ifndef COMPARE_NOISE_FLOOR_H
#define COMPARE_NOISE_FLOOR_H

#include "compare/two_sample.h"

struct noise_floor;
/* schema: of the rows that come. */
struct noise_floor *noise_floor_open(const struct schema *schema);
/*
 * Adds a row to a place: a number for a subject, metric and unit, on one side or on any.
 * Rows with an aa always count; with history those of other runs also do: a run's location
 * is one value, and runs of one commit ran the same code. A commit
 * that ends in -dirty may be any code and does not count.
 */
void noise_floor_row(
    struct noise_floor *f, const struct row *row, size_t place, bool history);
/* Ends the rows. one_subject: no place has rows of several subjects, so that duplicate rows
 * of halves are known and left out. */
void noise_floor_finish(struct noise_floor *f, bool one_subject);
/*
 * Returns the floor of a place as a margin, for a comparison that was measured: 0.03 when
 * ratios from 1 / 1.03 to 1.03 are noise. NAN: nothing is known. The greatest of these:
 *
 * A/A: the farther end of the interval of b / a from 1, on the scale of logarithms: the
 * ratio and its interval are those of two_sample_measure, so of pairs in blocks. Below 6
 * pairs there is no interval and the ratio itself counts.
 *
 * A/A of several processes or runs, whose differences d of the halves' log locations vary
 * by more than their samples do: t sqrt(sum d^2) / n, the bound of the mean of n more of
 * them, of which the true mean is 0; t is Student's quantile for n degrees of freedom.
 *
 * Both are for as many pairs, of samples, processes or runs, as the A/A has; a comparison
 * of fewer gets the root of the quotient more, and one within a run is one of those runs.
 *
 * History, where runs are compared with runs, not block with block: the prediction bound of
 * the difference of two means of future runs (G. J. Hahn, W. Q. Meeker, "Statistical
 * Intervals", 1991), t s sqrt(1 / old runs + 1 / new runs), where s is the standard
 * deviation of the logarithms of the runs' locations about the mean of their commit, pooled
 * over commits, and t Student's quantile for its degrees of freedom, of which there must be
 * two.
 */
double noise_floor_margin(struct noise_floor *f, size_t place,
    const struct two_sample_opts *opts, const struct two_sample *of);
void noise_floor_close(struct noise_floor *f);

#endif
