/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares results with the reference; see verify.h.
 */
#include <math.h>
#include <stdlib.h>

#include "backends/ref/ref.h"
#include "engine/verify.h"
#include "engine/verify_route.h"
#include "graph/dtype.h"
#include "graph/graph_quantize.h"

/* The tolerance of a model with products in int8; bench-run(1) describes its source. */
static const double quantized_tolerance = 5e-1;

double verify_type_tolerance(enum backend_dtype dtype)
{
	static const double tolerance[BACKEND_DTYPES] = {
		[BACKEND_FLOAT32] = 1e-3,
		[BACKEND_FLOAT64] = 1e-9,
		[BACKEND_FLOAT16] = 5e-2,
		[BACKEND_BFLOAT16] = 2e-1,
		[BACKEND_TF32] = 5e-2,
	};

	return tolerance[dtype];
}

double verify_tolerance(const struct graph *g)
{
	double most = graph_quantized_share(g) > 0 ? quantized_tolerance : 0;

	for (size_t i = 0; i < g->values; i++)
		most = fmax(most, verify_type_tolerance(g->value[i].dtype));
	return most;
}

/* Opens the reference engine. Returns NULL and the message on failure. */
static struct engine *open_reference(const struct verify_opts *c, struct fault *f)
{
	struct graph graph[ENGINE_PHASES] = { 0 };
	struct engine_opts config = { .backend = &backend_ref,
		.device = { .abi = BACKEND_ABI, .share_dir = c->engine->device.share_dir },
		.graph = { &graph[MODEL_FORWARD], &graph[MODEL_STEP] },
		.seed = c->engine->seed,
		.plain = true,
		.rounding = c->dtype,
		.first_batch = true,
		.input = c->engine->input,
		.inputs = c->engine->inputs };
	enum engine_trouble trouble;

	for (int i = 0; i < ENGINE_PHASES; i++)
		if ((i == MODEL_FORWARD || c->steps) &&
		    model_expand_exact(c->model, c->param, c->params, (enum model_phase)i,
		        c->dtype, &graph[i], f) < 0) {
			graph_free(&graph[MODEL_FORWARD]);
			return NULL;
		}
	return engine_open(&config, &trouble, f);
}

/* Returns the largest difference relative to the largest value; infinite if a value is not
 * finite. */
static double largest_difference(const double *a, const double *b, size_t count)
{
	double most = 0, apart = 0;

	for (size_t i = 0; i < count; i++) {
		if (!isfinite(a[i]) || !isfinite(b[i]))
			return INFINITY;
		most = fmax(most, fabs(b[i]));
		apart = fmax(apart, fabs(a[i] - b[i]));
	}
	if (apart == 0)
		return 0;
	return most > 0 ? apart / most : INFINITY;
}

static int run_phase(
    struct engine *e, enum model_phase phase, int64_t past, struct fault *f)
{
	return engine_run(e, phase, past, f) < 0 || engine_sync(e, f) < 0 ? -1 : 0;
}

/* Raises *error to that of one value of a phase. Returns 0, or -1 and the message. */
static int compare_result(const struct verify_tested *t, struct engine *ref,
    enum model_phase phase, uint32_t value, double *error, struct fault *f)
{
	const struct graph_value *v = &engine_graph(ref, phase)->value[value];
	const size_t count = (size_t)graph_elements(v);
	double *a = mem_zero(count + 1, sizeof(*a)), *b = mem_zero(count + 1, sizeof(*b));
	int status = t->read(t->context, phase, v->name, v->role == BACKEND_STATE, a, count,
	                 f) < 0 ||
	                     engine_read(ref, phase, value, b, f) < 0
	                 ? -1
	                 : 0;

	if (status == 0)
		*error = fmax(*error, largest_difference(a, b, count));
	free(a);
	free(b);
	return status;
}

/* Raises *error to that of the outputs of a phase, or of its states if it has no outputs.
 * Returns 0, or -1 and the message. */
static int compare_results(const struct verify_tested *t, struct engine *ref,
    enum model_phase phase, enum backend_dtype dtype, double *error, struct fault *f)
{
	const bool exact =
	    !dtype_is_float(dtype) && graph_quantized_share(engine_graph(ref, phase)) <= 0;
	static const enum backend_role roles[] = { BACKEND_OUTPUT, BACKEND_STATE };
	const struct graph *g = engine_graph(ref, phase);
	size_t compared = 0;

	for (size_t r = 0; r < COUNT(roles) && !compared; r++)
		for (uint32_t i = 0; i < g->values; i++) {
			if (g->value[i].role != roles[r] || g->value[i].of != i ||
			    (g->value[i].dtype == BACKEND_INT32 && !exact))
				continue;
			if (compare_result(t, ref, phase, i, error, f) < 0)
				return -1;
			compared++;
		}
	return compared ? 0 : fault_set(f, "there is no output to compare");
}

/* Copies the next tokens from the tested engine to the reference, so that both continue
 * with the same ones. Returns 0, or -1 and the message. */
static int take_over(const struct verify_tested *t, struct engine *ref,
    enum model_phase phase, struct fault *f)
{
	const struct graph *g = engine_graph(ref, MODEL_FORWARD);

	for (uint32_t i = 0; i < g->values; i++) {
		const struct graph_value *v = &g->value[i];
		const size_t count = (size_t)graph_elements(v);
		double *x;
		int status;

		if (v->role != BACKEND_STATE || v->dtype != BACKEND_INT32 || v->of != i)
			continue;
		x = mem_zero(count + 1, sizeof(*x));
		status = t->read(t->context, phase, v->name, true, x, count, f) < 0 ||
		                 engine_write(ref, MODEL_FORWARD, i, x, f) < 0
		             ? -1
		             : 0;
		free(x);
		if (status < 0)
			return -1;
	}
	return 0;
}

int verify_results(const struct verify_tested *t, const struct verify_opts *c,
    double *error, struct fault *f)
{
	struct engine *ref = open_reference(c, f);
	int status = ref && t->run(t->context, MODEL_FORWARD, 0, f) == 0 &&
	                     run_phase(ref, MODEL_FORWARD, 0, f) == 0
	                 ? 0
	                 : -1;

	*error = 0;
	if (status == 0)
		status = compare_results(t, ref, MODEL_FORWARD, c->dtype, error, f);
	for (uint64_t s = 0; s < c->steps && status == 0; s++) {
		const int64_t past = c->past + (int64_t)s;

		status = take_over(t, ref, s ? MODEL_STEP : MODEL_FORWARD, f) < 0 ||
		                 t->run(t->context, MODEL_STEP, past, f) < 0 ||
		                 run_phase(ref, MODEL_STEP, past, f) < 0 ||
		                 compare_results(t, ref, MODEL_STEP, c->dtype, error, f) < 0
		             ? -1
		             : 0;
	}
	engine_close(ref);
	return status;
}

/* Reads a value of an engine of ours by its name. */
static int read_engine(void *context, enum model_phase phase, const char *name,
    bool is_state, double *out, size_t count, struct fault *f)
{
	struct engine *e = context;
	const uint32_t value = graph_find(engine_graph(e, phase), name);

	(void)is_state;
	(void)count;
	return value == GRAPH_NONE ? fault_set(f, "the model has no value '%s'", name)
	                           : engine_read(e, phase, value, out, f);
}

/* Runs a phase on both engines and raises *error to that of its results. Returns 0, or -1
 * and the message. */
static int check_phase(struct engine *e, struct engine *ref, enum model_phase phase,
    int64_t past, enum backend_dtype dtype, struct route_difference *d, double *error,
    struct fault *f)
{
	return run_phase(e, phase, past, f) < 0 ||
	               verify_route_run(ref, e, phase, past, d, f) < 0 ||
	               engine_sync(ref, f) < 0 ||
	               compare_results(
	                   &(struct verify_tested){ .read = read_engine, .context = e },
	                   ref, phase, dtype, error, f) < 0
	           ? -1
	           : 0;
}

int verify_run(struct engine *e, const struct verify_opts *c, struct verify_result *result,
    struct fault *f)
{
	struct engine *ref = open_reference(c, f);
	const struct verify_tested tested = { .read = read_engine, .context = e };
	struct route_difference d = { 0 };
	int status;

	*result = (struct verify_result){ 0 };
	if (!ref)
		return -1;
	status = check_phase(e, ref, MODEL_FORWARD, 0, c->dtype, &d, &result->error, f);
	for (uint64_t s = 0; s < c->steps && status == 0; s++)
		status = take_over(&tested, ref, MODEL_FORWARD, f) < 0 ||
		                 check_phase(e, ref, MODEL_STEP, c->past + (int64_t)s,
		                     c->dtype, &d, &result->error, f) < 0
		             ? -1
		             : 0;
	result->error = fmax(result->error, d.apart);
	result->choices_differing =
	    d.choices ? (double)d.differing / (double)d.choices : NAN;
	engine_close(ref);
	return status;
}
