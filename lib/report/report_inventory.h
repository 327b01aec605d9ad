/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes an inventory of a stream that decides what a report shows: the metrics and their
 * factors, and the numbers of runs, commits and machines. Pure.
 */
#ifndef REPORT_REPORT_INVENTORY_H
#define REPORT_REPORT_INVENTORY_H

#include "record/record.h"

/* The kinds of rows that are shown separately. A row has the first kind that fits. */
enum row_kind {
	ROW_STACK,     /* a stack of a profile */
	ROW_OPERATION, /* an operation of a model */
	ROW_TIMED,     /* a point of a time series */
	ROW_PLAIN,     /* one value for each sample */
	ROW_KINDS
};

struct inventory_factor {
	size_t column;
	struct intern values;   /* distinct, not empty, up to a limit */
	struct intern of_bench; /* pairs of value and benchmark */
	bool numeric;           /* all values are numbers */
};

/* A set of benchmarks, by their numbers among all. */
struct inventory_benches {
	bool *has;
	size_t known, cap; /* the length of `has` */
	size_t count;      /* in the set */
};

struct inventory_metric {
	char *name, *unit;
	bool models; /* of models; the others are of commands, functions and kernels */
	size_t rows[ROW_KINDS]; /* rows with a value and status ok */
	double least, greatest; /* of plain rows */
	bool main;              /* shown first; for the reader of the inventory to set */
	struct intern kinds;    /* of subjects */
	struct inventory_benches benches; /* of plain rows, as are the factors */
	struct inventory_factor *factor;
	size_t factors, cap;
	struct buf pair; /* scratch */
};

/* The samples of a benchmark that failed in one way. */
struct inventory_failure {
	char *bench, *status;
	size_t samples;
};

/* Zero it to begin. */
struct inventory {
	size_t rows, counted, failed; /* all; in statistics; not ok */
	struct inventory_metric *metric;
	size_t metrics, cap;
	struct intern metric_names, runs, hosts, envs, commits, benches, profiled;
	/* profiled: benches with stacks */
	/* Number of runs of each benchmark on each host, and the largest of them. */
	struct intern series, series_runs;
	size_t *runs_of, runs_of_count, runs_of_cap, longest;
	/* Samples that failed or timed out; not values that could not be measured. */
	struct intern failed_samples, failed_ways;
	struct inventory_failure *failure; /* by number in failed_ways */
	size_t failures, failures_cap;
	struct intern envs_of_hosts; /* pairs of env and host */
	struct buf key;              /* scratch */
	/* The times of the first and last rows. */
	char *first, *last;
};

/* Returns the kind of a row. */
enum row_kind inventory_row_kind(const struct row *row);
/* Adds a row. */
void inventory_row(struct inventory *s, const struct row *row);
/* Ends the rows: frees what only counting them needs. */
void inventory_finish(struct inventory *s);
/* Returns a metric, or NULL; of models and others with the same metric, the others. */
const struct inventory_metric *inventory_metric(
    const struct inventory *s, const char *name);
/* Returns a metric of models, or of others, or NULL. */
const struct inventory_metric *inventory_metric_of(
    const struct inventory *s, struct text name, bool models);
/* Returns whether a row is of a model. */
bool inventory_is_model(const struct row *row);
/* Returns whether any metric has rows of this kind. */
bool inventory_has(const struct inventory *s, enum row_kind kind);
/*
 * Returns the x factor for a line of a metric's plain rows: a numeric factor with three or
 * more values, several of which a benchmark has. If there are several such factors, returns
 * the one with the most values; NULL if there is none.
 */
const struct inventory_factor *inventory_along(
    const struct schema *schema, const struct inventory_metric *m);
void inventory_free(struct inventory *s);

#endif
