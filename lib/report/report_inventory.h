/*
 * What there is in a stream, as far as it decides what a report shows: metrics with their
 * factors, how many runs, commits and machines. Pure.
 */
#ifndef REPORT_SEEN_H
#define REPORT_SEEN_H

#include "record/record.h"

/* The sorts of rows that are shown apart. A row is of the first that fits. */
enum row_sort {
	ROW_STACK,     /* of a profile */
	ROW_OPERATION, /* of a part of a model */
	ROW_TIMED,     /* of a time series */
	ROW_PLAIN,     /* one value a sample */
	ROW_SORTS
};

struct seen_factor {
	size_t column;
	struct intern values;   /* those that are not empty, up to a limit */
	struct intern of_bench; /* the same together with their benchmarks */
	bool numeric;           /* all of them are numbers */
};

struct seen_metric {
	char *name, *unit;
	size_t rows[ROW_SORTS]; /* that have a value and are ok */
	double least, greatest; /* of the plain ones */
	struct intern benches;  /* of the plain ones, as the factors */
	struct seen_factor *factor;
	size_t factors, cap;
	struct buf pair; /* for a moment */
};

/* Zero it to begin. */
struct seen {
	size_t rows, counted, failed; /* all; those of them in statistics; not ok */
	struct seen_metric *metric;
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

/* Which sort a row is of. */
enum row_sort seen_sort(const struct row *row);
void seen_row(struct seen *s, const struct row *row);
const struct seen_metric *seen_metric(const struct seen *s, const char *name); /* or NULL */
/* Whether any metric has rows of this sort. */
bool seen_any(const struct seen *s, enum row_sort sort);
/*
 * The factor that a metric's plain rows can be drawn along: numeric, of three values or
 * more, and benchmarks have several of them; of such the one with the most values. NULL
 * when there is none.
 */
const struct seen_factor *seen_along(
    const struct schema *schema, const struct seen_metric *m);
void seen_free(struct seen *s);

#endif
