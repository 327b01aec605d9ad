/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the run of a model to which an operation in a profile belongs. Runs in several
 * threads overlap. Pure.
 */
#ifndef INFERENCE_MODEL_RUNS_H
#define INFERENCE_MODEL_RUNS_H

#include "base/base.h"

struct model_run {
	double start_us, end_us, ns;
	size_t thread; /* a number that the caller chose */
	bool overlaps; /* another run; set by model_runs_sort() */
};

/* Zero it, add runs to `run`, and sort them; free it with model_runs_free(). */
struct model_runs {
	struct model_run *run; /* in the order of the file */
	size_t count, cap;
	struct run_start *of_thread, *of_all; /* NULL before they are sorted */
};

enum { RUN_NONE = -1, RUN_AMBIGUOUS = -2 };

void model_runs_sort(struct model_runs *runs);
/* Returns the number of the run that its thread computes at a time, or RUN_NONE. */
int64_t model_runs_of_thread(const struct model_runs *runs, size_t thread, double us);
/* Returns the number of the run at a time, RUN_NONE, or RUN_AMBIGUOUS if it overlaps
 * another one. */
int64_t model_runs_of_all(const struct model_runs *runs, double us);
void model_runs_free(struct model_runs *runs);

#endif
