/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load of a plan: how requests arrive, for how long, and which service level they must
 * keep.
 */
#ifndef RUN_LOAD_PLAN_H
#define RUN_LOAD_PLAN_H

#include "load/arrivals.h"
#include "load/scenario.h"
#include "load/slo.h"
#include "subject/subject.h"

struct load_plan {
	const struct scenario *scenario; /* NULL: none */
	struct arrivals arrivals;
	bool has_slo;
	struct slo slo;
	uint64_t requests; /* in each period; 0: total_ns decides */
	double total_ns;   /* time of all periods of a subject together */
	double limit_ns;   /* the most that all periods may take; 0: no limit */
	double window_ns;  /* the longest wait for the rest of a batch; 0: no batches */
	bool search; /* find the highest rate that keeps the level, instead of a rate */
};

/* Values of bench-run's options; NULL: not given. */
struct load_opts {
	const char *rate, *arrivals, *slo, *scenario;
	const uint64_t *runs;
	const double *min_ns, *max_ns, *window_ns;
};

/* The periods of each command and function, and of each kernel and model. */
struct load_periods {
	uint64_t of_others, of_lists;
};

/*
 * Fills in the load, and checks it against the subjects and the numbers of their periods.
 * Returns 0, or -1 and a message that names the option. End with
 * load_plan_free().
 */
int load_plan_read(struct load_plan *l, const struct load_opts *o,
    const struct subjects *subjects, struct load_periods periods, struct fault *f);
void load_plan_free(struct load_plan *l);

/* Returns the option that requests a load, for messages. */
const char *load_plan_option(const char *rate, const char *scenario);
/* Returns whether --rate requests a search. */
bool load_plan_searches(const char *rate);
/* Returns the parameter batch of a subject, or 1. */
uint32_t load_plan_batch(const struct subject *s);
/* Returns how many requests arrive in each of the periods of a subject. */
struct arrivals_size load_plan_size(
    const struct load_plan *l, const struct subject *s, uint64_t periods);
/* Returns the most that one of these periods may take in ns, or 0 if there is no limit. */
double load_plan_limit_ns(const struct load_plan *l, uint64_t periods);

#endif
