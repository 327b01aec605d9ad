/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares a kernel or model on a device with the same on the reference backend.
 */
#ifndef ENGINE_VERIFY_H
#define ENGINE_VERIFY_H

#include "engine/engine.h"

/* Options of a comparison. */
struct verify_opts {
	const struct model *model;
	const struct binding *param;
	size_t params;
	enum backend_dtype dtype;
	const struct engine_opts *engine; /* of the tested engine: its seed and inputs */
	int64_t past;                     /* the number of tokens before the first step */
	uint64_t steps;                   /* the number of steps to compare */
};

/*
 * Returns the largest error of verify_run that counts as rounding: that of the least
 * precise floating-point type among the values of the graph, or of quantized products.
 */
double verify_tolerance(const struct graph *g);
/* Returns the same for one type. */
double verify_type_tolerance(enum backend_dtype dtype);

/* The result of a comparison. */
struct verify_result {
	double error;
	uint64_t integers, integers_differing;
	uint64_t integers_wrong; /* those that differ and are no positions */
	/* The share of the choices of routers, and of the positions among the outputs, that
	 * differ; NAN: there are none. */
	double choices_differing;
};
/* Returns whether the results are those of the reference within a tolerance. Otherwise
 * stores how they differ. */
bool verify_accept(const struct verify_result *r, double tolerance,
    enum backend_dtype dtype, struct fault *f);

/*
 * Stores the error: the largest |a - b| over all outputs, relative to the largest |b| of
 * the same output. The reference continues with the choices of the tested engine's routers;
 * the amount by which they are worse than its own counts as an error, as does that of
 * positions, such as those of TOPK. Other integers must be equal. The tested engine must
 * have the option keep_choices. The reference backend computes b in double precision
 * without fusion, from weights and inputs that are rounded alike. For a graph without
 * outputs, the states are compared. Returns 0, or -1 and the message if one of the two
 * cannot be run.
 */
int verify_run(struct engine *e, const struct verify_opts *opts,
    struct verify_result *result, struct fault *f);

/* A model that another program than an engine runs. Both hooks return 0, or -1 and the
 * message. */
struct verify_tested {
	/* Runs a phase; `past` is the number of earlier tokens. */
	int (*run)(void *context, enum model_phase phase, int64_t past, struct fault *f);
	/* Stores all `count` elements of an output or, with `state`, of a state after the
	 * last run of the phase. */
	int (*read)(void *context, enum model_phase phase, const char *name, bool state,
	    double *out, size_t count, struct fault *f);
	void *context;
};
/*
 * Compares the results, like verify_run, except that the reference makes its own choices of
 * experts. Of `engine` in the options, only the seed, the inputs and the
 * directory of its device are used. Returns 0, or -1 and the message.
 */
int verify_results(const struct verify_tested *tested, const struct verify_opts *opts,
    struct verify_result *result, struct fault *f);

#endif
