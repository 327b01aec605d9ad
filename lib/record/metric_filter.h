/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows that --metric selects: those whose metric matches one of its patterns. Pure.
 */
#ifndef RECORD_METRIC_FILTER_H
#define RECORD_METRIC_FILTER_H

#include "record/record.h"

struct metric_filter;
/*
 * Returns a filter for these lists of patterns (shell globs, separated by commas). A list
 * also selects the metric that it names. Without a list the filter selects every
 * row. Returns NULL and sets the message when a list has an empty pattern.
 */
struct metric_filter *metric_filter_open(
    const char *const *list, size_t count, struct fault *f);
/* Returns whether a metric matches a pattern, and remembers the metric's name. */
bool metric_filter_selects(struct metric_filter *m, struct text metric);
/* Does the same for the metric of a row; NULL selects all. */
bool metric_filter_row(struct metric_filter *m, const struct row *row);
/*
 * Returns 0 if each pattern matched the metric of a row so far. Otherwise returns -1; the
 * message has the first pattern that matched none, and the names of all metrics.
 */
int metric_filter_check(const struct metric_filter *m, struct fault *f);
void metric_filter_close(struct metric_filter *m);

#endif
