/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computation of small tensors: the elements are int64_t for integers and bool, and double
 * for float32 and float64; both have 8 bytes, so that moving them needs no types. Pure.
 */
#ifndef ONNX_ONNX_FOLD_PRIV_H
#define ONNX_ONNX_FOLD_PRIV_H

#include "onnx/onnx_rules_priv.h"

union fold_cell {
	int64_t i;
	double r;
};

/* The computation of the first result. */
struct folding {
	struct rule_call *call;
	const union fold_cell **in;     /* the elements of the operands; NULL: absent */
	const struct onnx_fact **shape; /* their shapes */
	uint32_t ins;
	union fold_cell *out;
	const struct onnx_fact *result;
	int64_t elements; /* of the result */
};

/* Whether the elements of a type are int64_t here, or double. */
bool fold_is_integer(int64_t type);
bool fold_is_real(int64_t type);

/* Repeats operand i to the shape of the result. Returns an array to be freed. */
union fold_cell *fold_broadcast(const struct folding *f, uint32_t i);
/* Computes numbers of one operand, two operands and so on. Returns false if the operator is
 * another, or if the numbers are outside of its domain. */
bool fold_numbers(const struct folding *f);

#endif
