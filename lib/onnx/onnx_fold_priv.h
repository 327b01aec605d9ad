/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computation of tensors: the elements are int64_t for integers and bool, and double for
 * floating-point numbers; both have 8 bytes, so that moving them needs no types. Pure.
 */
#ifndef ONNX_ONNX_FOLD_PRIV_H
#define ONNX_ONNX_FOLD_PRIV_H

#include "onnx/onnx_rules_priv.h"

union fold_cell {
	int64_t i;
	double r;
};

/* The computation of one result. */
struct folding {
	struct rule_call *call;
	const union fold_cell **in;     /* the elements of the operands; NULL: absent */
	const struct onnx_fact **shape; /* their shapes */
	uint32_t ins;
	union fold_cell *out;
	const struct onnx_fact *result;
	uint32_t which;   /* the number of the result */
	int64_t elements; /* of the result */
};

/* Computes a result. Returns false if it cannot, for example if a divisor is 0. The rule of
 * the operator has checked the operands. */
typedef bool fold_function(const struct folding *f);

/* Returns the function of an operator that computes numbers, or NULL. */
fold_function *fold_numbers_of(struct text op);

/* Visits the places of a tensor in order, and a place in another one for each. */
struct fold_walk {
	const int64_t *dim;
	uint32_t dims;
	int64_t stride[ONNX_DIMS_MAX], at[ONNX_DIMS_MAX];
	int64_t from; /* the place in the other tensor */
};

/* Moves to the next place. */
static inline void fold_walk_on(struct fold_walk *w)
{
	for (uint32_t i = w->dims; i-- > 0;) {
		w->from += w->stride[i];
		if (++w->at[i] < w->dim[i])
			return;
		w->from -= w->stride[i] * w->dim[i];
		w->at[i] = 0;
	}
}

/* Begins a walk over the first sizes of the result, through the first dims sizes of operand
 * i, which is repeated to them. */
struct fold_walk fold_walk_of(
    const struct folding *f, uint32_t result_dims, uint32_t i, uint32_t dims);
/* Begins a walk over the result through operand i, which is repeated to it. */
struct fold_walk fold_broadcast(const struct folding *f, uint32_t i);
/* Copies the elements that a walk over the result visits. */
bool fold_copy(const struct folding *f, const union fold_cell *in, struct fold_walk w);
/* Stores the strides of a tensor in rows. */
void fold_strides(const struct onnx_fact *v, int64_t stride[ONNX_DIMS_MAX]);

/* Returns the number that a type can represent; those of 16 bits are not rounded. */
union fold_cell fold_narrowed(int64_t type, union fold_cell x);
/* Returns the sum of two elements of a type. */
union fold_cell fold_sum(int64_t type, union fold_cell a, union fold_cell b);

/* Whether the elements of a type are int64_t here, or double. */
bool fold_is_integer(int64_t type);
bool fold_is_real(int64_t type);

/* Operators with indices, products and quantization, in onnx_fold_index.c. */
bool fold_gather(const struct folding *f);
bool fold_gather_elements(const struct folding *f);
bool fold_gather_nd(const struct folding *f);
bool fold_trilu(const struct folding *f);
bool fold_non_zero(const struct folding *f);
bool fold_pad(const struct folding *f);
bool fold_cumsum(const struct folding *f);
bool fold_matmul(const struct folding *f);
bool fold_quantize(const struct folding *f);
bool fold_dequantize(const struct folding *f);
/* In onnx_rules_einsum.c. */
bool fold_einsum(const struct folding *f);

#endif
