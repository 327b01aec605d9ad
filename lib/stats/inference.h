/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of statistical inference, shared by all programs that report intervals, tests or
 * change points. A result is significant if its corrected p is below 1 - confidence. Pure.
 */
#ifndef STATS_INFERENCE_H
#define STATS_INFERENCE_H

#include "base/base.h"

struct infer_test;
struct interval_method;

#define DEFAULT_CONFIDENCE 0.95

/* Each field with its default in parentheses. */
struct inference_opts {
	/* Of intervals and verdicts, between 0 and 1, both excluded (0.95). */
	double confidence;
	/* Of resamples and permutations (1). */
	uint64_t seed;
	/* Of the bootstrap; 0: 10,000, or fewer for very many values (0). */
	uint64_t resamples;
	/* NULL: the first of infer_tests (NULL). */
	const struct infer_test *test;
	/* NULL: the first of interval_methods (NULL). */
	const struct interval_method *interval;
};

/* clang-format off */
#define INFERENCE_DEFAULTS { .confidence = DEFAULT_CONFIDENCE, .seed = 1 }
/* clang-format on */

#endif
