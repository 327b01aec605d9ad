/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A graph on a device: its weights drawn and placed, its operations compiled, and run as
 * often as is wanted without any further allocation.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "model/model.h"

enum { ENGINE_PHASES = MODEL_STEP + 1 };

/* What an input holds instead of drawn numbers; see tensor_file.h. */
struct engine_input {
	const char *name, *path;
};

struct engine_opts {
	const struct backend *backend;
	struct backend_config device;
	/* By enum model_phase; one without nodes is not there. The engine takes them over,
	 * and changes them. */
	struct graph *graph[ENGINE_PHASES];
	uint64_t seed;
	bool plain; /* every operation of the list by itself: nothing is fused */
	/* Weights and inputs are rounded to this type before they are in their own. */
	enum backend_dtype rounding;
	const struct engine_input *input;
	size_t inputs;
};

/* Why there is none. */
enum engine_trouble { ENGINE_FAILED, ENGINE_UNSUPPORTED };

struct engine_times {
	double open_ns;    /* the device opened */
	double load_ns;    /* weights drawn and placed */
	double compile_ns; /* operations prepared */
};

struct engine;

/* NULL, the message and the sort of trouble. The graphs are freed in either case. */
struct engine *engine_open(
    const struct engine_opts *config, enum engine_trouble *trouble, struct fault *f);
void engine_close(struct engine *e);
struct engine_times engine_times(const struct engine *e);
/* As it is run: fused. */
const struct graph *engine_graph(const struct engine *e, enum model_phase phase);

/* Set all operations of a phase going. `past` is for the phase STEP. 0 or -1. */
int engine_run(struct engine *e, enum model_phase phase, int64_t past, struct fault *f);
/* Only one of them. */
int engine_run_node(struct engine *e, enum model_phase phase, size_t node, struct fault *f);
/* Wait until the device has done all. */
int engine_sync(struct engine *e, struct fault *f);
/* All elements of a contiguous value, in its order; not of an activation. */
int engine_read(
    struct engine *e, enum model_phase phase, uint32_t value, double *out, struct fault *f);
int engine_write(struct engine *e, enum model_phase phase, uint32_t value,
    const double *from, struct fault *f);
/* The device's memory in use now, in bytes; 0: not known. */
uint64_t engine_memory(const struct engine *e);

#endif
