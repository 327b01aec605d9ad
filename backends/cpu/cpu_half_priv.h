/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files cpu_half*.c. */
#ifndef CPU_CPU_HALF_PRIV_H
#define CPU_CPU_HALF_PRIV_H

#include "cpu_half.h"

enum { HALF_TENSORS = BACKEND_INS + BACKEND_OUTS };

/* The memory for operands in float32, which the operations of a list share. */
struct half_room {
	size_t users;
	char *bytes;
};

/* The `own` of an operation of 16 bits. */
struct half_plan {
	const struct half_way *way;
	struct backend_op op; /* the operation in float32, or with oneDNN's plan */
	struct backend_tensor copy[HALF_TENSORS]; /* operands of op in float32 */
	void *kept[BACKEND_INS];                  /* weights in float32 */
	struct half_room *room;
};

/* How an operation is run. */
struct half_way {
	/* Returns the bytes of its part of the room. */
	size_t (*room)(const struct backend_session *s, const struct backend_op *op);
	/* Optional. Makes the operation in float32. */
	int (*prepare)(struct backend_session *s, struct half_plan *p,
	    const struct backend_op *op, char *why);
	int (*run)(struct backend_session *s, struct half_plan *p,
	    const struct backend_op *op, char *why);
};

/* Operations whose operands are converted as a whole, and a few rows at a time; products;
 * and operations that move elements without a conversion. */
extern const struct half_way cpu_half_whole, cpu_half_rows, cpu_half_products,
    cpu_half_experts, cpu_half_moves;

/* Returns tensor i of an operation, inputs first; it may be NULL. */
static inline struct backend_tensor *cpu_half_tensor(const struct backend_op *op, int i)
{
	return i < BACKEND_INS ? op->in[i] : op->out[i - BACKEND_INS];
}

/* Returns the size of n float32 in whole lines of the cache. */
static inline size_t cpu_half_bytes(int64_t n)
{
	return ((size_t)n * sizeof(float) + 63) / 64 * 64;
}

/* Takes n float32 from a room. */
static inline float *cpu_half_take(char **room, int64_t n)
{
	float *taken = (float *)(void *)*room;
	*room += cpu_half_bytes(n);
	return taken;
}

/* Returns whether the elements of a tensor are adjacent and in order. */
bool cpu_half_is_packed(const struct backend_tensor *t);
/* Returns whether the operation of this kind can be run a few rows at a time. */
bool cpu_half_has_rows(const struct backend_op *op);
/* Returns whether the second operand of a BINARY has the elements of the first. */
bool cpu_half_is_stream(const struct backend_op *op);
/* Converts all elements of a tensor to float32, with the session's threads. */
void cpu_half_load(
    const struct backend_session *s, float *to, const struct backend_tensor *t);
/* Converts all elements of a tensor from float32, with the session's threads. */
void cpu_half_store(
    const struct backend_session *s, const struct backend_tensor *t, const float *from);

#endif
