/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the metrics for which each value of a time series counts: those of the class each
 * in the table of metrics. Other time series count as one value for each sample.
 */
#ifndef RECORD_EACH_METRICS_H
#define RECORD_EACH_METRICS_H

#include "record/metric.h"
#include "record/record.h"

/* A zeroed struct is empty. */
struct each_metrics {
	struct metrics *table; /* NULL: not read yet */
	struct buf last;       /* the name of the last metric ... */
	bool each;             /* ... and its class */
};

/* Returns 1 if a metric has the class each, 0 if not, or -1 and the message if the table
 * cannot be read. */
int each_metrics_has(struct each_metrics *e, struct text metric, struct fault *f);
/* Sets row->each. Returns 0 or -1. */
int each_metrics_mark(struct each_metrics *e, struct row *row, struct fault *f);
void each_metrics_free(struct each_metrics *e);

#endif
