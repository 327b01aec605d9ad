/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the runs of a store and the stored statistics of their series, for programs that
 * show the history of a store. Strings that a function receives live until it returns.
 */
#ifndef STORE_STORE_POINTS_H
#define STORE_STORE_POINTS_H

#include "store/store.h"

/* Begins to read one consistent state. Returns 0, or -1 and the message. */
int store_points_begin(struct store *s, struct fault *f);
void store_points_end(struct store *s);

/*
 * Replaces what identifies machines and users in all strings that the functions below pass
 * on. Fails if factors are damaged. names must outlive the reading. Returns 0, or -1 and
 * the message.
 */
int store_points_anonymize(struct store *s, struct anonymizer *names, struct fault *f);

struct store_point_run {
	int64_t id;
	struct text run, at; /* at: the time of the run or, without one, of its addition */
	/* Differs whenever the run or its series change; empty if the store has no
	 * seals. */
	struct text seal;
};
/* Calls `each` for each run, by id. Returns 0, or -1 and the message. */
int store_points_runs(struct store *s, void (*each)(void *, const struct store_point_run *),
    void *ctx, struct fault *f);

/* A series of one run. */
struct store_point {
	int64_t run, result; /* ids */
	struct text host, env, commit, kind, bench, factors, metric, unit;
	int64_t n;            /* samples that count */
	double value, lo, hi; /* median, or mean of the metric ok; its interval; or NAN */
};
/* Calls `each` for the series of the runs from id `first` to `last`, by run. Returns 0, or
 * -1 and the message. */
int store_points_read(struct store *s, int64_t first, int64_t last,
    void (*each)(void *, const struct store_point *), void *ctx, struct fault *f);

/* Calls `each` with the commit of each tagged run. Returns 0, or -1 and the message. */
int store_points_tags(struct store *s,
    void (*each)(void *, struct text tag, struct text commit), void *ctx, struct fault *f);

/* A fact of a machine when a run was measured. */
struct store_point_fact {
	struct text env, host, at, fact, value;
};
/* Calls `each` for the facts of all runs, by env, fact and time. Returns 0, or -1 and the
 * message. */
int store_points_facts(struct store *s,
    void (*each)(void *, const struct store_point_fact *), void *ctx, struct fault *f);

/*
 * Calls `each` for the series of a run that have at least `least` samples, and not too many
 * for a plot, with the values that count. Of the point, only names and ids are set.
 * Returns 0, or -1 and the message.
 */
int store_points_samples(struct store *s, struct text run, int64_t least,
    void (*each)(void *, const struct store_point *, const double *value, size_t count),
    void *ctx, struct fault *f);

#endif
