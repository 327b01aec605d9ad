/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a value grows with the size of the input. Pure.
 *
 * The exponent is the slope of the straight line through the logarithms of values and
 * sizes, by least squares, and its interval that of Student's t for n - 2 degrees of
 * freedom (N. R. Draper, H. Smith, "Applied Regression Analysis", 3rd ed., 1998,
 * section 1.4).
 *
 * A model is a function f. Constants a and b, neither below 0, are fitted so that the sum
 * of squares of the errors, log y - log(a + b f(n)), is least. The best model has the least
 * sum. Another model is also plausible if its sum is at most 1 + F / (n - 3) times the
 * least, where F is the quantile of the F distribution for 1 and n - 3 degrees of freedom:
 * the confidence region of one parameter in addition to a and b, as of an exponent (G. A.
 * F. Seber, C. J. Wild, "Nonlinear Regression", 1989, section 5.3).
 *
 * The model 1, a constant, is chosen instead if the best model is not significantly better
 * by the F test of b (1 and n - 2 degrees of freedom), corrected by Bonferroni's method for
 * the number of models that were fitted. Models that are significantly better without the
 * correction are then also plausible.
 */
#ifndef STATS_GROWTH_H
#define STATS_GROWTH_H

#include "base/base.h"

struct growth_model {
	const char *name;
	double (*of)(double size);
};

enum { GROWTH_MODELS = 7, GROWTH_LEAST_SIZES = 4 };
/* In the order of their growth. */
extern const struct growth_model growth_models[GROWTH_MODELS];

struct growth {
	/* NAN for fewer than two sizes; without an interval for two */
	double exponent, exponent_lo, exponent_hi;
	/* An index; -1 with fewer than GROWTH_LEAST_SIZES different sizes. */
	int model;
	double constant, factor;       /* a and b of the model; no b (NAN) of a constant */
	double error;                  /* root mean square of the errors */
	bool plausible[GROWTH_MODELS]; /* true for the model itself */
};

/* Fills out. The n sizes are in ascending order. Sizes and values are positive and finite.
 */
void growth_of(const double *size, const double *value, size_t n, double confidence,
    struct growth *out);

#endif
