/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least p that a test can have with few values. Pure.
 */
#ifndef STATS_LEAST_P_H
#define STATS_LEAST_P_H

#include "stats/infer.h"

/*
 * Returns the least p that a test can have with m and n values, or with n pairs: the p of
 * sides, or pairs, that differ as much as possible. Returns 1 if the test cannot be
 * computed.
 */
double least_p_sides(const struct infer_test *test, size_t m, size_t n);
double least_p_pairs(const struct infer_test *test, size_t n);

/*
 * Returns the least number of values k on each side, or of pairs, from which on p can be
 * significant, which is if p times `tests` is below 1 - confidence. A side that has more
 * than k values keeps them. Returns 0 if m and n values are enough. For pairs m equals n.
 */
size_t least_p_values(const struct infer_test *test, bool paired, size_t m, size_t n,
    size_t tests, double confidence);

#endif
