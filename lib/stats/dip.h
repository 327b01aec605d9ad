/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hartigan's dip test of multimodality: the distance of the empirical distribution from the
 * nearest unimodal distribution. Pure.
 */
#ifndef STATS_DIP_H
#define STATS_DIP_H

#include "base/base.h"

/*
 * Returns the dip of n sorted values (J. A. Hartigan, P. M. Hartigan, "The dip test of
 * unimodality", Annals of Statistics 13 (1985)), by P. M. Hartigan's algorithm AS 217
 * (Applied Statistics 34 (1985)) with M. Maechler's corrections. It is at least 1 / 2n, or
 * 0 if all values are equal.
 */
double dip_of(const double *sorted, size_t n);

/*
 * Returns the probability of a dip at least this great for n values, at least 10, of the
 * uniform distribution. Of all unimodal distributions it looks bimodal most often, so p is
 * too great for others. Interpolates in a table of 4,000,000 samples of each of eleven
 * sizes (1,000,000 above 200 values). Beyond the end of the table, at 0.0001, log p falls
 * with the square of the dip at the slope there.
 */
double dip_p(double dip, size_t n);

#endif
