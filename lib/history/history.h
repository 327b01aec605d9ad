/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histories: builds a series for each subject, host, metric and unit from the rows of many
 * runs, with a value for each commit or run, and finds the places where its level changed.
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "compare/thresholds.h"
#include "record/facts.h"
#include "record/group.h"
#include "record/run_ends.h"
#include "stats/change.h"
#include "stats/drift.h"
#include "stats/inference.h"

struct history_opts {
	const char *const *names; /* the subject's columns, as in struct group_by */
	size_t count;
	bool by_run;       /* each run is a point, even if runs have the same commit */
	const char *order; /* a file of commits, oldest first, or NULL: by time */
	struct inference_opts inference; /* only confidence, over all series, and seed */
	double threshold;                /* see struct change_opts */
	const struct thresholds
	    *thresholds;           /* override threshold, without their warnings; or NULL */
	size_t least, window;      /* see struct change_opts */
	const struct facts *facts; /* of the input, for notes; or NULL */
	const struct run_ends *ends; /* of the input, finished before history_finish(), to
	                                leave out runs that are cut; or NULL */
	bool all_decides; /* series of all metrics decide, not only of primary ones */
	size_t tests;     /* the number of series by which p are multiplied; 0: see
	                     history_find() */
};

#define HISTORY_UNRANKED UINT32_MAX

/* One value of a series. A long history has millions, so they are small. */
struct history_point {
	double value; /* median of the medians of its runs */
	int64_t time_ns;
	uint32_t group;
	uint32_t timed_out,
	    failed;     /* samples of its runs; failed: the others that failed */
	uint32_t runs;  /* number of runs */
	uint32_t first; /* first entry of the runs, see history_runs() */
	uint32_t input; /* position in the input */
	uint32_t rank;  /* of its commit in the order file, or HISTORY_UNRANKED */
	/* Strings, see history_text(); equal strings have equal numbers, and 0 is empty. */
	uint32_t commit, env, time;
	uint32_t place; /* equal for points of several series that belong together: the
	                   commit, or the run or time of a point that is not a commit */
	bool has_time;
	bool above; /* the value is a lower bound, because samples timed out */
	bool cut;   /* no value, because its run is cut */
};

struct history_series {
	size_t group;
	size_t first, count; /* of history_points */
	enum better better;
	double threshold;
	bool is_positive;      /* values of 0 or less cannot have been measured */
	bool decides;          /* the exit status, see record/primary.h */
	struct change *change; /* at: counted from first */
	size_t changes;
	bool drifts; /* from the first point to the last; changes are steps in addition */
	struct drift drift;
	struct change whole;         /* the drift as a change, at the last point */
	bool tested;                 /* long enough to have a change */
	/* the newest commit after the last point, if it has no value because all its runs
	 * failed or are cut; or NULL */
	const struct history_point *failed;
};

struct history;
/* Begins a history. The schema and the strings of the options must outlive it. */
struct history *history_open(const struct schema *schema, const struct history_opts *opts);
/* Adds a row. Returns 0. */
int history_row(struct history *h, const struct row *row);
/* Builds the series from all rows added so far. Returns 0 or -1. */
int history_finish(struct history *h, const struct metrics *metrics, struct fault *f);
/*
 * Finds the changes of all series; but_last: without the last point of each. The p of the
 * changes are multiplied by the number of series that are long enough to have changes and
 * that decide, or do not decide, like the series, unless the options have another number. A
 * drift replaces the steps that approximate it.
 */
void history_find(struct history *h, bool but_last);
/* Returns the number by which history_find() multiplied the p of series that decide, or do
 * not. */
size_t history_tests(const struct history *h, bool decides);

/* Returns the facts that the options gave, or NULL. */
const struct facts *history_facts(const struct history *h);
/* Returns the ends of runs that the options gave, or NULL. */
const struct run_ends *history_ends(const struct history *h);
const struct groups *history_groups(const struct history *h);
const struct history_series *history_list(const struct history *h, size_t *count);
const struct history_point *history_points(const struct history *h);
/* Returns a string of a point by its number. */
struct text history_text(const struct history *h, uint32_t number);
/* Returns the last point of a series. */
const struct history_point *history_last(
    const struct history *h, const struct history_series *s);
/* Returns whether a point precedes another of another commit, by the order or by their
 * times. */
bool history_precedes(const struct history_point *a, const struct history_point *b);
/* Returns the runs without a value whose samples all failed, or that are cut, as points. */
const struct history_point *history_failures(const struct history *h, size_t *count);
/* Returns whether a failure is of a series that has no value at the same commit. */
bool history_lacks(const struct history *h, const struct history_series *s,
    const struct history_point *failure);
/* Adds the failed samples of a series: to *timed_out those of its points that timed out; to
 * *failed the others of its points, and all samples of its runs without a value. */
void history_count_failed(const struct history *h, const struct history_series *s,
    size_t *timed_out, size_t *failed);
/* Returns the medians of the runs of a point, p->runs values. */
const double *history_runs(const struct history *h, const struct history_point *p);
/* Returns whether a change of a series is for the worse. */
bool history_worse(const struct history_series *s, const struct change *c);
/* Returns the number of points whose commits are not in the order file, with an example. */
size_t history_unknown(const struct history *h, struct text *example);
/* Returns whether the order file lacks a commit that was measured, or failed, after all
 * commits in the file, and sets *commit to the newest such commit. */
bool history_order_is_stale(const struct history *h, struct text *commit);
/* Returns the number of series in the order of the input, because a point has no time. */
size_t history_untimed(const struct history *h);
/* Returns the number of series whose commits were measured in turns without an order file,
 * so that the times of their first runs do not order them. */
size_t history_in_turns(const struct history *h);
/*
 * Sets the beginning of the requested range: a commit of the input or of the order file,
 * which may be abbreviated, or a time as parsed by stamp_option(). Returns 0 or -1.
 */
int history_since(struct history *h, const char *since, int64_t now_ns, struct fault *f);
/* Returns whether a point is in the requested range. */
bool history_in_range(const struct history *h, const struct history_point *p);
void history_close(struct history *h);

#endif
