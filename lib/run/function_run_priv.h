/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the modules of a function run share; see function_run.h.
 */
#ifndef RUN_FUNCTION_RUN_PRIV_H
#define RUN_FUNCTION_RUN_PRIV_H

#include "run/function_run.h"

/* A sample that waits to be written. */
struct kept {
	struct helper_answer answer;
	struct wire_count *counts;
	struct worker_result *workers;
	struct helper_extra *extra;
	size_t extras;
};

struct function_run {
	const struct plan *plan;
	const struct subject *subject;
	double items, bytes;
	struct peak *peak;   /* of its device; NULL: it is a function */
	uint64_t iterations; /* of a sample; 0: not known yet */
	uint64_t under_way;  /* iterations of the sample that did not come back; 0: none */
	struct run_progress run_progress;
	bool family, hopeless, told_absent;
	/* the process of the moment */
	struct helper_client *call;
	int64_t process; /* its number */
	double first_ns; /* negative: it did not come so far */
	struct kept *warmup, sample;
	size_t warmups, warmup_cap;
	double *warm_ns, *wall_ns; /* of an iteration, of each sample */
	size_t warms, warm_cap, walls, wall_cap;
	double warming_ns, measured_ns;
	bool settled, sampled;
	struct run_status status;
	char why[HELPER_WHY_MAX];
	struct run_sample row; /* the one that is being written */
};

/* Runs so many iterations. NULL: the process is gone. */
const struct helper_sample *function_run_iterate(
    struct function_run *c, uint64_t iterations);
/* Ends the process of the moment and forgets its samples. */
void function_run_forget(struct function_run *c);
/* Returns how long a sample lasts at least. */
double function_run_sample_ns(const struct function_run *c);
/* Of an iteration, as the mean of the workers. */
double function_run_iteration_ns(
    const struct function_run *c, const struct worker_result *workers, uint64_t iterations);

#endif
