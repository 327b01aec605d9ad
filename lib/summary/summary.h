/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-stat: a row a group with its key, metric, unit and statistics.
 */
#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

#include <stdio.h>

#include "io/render.h"
#include "record/collect.h"
#include "stats/inference.h"
#include "stats/stats.h"

struct summary_opts {
	const struct statistic **statistic; /* the columns; NULL: all, fewer for people */
	size_t count;
	struct inference_opts inference; /* confidence of the median's interval alone */
	bool all_keys;                   /* show people also keys that never vary */
};

/* The statistics of a list "median,p95,..." in allocated *out. 0, or -1 naming the unknown.
 */
int summary_choose(
    const char *list, const struct statistic ***out, size_t *count, struct fault *f);
/*
 * Print all groups; collect_finish has been called; sorts the values. 0, or -1 when
 * writing failed (errno).
 */
int summary_print(const struct groups *g, struct collect *c, const struct summary_opts *o,
    FILE *out, enum render_format format);

#endif
