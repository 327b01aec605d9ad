/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An inventory of a stream, as far as it decides what a report shows: metrics with their
 * factors, and how many runs, commits and machines there are. Pure.
 */
#ifndef REPORT_REPORT_INVENTORY_H
#define REPORT_REPORT_INVENTORY_H

#include "record/record.h"

/* The kinds of rows that are shown apart. A row is of the first that fits. */
enum row_kind {
	ROW_STACK,     /* of a profile */
	ROW_OPERATION, /* of a part of a model */
	ROW_TIMED,     /* of a time series */
	ROW_PLAIN,     /* one value a sample */
	ROW_KINDS
};

struct inventory_factor {
	size_t column;
	struct intern values;   /* those that are not empty, up to a limit */
	struct intern of_bench; /* the same together with their benchmarks */
	bool numeric;           /* all of them are numbers */
};

struct inventory_metric {
	char *name, *unit;
	size_t rows[ROW_KINDS]; /* that have a value and are ok */
	double least, greatest; /* of the plain ones */
	struct intern benches;  /* of the plain ones, as the factors */
	struct inventory_factor *factor;
	size_t factors, cap;
	struct buf pair; /* for a moment */
};

/* Zero it to begin. */
struct inventory {
	size_t rows, counted, failed; /* all; those of them in statistics; not ok */
	struct inventory_metric *metric;
	size_t metrics, cap;
	struct intern metric_names, runs, hosts, envs, commits, benches, profiled;
	/* profiled: the benches with stacks. */
	/* Of each benchmark on each host, how many runs there are; the most. */
	struct intern series, series_runs;
	size_t *runs_of, runs_of_count, runs_of_cap, longest;
	struct buf key; /* for a moment */
	/* The times of the first and last rows, and the commit of the last one. */
	char *first, *last, *commit;
};

/* Returns the kind of a row: the first that fits. */
enum row_kind inventory_row_kind(const struct row *row);
void inventory_row(struct inventory *s, const struct row *row);
const struct inventory_metric *inventory_metric(
    const struct inventory *s, const char *name); /* or NULL */
/* Returns whether any metric has rows of this kind. */
bool inventory_has(const struct inventory *s, enum row_kind kind);
/*
 * The factor that a metric's plain rows can be drawn along: numeric, of three values or
 * more, and benchmarks have several of them; of such the one with the most values. NULL
 * when there is none.
 */
const struct inventory_factor *inventory_along(
    const struct schema *schema, const struct inventory_metric *m);
void inventory_free(struct inventory *s);

#endif
