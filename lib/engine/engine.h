/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs graphs on a device. The engine draws and places the weights and compiles the
 * operations once; after that, runs allocate nothing.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "bench-backend.h"
#include "model/model.h"

enum { ENGINE_PHASES = MODEL_STEP + 1 };

/* A source whose numbers an input holds instead of drawn ones; see tensor_file.h. */
struct engine_input {
	const char *name, *path; /* the syntax of the path is that of port_spec.h */
};

/* How to open an engine. */
struct engine_opts {
	const struct backend *backend;
	struct backend_config device;
	/* By enum model_phase; a graph without nodes is absent. The engine takes the graphs
	 * over, and changes them. */
	struct graph *graph[ENGINE_PHASES];
	uint64_t seed;
	bool plain; /* whether to run each operation separately instead of fusing */
	/* Weights and inputs are rounded to this type before they are converted to their
	 * own. */
	enum backend_dtype rounding;
	const struct engine_input *input;
	size_t inputs;
	/* An open session of the device, which stays open; NULL opens one. */
	struct backend_session *session;
	/* Whether large values repeat their first numbers, which is faster than drawing all
	 * of them. */
	bool repeat;
	/* Whether the choices of routers can be read after a run. */
	bool keep_choices;
	/* Whether only the first batch of each input is read. */
	bool first_batch;
};

/* Why an engine cannot be opened. */
enum engine_trouble {
	ENGINE_FAILED,
	ENGINE_UNSUPPORTED,
	ENGINE_NO_ROOM /* the free memory of the device is not enough */
};

/* How long the parts of engine_open took. */
struct engine_times {
	int64_t begin_ns; /* when it began, by CLOCK_MONOTONIC; the parts follow in order */
	double open_ns;   /* to open the device */
	double load_ns;   /* to draw and place the weights */
	double compile_ns; /* to prepare the operations */
};

struct engine;

/* Opens a device and prepares the graphs. Returns NULL, the kind of trouble and the message
 * on failure. The graphs are taken over in either case. */
struct engine *engine_open(
    const struct engine_opts *opts, enum engine_trouble *trouble, struct fault *f);
/* Releases and frees everything; NULL is allowed. */
void engine_close(struct engine *e);
/* Returns how long opening took. */
struct engine_times engine_times(const struct engine *e);
/* Returns the graph of a phase as it is run, that is, fused. The engine owns it. */
const struct graph *engine_graph(const struct engine *e, enum model_phase phase);

/* Starts all operations of a phase. `past` is the number of earlier tokens, for the phase
 * STEP. Returns 0, or -1 and the message. */
int engine_run(struct engine *e, enum model_phase phase, int64_t past, struct fault *f);
/* Runs a phase like engine_run, and calls `after` after each node has been started. Stops
 * where that returns -1. */
int engine_run_each(struct engine *e, enum model_phase phase, int64_t past,
    int (*after)(void *context, size_t node, struct fault *f), void *context,
    struct fault *f);
/* Returns the fraction of the phases that the backend runs as a graph, in one step; NAN if
 * it has no graphs, or a phase has one operation only. */
double engine_graph_share(const struct engine *e);
/* Runs a phase, and stores in span when each node ran: by the clock of the device if the
 * backend can measure that, else from its start to its end as seen by the host. Returns 0
 * for the device, 1 for the host, or -1 and the message. */
int engine_time_nodes(struct engine *e, enum model_phase phase,
    struct backend_op_span *span, struct fault *f);
/* Waits until all operations are complete. Returns 0, or -1 and the message. */
int engine_sync(struct engine *e, struct fault *f);
/* Reads all elements of a contiguous value, which must not be an activation, except
 * directly after the node of `ref` that writes it. Returns 0, or -1 and the message. */
int engine_read(
    struct engine *e, enum model_phase phase, uint32_t value, double *out, struct fault *f);
/* Writes all elements of such a value. Returns 0, or -1 and the message. */
int engine_write(struct engine *e, enum model_phase phase, uint32_t value,
    const double *from, struct fault *f);
/* Returns whether an input has several batches. */
bool engine_has_batches(const struct engine *e);
/* Writes the next batch of each input that has several, in turn. The first call changes
 * nothing, because the first batch is already there. No operation may be running. Returns
 * 0, or -1 and the message. */
int engine_next_batch(struct engine *e, struct fault *f);
/* Returns the memory in use on the device, in bytes; 0 if unknown. */
uint64_t engine_memory(const struct engine *e);
/* Returns the memory that opening the device took, in bytes; 0 if unknown. */
uint64_t engine_memory_context(const struct engine *e);

#endif
