/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When each subject is measured, and when it has enough samples. Pure.
 *
 * A block measures each subject that needs more samples once: in random order (random
 * complete blocks: a drift of the machine affects all subjects alike), or in the given
 * order. In sequential order, each subject is measured to its end before the next.
 */
#ifndef RUN_SCHEDULE_H
#define RUN_SCHEDULE_H

#include "base/base.h"
#include "base/rng.h"

enum order { ORDER_RANDOM, ORDER_INTERLEAVED, ORDER_SEQUENTIAL };

/* Parses "random", "interleaved" or "sequential". Returns 0, or -1 and the message. */
extern const char *const order_names[];
extern const size_t order_names_count;
int order_parse(const char *name, enum order *out, struct fault *f);

/*
 * Fills in the subjects of the next block, in the order of measurement: those whose
 * wants[] is true. Returns their number; 0 at the end. round has room for count.
 */
size_t schedule_round(
    enum order order, struct rng *rng, const bool *wants, size_t count, size_t *round);
/* Does the same for warm-ups, which take all subjects in turn even in sequential order. */
size_t schedule_warmups(
    enum order order, struct rng *rng, const bool *wants, size_t count, size_t *round);

/* When to stop measuring a subject. */
struct stop_rule {
	uint64_t runs; /* exactly this number of samples; 0: the rules below apply */
	uint64_t min_runs;
	double min_ns;    /* least measured time */
	double max_ns;    /* most time spent, regardless of samples; 0: no limit */
	double precision; /* half the width of the median's interval over the median; 0: not
	                     requested */
	double confidence;  /* of this interval */
	bool until_decided; /* comparisons decide when to stop, within max_ns */
};

/* The requested values; NULL: not given. */
struct stop_opts {
	const uint64_t *runs;
	const double *min_ns, *max_ns, *precision, *confidence;
	bool until_decided;
	double default_min_ns;
};

/*
 * Fills in the rule that follows from the options: at least 10 samples and
 * default_min_ns, unless options change this. Returns 0, or -1 and a message that names
 * bench-run's options if they contradict each other.
 */
int stop_rule_make(const struct stop_opts *o, struct stop_rule *rule, struct fault *f);

/* The progress of a subject. */
struct run_progress {
	uint64_t runs;
	double wall_ns;  /* sum of the measured times */
	double spent_ns; /* including hooks and other costs */
	double *value;   /* the measured times of the samples that succeeded, or their
	                    processor times, for the precision */
	size_t count, cap;
	uint64_t checked; /* number of samples when the precision was last computed */
	double reached;   /* the precision at that time; INFINITY before */
};

/* Adds a sample that took wall_ns, and spent_ns including hooks and other costs. */
void run_progress_add(struct run_progress *t, double wall_ns, double spent_ns, bool fine);
/* Adds a sample that succeeded and whose precision is that of another value than its time.
 */
void run_progress_add_value(
    struct run_progress *t, double wall_ns, double spent_ns, double value);
/* Returns whether the subject needs another sample. */
bool run_progress_wants(struct run_progress *t, const struct stop_rule *rule);
/* Returns whether the subject has used its time. */
bool run_progress_is_spent(const struct run_progress *t, const struct stop_rule *rule);
/* Returns whether the requested precision has been reached, or none was requested. */
bool run_progress_is_precise(struct run_progress *t, const struct stop_rule *rule);
/*
 * Returns an estimate of how many more samples a subject that needs one will need; at
 * least 1.
 */
uint64_t run_progress_ahead(const struct run_progress *t, const struct stop_rule *rule);
/* Returns an estimate of the time still needed, for the display of progress. */
double run_progress_left_ns(const struct run_progress *t, const struct stop_rule *rule);
/* Returns the estimated part of the measurement that is done, from 0 to 1. */
double run_progress_done(const struct run_progress *t, const struct stop_rule *rule);

#endif
