/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the results of a ROUND as bytes. The convolution in int8 before the ROUND writes
 * them instead of sums in float32, and convolutions in int8 after it read them.
 */
#ifndef CPU_CPU_BYTES_H
#define CPU_CPU_BYTES_H

#include "cpu_op.h"
#include "cpu_qconv.h"

/* The `own` of such a ROUND. */
struct cpu_bytes {
	struct cpu_own head;
	struct cpu_rounding by;
	bool filled;  /* whether the convolution wrote the bytes when it last ran */
	bool numbers; /* whether other operations read the result */
};

/* Returns the convolution in int8 that may write the bytes of operation `at`, a ROUND: only
 * the ROUND reads its result. Returns NULL if there is none. */
struct backend_op *cpu_bytes_writer(struct backend_op *op, size_t count, size_t at);
/* Returns the bytes of operation `at`, which cpu_bytes_writer() accepted, as the `own` of
 * the operation; NULL if there is no memory. */
struct cpu_bytes *cpu_bytes_create(
    struct backend_session *s, struct backend_op *op, size_t count, size_t at);
/* Frees them. */
void cpu_bytes_release(struct backend_session *s, struct backend_op *op);
/* Runs such a ROUND: writes its result if an operation reads it. */
void cpu_bytes_run(struct backend_session *s, const struct backend_op *op);

#endif
