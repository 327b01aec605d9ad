/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Medians and other quantiles of collected values for people. Pure.
 */
#ifndef BRIEF_BRIEF_MEDIAN_H
#define BRIEF_BRIEF_MEDIAN_H

#include "brief/brief.h"
#include "stats/stats.h"

/* Computes the statistics of values without changing their order. `above` has the
 * statistics for which timeouts leave only a lower bound. */
struct summary brief_summary_of(
    const struct collected *values, double confidence, struct summary *above);
/*
 * Appends the median of a group with half its interval, such as "4.32 ms ± 0.05 ms", with
 * both ends of an interval if it is far from their middle, or a lower bound of it. Returns
 * whether it has an interval.
 */
bool brief_put_median(struct buf *b, const struct collected *values, struct text unit,
    const struct brief_opts *opts);
/* Appends the median of a group without an interval, or a lower bound of it. */
void brief_put_bare_median(struct buf *b, const struct collected *values, struct text unit,
    const struct brief_opts *opts);
/*
 * Appends the median of a group of this metric, with half its interval unless the values
 * depend on each other: several values of a sample, or requests that wait for each other.
 * Returns whether it has an interval.
 */
bool brief_put_median_of(struct buf *b, const struct collected *values, struct text metric,
    struct text unit, const struct brief_opts *opts);
/* Appends the quantiles from 90% on that have at least two values above them, such as
 * "p90 1.2 ms, p99 2.3 ms". */
void brief_put_quantiles(struct buf *b, const struct collected *values, struct text unit,
    const struct brief_opts *opts);
/* Returns the least number of values with an interval of the median. */
size_t brief_values_needed(double confidence);

#endif
