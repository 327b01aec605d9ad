/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the results of a ROUND as bytes. The operation in int8 before the ROUND writes them
 * instead of numbers in float32, and operations in int8 after it read them.
 */
#ifndef CPU_CPU_BYTES_H
#define CPU_CPU_BYTES_H

#include "cpu_op.h"
#include "cpu_qconv.h"

/* The bytes after the last one that may be read. */
enum { CPU_BYTES_BEYOND = 32 };

/* The `own` of such a ROUND. */
struct cpu_bytes {
	struct cpu_own head;
	struct cpu_rounding by;
	const struct backend_tensor *of; /* the result */
	float alpha;
	bool filled;  /* whether the bytes were written when the operation last ran */
	bool numbers; /* whether an operation, or the host, reads the result as numbers */
};

/* Returns the ROUND to multiples of alpha by bytes less a zero point that wrote all
 * elements of a tensor before operation `at`, and that no other operation changes; NULL if
 * there is none. */
const struct backend_op *cpu_bytes_round(
    const struct backend_op *op, size_t count, size_t at, const struct backend_tensor *t);
/* Returns the operation that may write the bytes of operation `at`, a ROUND, if it runs in
 * int8: only the ROUND reads its result. Returns NULL if there is none. */
struct backend_op *cpu_bytes_writer(struct backend_op *op, size_t count, size_t at);
/* Stores the bytes of a ROUND that has a writer with this activation as its `own`, and
 * returns them; NULL if there is no memory. */
struct cpu_bytes *cpu_bytes_create(
    struct backend_session *s, struct backend_op *round, enum backend_act act);
/* Finds out whether other operations read the result, when all that run in int8 are known.
 */
void cpu_bytes_settle(const struct backend_op *op, size_t count, struct cpu_bytes *b);
/* Frees them. */
void cpu_bytes_release(struct backend_session *s, struct backend_op *op);
/* Writes the result as numbers, from the bytes. */
void cpu_bytes_load(struct backend_session *s, const struct cpu_bytes *b);
/* Runs such a ROUND: writes its result if an operation reads it. */
void cpu_bytes_run(struct backend_session *s, const struct backend_op *op);

#endif
