/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the engine share; see engine.h.
 */
#ifndef ENGINE_ENGINE_PRIV_H
#define ENGINE_ENGINE_PRIV_H

#include "base/intern.h"
#include "engine/engine.h"
#include "graph/fuse.h"
#include "graph/placement.h"

/* A graph and what stands for it on the device. */
struct engine_phase {
	struct graph graph;
	struct fusion fusion;
	struct placement placement;
	bool *used;                     /* by value: an operation touches it */
	struct backend_tensor **tensor; /* by value; held ones are shared by the phases */
	struct backend_op *op;          /* by node */
	bool prepared;
};

/* A weight, an input or a state: its place is its own. */
struct engine_held {
	struct backend_tensor tensor;
	bool filled;
};

struct engine {
	struct engine_opts config;
	struct backend_session *session;
	struct engine_phase phase[ENGINE_PHASES];
	struct intern names;       /* of what is held */
	struct engine_held **held; /* by name */
	size_t helds, held_cap;
	void *arena;
	char *transfer; /* room for what goes to and from the host: grows, and stays */
	size_t transfer_bytes;
	struct engine_times times;
};

/* Fill all that a phase holds and that has nothing in it yet. */
int engine_load(struct engine *e, struct engine_phase *p, struct fault *f);
/* What a backend said, after the name of the backend and what it was to do. */
int engine_blame(
    const struct engine *e, const char *what, const char *why, struct fault *f);

#endif
