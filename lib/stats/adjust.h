/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Corrects the p of many tests for their number. Pure.
 */
#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include "base/base.h"

enum adjust { ADJUST_HOLM, ADJUST_BH, ADJUST_NONE };

extern const char *const adjust_names[];
extern const size_t adjust_names_count;
/*
 * Corrects `count` p in place. NAN is ignored and does not count. Holm's method
 * (infer_holm) bounds the probability of any false alarm. BH, the step-up method of Y.
 * Benjamini and Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995), bounds
 * the expected share of false alarms among the alarms.
 */
void adjust_p(enum adjust adjust, double *p, size_t count);

#endif
