/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds up the times of operations that a profile has one by one, for each run or step of
 * the profiled program. Pure.
 */
#ifndef INFERENCE_OPERATION_TIMES_H
#define INFERENCE_OPERATION_TIMES_H

#include "base/base.h"

/* All executions of an operation in a sample. */
struct operation_time {
	int64_t sample;
	size_t operation; /* a number that the caller chose */
	double wall_ns;
	double self_ns; /* without the operations that it called */
	uint64_t calls;
};

/* Zero it to begin; free `at` in the end. */
struct operation_times {
	struct operation_time *at;
	size_t count, cap;
};

/* Adds an execution, or several. */
void operation_times_add(struct operation_times *t, struct operation_time time);
/* Sorts the times by sample and operation, and replaces those in which both are equal by
 * their sum. */
void operation_times_merge(struct operation_times *t);
/* Returns the subject of a note about a number of omitted executions: it ends in "is" or
 * "are". */
const char *operation_times_noun(size_t executions);

#endif
