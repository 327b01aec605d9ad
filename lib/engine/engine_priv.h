/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares what the files of the engine share; see engine.h.
 */
#ifndef ENGINE_ENGINE_PRIV_H
#define ENGINE_ENGINE_PRIV_H

#include "base/intern.h"
#include "engine/drawn_table.h"
#include "engine/engine.h"
#include "graph/fuse.h"
#include "graph/placement.h"

/* The graph of a phase, and its tensors and operations on the device. */
struct engine_phase {
	struct graph graph;
	struct fusion fusion;
	struct placement placement;
	bool *used;                     /* by value: whether an operation uses it */
	struct backend_tensor **tensor; /* by value; phases share those of held values */
	struct backend_op *op;          /* by node */
	bool prepared;
};

/* A held value: a weight, an input or a state, which has a buffer of its own. */
struct engine_held {
	struct backend_tensor tensor;
	bool filled;
};

/* The batches of an input. */
struct engine_batches {
	const struct backend_tensor *tensor;
	char *elements; /* of all batches */
	size_t size;    /* of a batch, in bytes */
	size_t batches;
};

struct engine {
	struct engine_opts opts;
	struct backend_session *session;
	struct engine_phase phase[ENGINE_PHASES];
	struct intern names;       /* of held values */
	struct engine_held **held; /* by name */
	size_t helds, held_cap;
	void *arena;
	char *transfer; /* a buffer for copies to and from the host, which only grows */
	size_t transfer_bytes;
	struct engine_times times;
	struct drawn_tables tables;
	struct engine_batches *batched; /* the inputs with several batches */
	size_t batcheds, batched_cap;
	uint64_t turn; /* the number of calls of engine_next_batch */
};

/* Fills the held values of a phase that are not filled yet. Returns 0, or -1 and the
 * message. */
int engine_load(struct engine *e, struct engine_phase *p, struct fault *f);
/* Reads an input from a source, and writes its first batch to the device. Keeps all batches
 * if there are several. Returns 0, or -1 and the message. */
int engine_load_input(struct engine *e, const struct graph_value *v,
    const struct backend_tensor *t, const char *spec, struct fault *f);
void engine_batches_free(struct engine *e);
/* Writes bytes to a tensor from byte `at` on. Returns 0, or -1 and the message. */
int engine_place(struct engine *e, const struct backend_tensor *t, size_t at,
    const void *from, size_t bytes, struct fault *f);
/* Writes a message from the name of the backend, what failed, and the backend's reason.
 * Returns -1. */
int engine_blame(
    const struct engine *e, const char *what, const char *why, struct fault *f);

#endif
