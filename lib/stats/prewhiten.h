/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series whose values remember the one before: x(t) = r x(t-1) + noise, a first-order
 * autoregression about a mean that may change. Pure.
 *
 * A test that takes values for independent finds changes in such a series that are none. So
 * r is estimated and its part taken out, x(t) - r x(t-1), which leaves a step a step: F.
 * Serinaldi, C. G. Kilsby, "The importance of prewhitening in change point analysis under
 * persistence", Stochastic Environmental Research and Risk Assessment 30 (2016).
 */
#ifndef STATS_PREWHITEN_H
#define STATS_PREWHITEN_H

#include "base/base.h"

enum { PREWHITEN_LEAST = 4 }; /* values */
#define PREWHITEN_MOST 0.9    /* beyond it nothing would be left of a step */

/*
 * Returns r, from 0 (also when it looks negative) to PREWHITEN_MOST, of a series that may
 * have changed anywhere and often: from the trimmed mean squares of differences over one
 * and two places, whose ratio is 1 + r; after S. Chakar, E. Lebarbier, C. Levy-Leduc, S.
 * Robin, "A robust approach for estimating change-points in the mean of an AR(1) process",
 * Bernoulli 23 (2017). scratch has room for n values.
 */
double prewhiten_of_differences(const double *x, size_t n, double *scratch);
/*
 * Returns r of a series that changed at `count` ascending places and nowhere else: the
 * correlation of the residuals from the means between them, corrected for the bias that
 * these means bring (F. H. C. Marriott, J. A. Pope, "Bias in the estimation of
 * autocorrelations", Biometrika 41 (1954)) and increased by 0.8 of its standard error.
 * chosen: the number of further means to correct for, as where the values chose the places.
 */
double prewhiten_of_parts(
    const double *x, size_t n, const size_t *at, size_t count, double chosen);
/* Takes r's part out of x; out may not be x. */
void prewhiten(const double *x, size_t n, double r, double *out);

#endif
