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

struct engine {
	struct engine_opts config;
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
};

/* Fills the held values of a phase that are not filled yet. Returns 0, or -1 and the
 * message. */
int engine_load(struct engine *e, struct engine_phase *p, struct fault *f);
/* Writes a message from the name of the backend, what failed, and the backend's reason.
 * Returns -1. */
int engine_blame(
    const struct engine *e, const char *what, const char *why, struct fault *f);

#endif
