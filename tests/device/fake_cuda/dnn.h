/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A convolution and the element-wise operations after it, as the fake of cuDNN computes
 * them.
 */
#ifndef TESTS_FAKE_CUDA_DNN_H
#define TESTS_FAKE_CUDA_DNN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DNN_STEPS = 3 };

struct dnn_tensor {
	int64_t id, size[4], stride[4], alignment;
	int type;
	bool is_virtual;
	char *data;
};

/* An element-wise operation: y = op(x + other). */
struct dnn_step {
	int mode;
	double beta;
	bool has_other;
	struct dnn_tensor other;
};

struct dnn_job {
	struct dnn_tensor x, weight, out;
	int64_t dilation[2], stride[2], before[2], after[2];
	struct dnn_step step[DNN_STEPS];
	size_t steps;
	bool narrow; /* whether sums are rounded */
};

/* Computes a struct dnn_job. Returns 0. */
int dnn_run(const void *data);

#endif
