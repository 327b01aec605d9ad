/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which runs and series are meant: the filter options of bench-store as a condition of SQL
 * over the view benchmark_history, with all values bound.
 */
#ifndef STORE_STORE_FILTER_H
#define STORE_STORE_FILTER_H

#include "db/db.h"

struct store_filter_names {
	const char *const *item;
	size_t count;
};

/* What is given must hold; of several names of one kind, any. Zero it: everything. */
struct store_filter {
	struct store_filter_names bench, metric, host, env; /* patterns of the shell */
	struct store_filter_names
	    factor; /* "name=value"; of each name, any; "name=": without it */
	struct store_filter_names commit; /* beginnings */
	struct store_filter_names tag, run;
	bool has_since, has_until;
	int64_t since, until; /* ns since 1970: from then on; before then */
	uint64_t last;        /* so many of the runs, the newest; 0: all */
	const char *where;    /* an expression of SQL, or NULL */
};

/* Refuses factors that are not such. 0 or -1. */
int store_filter_check(const struct store_filter *f, struct fault *why);
bool store_filter_is_empty(const struct store_filter *f);
/*
 * Prepare before + "WHERE condition" + after, with the values of the filter bound from
 * $first on; the texts must outlive the query. Text of the user's can only read. NULL and
 * the message.
 */
struct query *store_filter_query(struct db *db, const struct store_filter *filter,
    const char *before, const char *after, int first, struct fault *f);

#endif
