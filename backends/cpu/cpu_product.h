/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes matrix products followed by operations on their elements, divided among the
 * session's threads.
 */
#ifndef CPU_CPU_PRODUCT_H
#define CPU_CPU_PRODUCT_H

#include "cpu_blas.h"
#include "cpu_session.h"

/* The product c = act(alpha a b + bias + residual) for each of a batch. */
struct cpu_product {
	struct cpu_blas g;    /* the first of the batch; its beta is not read */
	const void *bias;     /* [n], or NULL */
	const void *row_bias; /* [m], or NULL */
	const void *residual; /* [m,n], or NULL; may be c */
	int64_t residual_row; /* stride of its rows */
	enum backend_act act;
	const void *packed; /* b, packed, for all of the batch; or NULL */
	int64_t batch;
	int64_t a_next, b_next, c_next, residual_next; /* strides in the batch */
};

/* Computes a product with the session's threads. With packed, the scratch memory must have
 * the room of the packing for each thread. */
void cpu_product(struct backend_session *s, const struct cpu_product *p);
/* Computes a product on the calling thread only. */
void cpu_product_alone(const struct backend_session *s, const struct cpu_product *p);

#endif
