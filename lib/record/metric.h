/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metric table: name -> unit, which way is better, class, one-line meaning. The rows
 * are share/metrics.csv; an unknown metric is judged by its unit (a rate is better higher,
 * all else lower).
 */
#ifndef RECORD_METRIC_H
#define RECORD_METRIC_H

#include "base/base.h"

enum better { BETTER_LOWER, BETTER_HIGHER, BETTER_NEITHER };

/* "lower", "higher" or "none". */
bool better_parse(struct text t, enum better *out);

struct metric {
	char *name, *unit, *meaning;
	enum better better;
	bool is_count; /* class count: absent means zero in a profile */
};

struct metrics;
/* Returns the installed table, share/metrics.csv; NULL and the message when it cannot be
 * read. */
struct metrics *metrics_open(struct fault *f);
const struct metric *metrics_find(const struct metrics *m, struct text name); /* or NULL */
enum better metrics_better(const struct metrics *m, struct text name, struct text unit);
void metrics_free(struct metrics *m);

#endif
