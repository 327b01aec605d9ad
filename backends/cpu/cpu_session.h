/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session of the cpu backend: its threads, its kernels and its memory.
 */
#ifndef CPU_CPU_SESSION_H
#define CPU_CPU_SESSION_H

#include "backends/hook/hook.h"
#include "cpu_isa.h"

struct backend_session {
	int threads;
	const struct cpu_isa *isa;
	uint64_t bytes;            /* allocated */
	struct cpu_region *region; /* from which the next memory is taken, or NULL */
	unsigned large;            /* the number of large allocations */
	void *scratch;             /* memory for the running operation */
	size_t scratch_bytes;
	struct cpu_dnn *dnn; /* NULL without oneDNN */
	bool dnn_products;   /* whether oneDNN computes products of float32 */
};

/* Allocates memory aligned to a line of the cache and counts it in s->bytes. Returns NULL
 * if there is none. */
void *cpu_alloc(struct backend_session *s, size_t bytes);
/* Frees memory from cpu_alloc; NULL is allowed. */
void cpu_free(struct backend_session *s, void *ptr);
/* Grows the scratch memory to at least this many bytes. Returns 0, or -1 and the reason. */
int cpu_scratch(struct backend_session *s, size_t bytes, char *why);

/* Returns how many threads are worth waking for `work`, which is a number of vectorized
 * operations on one element. Below some ten thousand, waking costs more than it saves. */
static inline int cpu_team(const struct backend_session *s, int64_t work)
{
	int64_t most = work / 16384;
	return most < 1 ? 1 : most < s->threads ? (int)most : s->threads;
}

#endif
