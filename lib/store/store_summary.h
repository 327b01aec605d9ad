/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics of a series that the store keeps beside its rows: those of bench-stat(1),
 * by the rules that all readers of streams share, and two more.
 */
#ifndef STORE_STORE_SUMMARY_H
#define STORE_STORE_SUMMARY_H

#include "record/collect.h"
#include "store/pack.h"

enum { STORE_STATISTICS = 17 };

/* The columns of benchmark_results that hold them, in their order. */
extern const struct store_statistic {
	const char *name;
	bool is_count; /* an integer, otherwise a double */
} store_statistics[STORE_STATISTICS];

/* The rows of a series so far. Begin with zeros. */
struct store_summary {
	struct collect *collect;
	uint64_t rows;
};

/* Forgets all rows. */
void store_summary_begin(struct store_summary *s);
/* Counts rows of the series; texts contains their statuses. */
void store_summary_count(struct store_summary *s, const struct intern *texts,
    const struct pack_row *rows, size_t count);
/* Computes the statistics, in the order of the table, once; NAN where one does not exist.
 */
void store_summary_finish(struct store_summary *s, double value[STORE_STATISTICS]);
void store_summary_free(struct store_summary *s);

#endif
