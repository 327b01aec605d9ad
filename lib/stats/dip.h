/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Has a sample more than one mode? Hartigan's dip: how far the empirical distribution is
 * from the nearest unimodal one. Pure.
 */
#ifndef STATS_DIP_H
#define STATS_DIP_H

#include "base/base.h"

/*
 * The dip of n sorted values (J. A. Hartigan, P. M. Hartigan, "The dip test of
 * unimodality", Annals of Statistics 13 (1985)), by P. M. Hartigan's algorithm AS 217
 * (Applied Statistics 34 (1985)) with M. Maechler's corrections. Least 1 / 2n; 0 when all
 * values are equal.
 */
double dip_of(const double *sorted, size_t n);

/* The least n that dip_p knows. */
enum { DIP_LEAST = 10 };
/*
 * P(dip >= seen) of n values of the uniform distribution, the one most apt to look bimodal
 * of all unimodal ones, so that p is too great for the others. Interpolated in a table of
 * 4,000,000 samples of each of eleven sizes (1,000,000 above 200 values); beyond its end,
 * at 0.0001, log p falls with the square of the dip as it does there.
 */
double dip_p(double dip, size_t n);

#endif
