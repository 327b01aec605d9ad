/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of statistical inference, shared by all programs that report intervals, tests or
 * change points. Pure.
 */
#ifndef STATS_INFERENCE_H
#define STATS_INFERENCE_H

#include "base/base.h"

struct infer_test;

#define DEFAULT_CONFIDENCE 0.95

/* Each field with its default in parentheses. */
struct inference_opts {
	/* Of intervals and verdicts, between 0 and 1, both excluded (0.95). */
	double confidence;
	/* Of the permutations of change points (1). */
	uint64_t seed;
	/* NULL: the first of infer_tests (NULL). */
	const struct infer_test *test;
};

/* Returns the significance level: a p is significant if it is less. The difference of 1 and
 * a decimal confidence has a rounding error, which must not make a p at the level
 * significant. */
static inline double inference_alpha(const struct inference_opts *opts)
{
	return (1 - opts->confidence) * (1 - 1e-12);
}

/* clang-format off */
#define INFERENCE_DEFAULTS { .confidence = DEFAULT_CONFIDENCE, .seed = 1 }
/* clang-format on */

#endif
