/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When each subject runs, and when it has run enough. Pure.
 *
 * Rounds: every round runs each subject that needs more once, in random order (random
 * complete blocks: drift of the machine falls on all alike), in the given order, or,
 * sequentially, one subject to its end after the other.
 */
#ifndef RUN_SCHEDULE_H
#define RUN_SCHEDULE_H

#include "base/base.h"
#include "base/rng.h"

enum order { ORDER_RANDOM, ORDER_INTERLEAVED, ORDER_SEQUENTIAL };

/* "random", "interleaved", "sequential". */
int order_parse(const char *name, enum order *out, struct fault *f);

/*
 * The subjects of the next round, in the order of running: those whose wants[] is true.
 * Returns how many; none means the end. round has room for count.
 */
size_t schedule_round(
    enum order order, struct rng *rng, const bool *wants, size_t count, size_t *round);

/* When to stop measuring a subject. */
struct stop_rule {
	uint64_t runs; /* exactly so many; 0: the rules below */
	uint64_t min_runs;
	double min_ns; /* measured time at least */
	double max_ns; /* time spent at most, runs or not; 0: no limit */
	double
	    precision; /* half the interval of the median over the median; 0: not asked */
	double confidence; /* of that interval */
};

/* What was asked for; NULL: not said. */
struct stop_opts {
	const uint64_t *runs;
	const double *min_ns, *max_ns, *precision, *confidence;
	double default_min_ns;
};

/*
 * The rule that follows: 10 runs and default_min_ns at least, unless told otherwise. -1 and
 * the message, in the words of bench-run's options, when they do not go together.
 */
int stop_rule_make(const struct stop_opts *o, struct stop_rule *rule, struct fault *f);

/* What a subject has come to. */
struct run_progress {
	uint64_t runs;
	double wall_ns;  /* sum of the measured times */
	double spent_ns; /* with hooks and all */
	double *value;   /* the measured times of the runs that were fine, for precision */
	size_t count, cap;
	uint64_t checked; /* runs at the last look at the precision */
	double reached;   /* the precision then; INFINITY before */
};

void run_progress_add(struct run_progress *t, double wall_ns, double spent_ns, bool fine);
bool run_progress_wants(struct run_progress *t, const struct stop_rule *rule);
/* Whether the precision asked for has been reached, or none was asked for. */
bool run_progress_is_precise(struct run_progress *t, const struct stop_rule *rule);
/* How many more runs a subject that wants one will want, as far as its runs can tell; at
 * least 1. */
uint64_t run_progress_ahead(const struct run_progress *t, const struct stop_rule *rule);
/* Time still needed, as far as one can tell, for a progress display. */
double run_progress_left_ns(const struct run_progress *t, const struct stop_rule *rule);
/* 0 .. 1 */
double run_progress_done(const struct run_progress *t, const struct stop_rule *rule);

#endif
