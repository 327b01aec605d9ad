/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds which executions of operations call others, from their times in a profile. Pure.
 */
#ifndef INFERENCE_NESTED_CALLS_H
#define INFERENCE_NESTED_CALLS_H

#include "base/base.h"

/* The operation of a call that only separates a caller from what it calls. */
#define NESTED_CALLS_OTHER SIZE_MAX

/* An execution. */
struct nested_call {
	double start_us, end_us, ns;
	size_t thread, operation; /* numbers that the caller chose */
	size_t position;          /* in the file */
	int64_t sample;           /* for the caller */
	/* Found by nested_calls_find(). */
	double self_ns;    /* without the calls directly inside it */
	bool is_inside;    /* another call */
	bool is_repeated;  /* its operation is also outside of it */
	bool is_forwarded; /* the only call of a call of the same operation */
};

struct nested_calls {
	struct nested_call *at;
	size_t count, cap;
};

/*
 * Sorts calls by thread and start, and finds which are inside others. Times in a file are
 * rounded, so that a call can seem to begin before the end of the call before: it is inside
 * another if its middle is. Takes time proportional to n log n, however deep they are.
 */
void nested_calls_find(struct nested_calls *calls);

#endif
