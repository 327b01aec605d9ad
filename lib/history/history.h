/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histories: rows of many runs become one series per subject and host, a value per commit
 * or run, and the places where its level changed.
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "compare/thresholds.h"
#include "record/group.h"
#include "stats/change.h"
#include "stats/drift.h"
#include "stats/inference.h"

struct history_opts {
	const char *const *names; /* the subject's columns, as in struct group_by */
	size_t count;
	bool by_run;       /* a point is a run, also where runs have the same commit */
	const char *order; /* a file of commits, oldest first, or NULL: by time */
	struct inference_opts inference; /* confidence, over all series, and seed alone */
	double threshold; /* as in struct change_opts, as are least and window */
	const struct thresholds
	    *thresholds; /* override threshold; or NULL; without warnings */
	size_t least, window;
};

/* One value of a series. */
struct history_point {
	size_t group;
	double value; /* median of its runs' medians */
	size_t runs;  /* that it is of */
	size_t first; /* their first entry, see history_runs */
	size_t input; /* its place in the input */
	size_t rank;  /* of its commit in the order file; SIZE_MAX: none was given */
	struct text commit, env, time;
	int64_t time_ns;
	bool has_time;
};

struct history_series {
	size_t group;
	size_t first, count; /* of history_points */
	enum better better;
	double threshold;      /* its margin */
	struct change *change; /* at: counted from first */
	size_t changes;
	bool drifts; /* from the first point to the last one; changes are steps beside it */
	struct drift drift;
	struct change
	    whole;       /* the drift as a change: at the last point, before the first */
	bool tested;     /* it was long enough */
	bool has_failed; /* after its last point is a commit all of whose runs failed: */
	struct history_point failed; /* the last such one; without a value */
};

struct history;
/* The schema and the texts of the options must outlive it. */
struct history *history_open(const struct schema *schema, const struct history_opts *opts);
int history_row(struct history *h, const struct row *row); /* always 0 */
/* Ends the rows and puts the points in order. Returns 0 or -1. */
int history_finish(struct history *h, const struct metrics *metrics, struct fault *f);
/*
 * Finds the changes of all series, or of the points before the last one of each. Their p
 * are multiplied by the number of series that were long enough to have changes. Steps that
 * approximate a drift are replaced by it.
 */
void history_find(struct history *h, bool but_last);

const struct groups *history_groups(const struct history *h);
const struct history_series *history_list(const struct history *h, size_t *count);
const struct history_point *history_points(const struct history *h);
/* Returns the medians of a point's runs, p->runs of them. */
const double *history_runs(const struct history *h, const struct history_point *p);
/* Returns whether a change of a series is for the worse. */
bool history_worse(const struct history_series *s, const struct change *c);
/* Returns the number of commits that the order file does not have, with an example. */
size_t history_unknown(const struct history *h, struct text *example);
/* Returns the number of series in the order of the input, as some points have no time. */
size_t history_untimed(const struct history *h);
/*
 * Sets where the range asked for begins: at a commit of the input or of the order file, in
 * full or its beginning, or at a time as stamp_option has it. Returns 0 or -1.
 */
int history_since(struct history *h, const char *since, int64_t now_ns, struct fault *f);
/* Returns whether a point lies in the range asked for. */
bool history_in_range(const struct history *h, const struct history_point *p);
void history_close(struct history *h);

#endif
