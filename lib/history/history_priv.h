/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by history.c, which builds the series, history_order.c, which orders the commits,
 * history_find.c, which finds their changes, and history_range.c, which selects the
 * requested ones; see history.h.
 */
#ifndef HISTORY_HISTORY_PRIV_H
#define HISTORY_HISTORY_PRIV_H

#include "base/intern.h"
#include "history/commit_order.h"
#include "history/history.h"
#include "record/collect.h"

/* A run of a group. A long history has millions, so they are small. */
struct entry {
	uint32_t group;
	uint32_t number;                 /* in the order of the input */
	uint32_t run, commit, env, time; /* numbers in texts */
	uint32_t timed_out, failed;      /* samples; failed: the others that failed */
	int64_t time_ns;                 /* of the first row */
	double value;                    /* of its only row, until all rows are known */
	uint32_t rows;                   /* its group in collect, from 1; 0: it has none */
	bool has_time, has_value;
	bool above; /* the value is a lower bound */
	bool cut;   /* the run is cut */
};

/* When a commit was measured. */
struct commit_time {
	bool is_set, has_time;
	int64_t time_ns;
	size_t input; /* position in the input */
	struct text commit;
};

struct history {
	struct history_opts opts;
	struct groups *groups;
	struct collect *collect;   /* of entries with several rows; while rows are added */
	uint32_t collected;        /* number of its groups */
	struct intern keys, texts; /* keys: of the entries, while rows are added */
	struct entry *entry;
	size_t entries, entry_cap;
	int64_t
	    *last_ns; /* of the last run of a point, by its first; until series are made */
	double *runs; /* values of the entries, sorted within each point */
	struct history_point *point;
	size_t points;
	struct history_series *series;
	size_t count, cap;
	struct commit_order *order;
	struct entry *failed; /* entries whose samples all failed, or that are cut */
	struct history_point *failure; /* of each of them */
	size_t failures, failed_cap;
	size_t unknown, untimed, in_turns;
	struct text unknown_example;
	struct commit_time newest[2]; /* that is not in the order, and that is in it */
	enum { SINCE_ALWAYS, SINCE_RANK, SINCE_TIME } since;
	size_t since_rank;
	int64_t since_ns;
};

/* Sets the ranks of the points from the order file, removes points that it lacks, and notes
 * the newest commits. */
void history_rank(struct history *h);
/* Returns whether most of these points, which are in the order of their first runs, have
 * runs after the first runs of the next two. */
bool history_took_turns(const struct history *h, size_t from, size_t to);
/* Makes points of the failures, and sets, in each series, the commit after its last point
 * whose runs all failed. */
void history_note_failures(struct history *h);

#endif
