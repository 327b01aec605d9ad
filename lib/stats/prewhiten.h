/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes the autocorrelation of a series: x(t) = r x(t-1) + noise, a first-order
 * autoregression about a mean that may change. Pure.
 *
 * A test that assumes independent values finds false changes in such a series. So r is
 * estimated and the series is replaced by x(t) - r x(t-1), in which a step remains a step
 * (F. Serinaldi, C. G. Kilsby, "The importance of prewhitening in change point analysis
 * under persistence", Stochastic Environmental Research and Risk Assessment 30 (2016)).
 */
#ifndef STATS_PREWHITEN_H
#define STATS_PREWHITEN_H

#include "base/base.h"

enum { PREWHITEN_LEAST = 4 }; /* values */
#define PREWHITEN_MOST 0.9    /* a greater r would leave nothing of a step */

/*
 * Returns r of a series that may have any number of changes at any places, from 0 (even if
 * the estimate is negative) to PREWHITEN_MOST. The ratio of the trimmed mean squares of the
 * differences over two places and over one place is 1 + r (S. Chakar, E. Lebarbier, C.
 * Levy-Leduc, S. Robin, "A robust approach for estimating change-points in the mean of an
 * AR(1) process", Bernoulli 23 (2017)). It is increased by 0.4 standard errors of an
 * autocorrelation. scratch has room for n values.
 */
double prewhiten_of_differences(const double *x, size_t n, double *scratch);
/*
 * Returns r of a series that changed only at `count` ascending places: the correlation of
 * the residuals from the means of its parts, corrected for the bias of these means (F. H.
 * C. Marriott, J. A. Pope, "Bias in the estimation of autocorrelations", Biometrika 41
 * (1954)) and increased by 0.8 of its standard error, or if there are places by 0.8 +
 * 9 / n. chosen: the number of additional means to correct for, if the places were chosen
 * from the values.
 */
double prewhiten_of_parts(
    const double *x, size_t n, const size_t *at, size_t count, double chosen);
/* Fills out with the series x without its autocorrelation r. out must not be x. */
void prewhiten(const double *x, size_t n, double r, double *out);

#endif
