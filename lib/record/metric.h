/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of metrics, share/metrics.csv: their names, units, which direction is better,
 * class, meaning in one line, the kinds of subjects for which they are primary, and whether
 * all their values must be above 0. A name that ends in * is that of all metrics that begin
 * with the characters before and have no row of their own. For metrics that are not in the
 * table, the unit decides: a rate is better if it is higher, and all others if they are
 * lower.
 */
#ifndef RECORD_METRIC_H
#define RECORD_METRIC_H

#include "base/base.h"

enum better { BETTER_LOWER, BETTER_HIGHER, BETTER_NEITHER };

/* Parses "lower", "higher" or "none". Returns false for another string. */
bool better_parse(struct text t, enum better *out);

struct metric {
	char *name, *unit, *meaning;
	size_t prefix; /* the length of the name before its *; 0: the name is whole */
	char *primary; /* kinds of subjects, separated by spaces; "yes": all; empty: none */
	enum better better;
	bool is_count; /* class count: absent means zero in a profile */
	bool is_each;  /* class each: each value of a time series counts */
	bool is_positive; /* a value of 0 or less cannot have been measured */
};

struct metrics;
/* Reads the installed table. Returns NULL and the message if it cannot be read. */
struct metrics *metrics_open(struct fault *f);
/* Returns the row of the metric with this name, otherwise that with the longest prefix of
 * it, or NULL. */
const struct metric *metrics_find(const struct metrics *m, struct text name);
/* Returns which direction is better for a metric, which may be absent from the table. */
enum better metrics_better(const struct metrics *m, struct text name, struct text unit);
/* Returns whether no value of a metric can be 0 or less. */
bool metrics_positive(const struct metrics *m, struct text name);
/*
 * Returns whether a metric is primary for subjects of a kind; an empty kind is unknown and
 * may be any. A metric that is not in the table is one that a user defined, and is primary,
 * unless its name is that of a counter event.
 */
bool metrics_primary(const struct metrics *m, struct text name, struct text kind);
/* Returns whether the value of a sample that timed out is a limit that the true value
 * exceeds. */
bool metric_has_limits(struct text name);
/* Returns whether a metric measures the time since a request arrived, which is infinite for
 * a request that was never served. */
bool metric_is_since_arrival(struct text name);
/* Returns whether a metric has a value for each request, which depends on the requests
 * before it. */
bool metric_is_of_requests(struct text name);
void metrics_free(struct metrics *m);

#endif
