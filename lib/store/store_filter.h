/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters: the filter options of bench-store as an SQL condition on the view
 * benchmark_history, with all values bound.
 */
#ifndef STORE_STORE_FILTER_H
#define STORE_STORE_FILTER_H

#include "db/db.h"

struct store_filter_names {
	const char *const *item;
	size_t count;
};

/* All given conditions must hold; of several names of one kind, at least one. A filter of
 * zeros selects everything. */
struct store_filter {
	struct store_filter_names bench, metric, host, env; /* shell patterns */
	struct store_filter_names metric_lists; /* with the patterns of metric, to check */
	struct store_filter_names factor; /* "name=value"; "name=": without the factor */
	struct store_filter_names commit; /* prefixes */
	struct store_filter_names tag, run;
	bool has_since, has_until;
	int64_t since, until; /* ns since 1970; since is included, until is not */
	uint64_t last;        /* the number of newest runs; 0: all */
	const char *where;    /* an SQL expression, or NULL */
};

/* Checks the form of the factors. Returns 0, or -1 and the message. */
int store_filter_check(const struct store_filter *f, struct fault *why);
/* Returns whether the filter selects everything. */
bool store_filter_is_empty(const struct store_filter *f);
/* Returns whether the filter selects runs, and none of their rows: it has no condition on
 * benchmarks, metrics and factors. */
bool store_filter_is_of_runs(const struct store_filter *f);
/*
 * Prepares before + "WHERE condition" + after, with the values of the filter bound from
 * $first on; the strings must outlive the query. The user's expression can only read.
 * Returns NULL and the message on failure.
 */
struct query *store_filter_query(struct db *db, const struct store_filter *filter,
    const char *before, const char *after, int first, struct fault *f);

#endif
