/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots of series as SVG that is a part of a page and takes its colors from the style of
 * the site. Pure.
 */
#ifndef SITE_SITE_CHART_H
#define SITE_SITE_CHART_H

#include "site/site_model.h"

enum { SITE_CHART_SERIES = 8, SITE_SPARK = 40 };

/*
 * Fills levels of the values of a series for a sparkline, from '0' (the least value) to '9'
 * and 'a' to 'z' (the largest), at most SITE_SPARK, and a NUL.
 */
void site_spark(char out[SITE_SPARK + 1], const struct site_series *s);
/* Appends a sparkline with these levels. */
void site_put_spark(struct buf *b, const char *level);
/* Appends the plot of the first SITE_CHART_SERIES series of a page. */
void site_put_chart(struct buf *b, const struct site_model *m, const struct site_page *p);
/* Appends a histogram of sorted values. */
void site_put_histogram(struct buf *b, const double *sorted, size_t n);

#endif
