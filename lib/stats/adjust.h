/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Probabilities of many tests corrected for their number. Pure.
 */
#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include "base/base.h"

enum adjust { ADJUST_HOLM, ADJUST_BH, ADJUST_NONE };

/* "holm", "bh" or "none". 0 or -1. */
int adjust_parse(const char *name, enum adjust *out, struct fault *f);
/*
 * Correct count p in place. NAN is passed over and does not count. Holm (infer_holm) bounds
 * the chance of any false alarm; BH, the step-up of Y. Benjamini and Y. Hochberg, Journal
 * of the Royal Statistical Society B 57 (1995), the share of false ones among the alarms.
 */
void adjust_p(enum adjust adjust, double *p, size_t count);

#endif
