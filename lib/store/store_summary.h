/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics of a series that are stored with its rows: statistics of bench-stat(1), by
 * the rules that all readers of streams share, and n_censored.
 */
#ifndef STORE_STORE_SUMMARY_H
#define STORE_STORE_SUMMARY_H

#include "record/collect.h"
#include "record/each_metrics.h"
#include "store/pack.h"

enum { STORE_STATISTICS = 17 };

/* The columns of benchmark_results with statistics, in their order. */
extern const struct store_statistic {
	const char *name;
	bool is_count; /* an integer; otherwise a double */
} store_statistics[STORE_STATISTICS];

/* A summary in progress. Initialize it with zeros. */
struct store_summary {
	struct collect *collect;
	struct each_metrics metrics;
	const struct statistic *found[STORE_STATISTICS]; /* by store_summary_finish() */
	bool each; /* each value of a time series counts */
	uint64_t rows;
};

/* Begins a series of a metric: removes all rows. Returns 0, or -1 and the message if the
 * table of metrics cannot be read. */
int store_summary_begin(struct store_summary *s, struct text metric, struct fault *f);
/* Adds rows of the series; texts contains their statuses. */
void store_summary_count(struct store_summary *s, const struct intern *texts,
    const struct pack_row *rows, size_t count);
/* Computes the statistics, in the order of the table; NAN if one does not exist. Call it
 * once per series. */
void store_summary_finish(struct store_summary *s, double value[STORE_STATISTICS]);
void store_summary_free(struct store_summary *s);

#endif
