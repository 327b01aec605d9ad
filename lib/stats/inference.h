/*
 * Options of statistical inference, which all programs that report intervals, tests or
 * change points share. A result is significant when its p, corrected, is below
 * 1 - confidence. Pure.
 */
#ifndef INFERENCE_H
#define INFERENCE_H

#include "base/base.h"

struct infer_test;
struct interval_method;

#define DEFAULT_CONFIDENCE 0.95

struct inference_opts {
	double
	    confidence; /* of intervals and verdicts: a fraction, 0 and 1 excluded (0.95) */
	uint64_t seed;  /* of resamples and permutations (1) */
	uint64_t resamples; /* of the bootstrap, each a draw of both sides; 0: 10,000, and
	                       fewer of very many values (0) */
	const struct infer_test *test; /* NULL: the first of infer_tests (NULL) */
	const struct interval_method
	    *interval; /* NULL: the first of interval_methods (NULL) */
};

#define INFERENCE_DEFAULTS                                  \
	{                                                   \
		.confidence = DEFAULT_CONFIDENCE, .seed = 1 \
	}

#endif
