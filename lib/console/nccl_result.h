/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes rows of the results of nccl-tests, which its text and its JSON have.
 */
#ifndef CONSOLE_NCCL_RESULT_H
#define CONSOLE_NCCL_RESULT_H

#include "record/row_builder.h"
#include "record/sample_counts.h"

/* A run of a test. Zero it to begin. */
struct nccl_run {
	struct text bench;
	struct text host, device;    /* of all ranks; empty if they differ */
	int64_t ranks;               /* 0: unknown */
	int64_t iterations;          /* of each result, or ROW_NONE */
	struct sample_counts counts; /* of equal results, in all runs */
};

/* A size, or one of its two places. The texts must live until it was added. */
struct nccl_result {
	const char *place; /* "in" or "out" */
	bool is_wrong;     /* the test found wrong values */
	size_t values, factors;
	struct {
		const char *metric, *unit;
		double value;
	} value[16];
	struct {
		const char *name;
		struct text value;
	} factor[4];
};

/* Returns the number of operations whose mean is a time, or ROW_NONE. */
int64_t nccl_iterations(int64_t iterations, int64_t operations, int64_t graphs);
void nccl_run_begin(struct nccl_run *run, struct text bench);
/* Adds a rank. Its texts must live as long as the run. */
void nccl_run_add_rank(struct nccl_run *run, struct text host, struct text device);
/* A further value or factor than there is room for is ignored. */
void nccl_result_add(
    struct nccl_result *result, const char *metric, const char *unit, double value);
void nccl_result_factor(struct nccl_result *result, const char *name, struct text value);
/* Sets the columns, and adds the rows of the values. A time or a rate that was rounded to 0
 * is missing. Returns 0, or the result of the sink. */
int nccl_result_put(struct nccl_run *run, const struct nccl_result *result,
    struct row_builder *out, struct fault *f);
/* Adds the row of a run without results, which failed. */
int nccl_result_put_none(struct nccl_run *run, struct row_builder *out, struct fault *f);
void nccl_run_free(struct nccl_run *run);

#endif
