/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares results with the reference; see verify.h.
 */
#include <math.h>
#include <stdlib.h>

#include "backends/ref/ref.h"
#include "engine/verify.h"
#include "engine/verify_position.h"
#include "engine/verify_route.h"
#include "graph/dtype.h"
#include "graph/graph_quantize.h"

/* The tolerance of a model with products in int8; bench-kernels(7) describes its source. */
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

/* Returns whether activations are rounded to int8 or uint8, as in quantized model files. */
static bool rounds_to_bytes(const struct graph *g)
{
	for (size_t i = 0; i < g->nodes; i++) {
		const struct graph_node *n = &g->node[i];

		if (n->op.kind == BACKEND_ROUND &&
		    n->op.p.round.high - n->op.p.round.low <= UINT8_MAX)
			return true;
	}
	return false;
}

double verify_tolerance(const struct graph *g)
{
	double most =
	    graph_quantized_share(g) > 0 || rounds_to_bytes(g) ? quantized_tolerance : 0;

	for (size_t i = 0; i < g->values; i++)
		most = fmax(most, verify_type_tolerance(g->value[i].dtype));
	return most;
}

bool verify_accept(const struct verify_result *r, double tolerance,
    enum backend_dtype dtype, struct fault *f)
{
	if (r->integers_wrong)
		fault_set(f,
		    "the results are wrong: %llu of %llu integers differ from the "
		    "reference",
		    (unsigned long long)r->integers_differing,
		    (unsigned long long)r->integers);
	else if (!(r->error <= tolerance) && r->integers_differing)
		fault_set(f,
		    "the results are wrong: they differ from the reference by %.3g, more "
		    "than the %.3g that %s allows, and %llu of %llu integers differ",
		    r->error, tolerance, dtype_name(dtype),
		    (unsigned long long)r->integers_differing,
		    (unsigned long long)r->integers);
	else if (!(r->error <= tolerance))
		fault_set(f,
		    "the results are wrong: they differ from the reference by %.3g, more "
		    "than the %.3g that %s allows",
		    r->error, tolerance, dtype_name(dtype));
	else
		return true;
	return false;
}

/* Opens the reference engine. Returns NULL and the message on failure. */
static struct engine *open_reference(const struct verify_opts *c, struct fault *f)
{
	struct graph graph[ENGINE_PHASES] = { 0 };
	struct engine_opts opts = { .backend = &backend_ref,
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
		    model_expand(c->model,
		        &(struct model_expand_opts){ .param = c->param,
		            .params = c->params,
		            .phase = (enum model_phase)i,
		            .dtype = c->dtype,
		            .exact = true },
		        &graph[i], f) < 0) {
			graph_free(&graph[MODEL_FORWARD]);
			return NULL;
		}
	return engine_open(&opts, &trouble, f);
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

/* A comparison of a tested model with the reference. */
struct verification {
	const struct verify_tested *tested;
	struct engine *routed; /* the tested engine, if it hands over its choices */
	struct engine *ref;
	struct position_trail *trail; /* of the present phase */
	struct route_difference routes;
	struct verify_result *result;
};

/* Adds the differences between the integers of a value. Returns 0, or -1 and the message.
 */
static int compare_integers(struct verification *c, uint32_t value, const double *a,
    const double *b, struct fault *f)
{
	struct integer_difference d = { 0 };
	struct verify_result *r = c->result;

	if (position_trail_compare(c->trail, value, a, b, &d, f) < 0)
		return -1;
	r->integers += d.integers;
	r->integers_differing += d.differing;
	r->integers_wrong += d.differing - d.positions_differing;
	c->routes.choices += d.positions;
	c->routes.differing += d.positions_differing;
	r->error = fmax(r->error, d.apart);
	return 0;
}

/* Adds the differences of one value of a phase. Returns 0, or -1 and the message. */
static int compare_value(
    struct verification *c, enum model_phase phase, uint32_t value, struct fault *f)
{
	const struct graph_value *v = &engine_graph(c->ref, phase)->value[value];
	const struct verify_tested *t = c->tested;
	const size_t count = (size_t)graph_elements(v);
	double *a = mem_zero(count + 1, sizeof(*a)), *b = mem_zero(count + 1, sizeof(*b));
	int status = t->read(t->context, phase, v->name, v->role == BACKEND_STATE, a, count,
	                 f) < 0 ||
	                     engine_read(c->ref, phase, value, b, f) < 0
	                 ? -1
	                 : 0;

	if (status == 0 && !dtype_is_float(v->dtype))
		status = compare_integers(c, value, a, b, f);
	else if (status == 0)
		c->result->error = fmax(c->result->error, largest_difference(a, b, count));
	free(a);
	free(b);
	return status;
}

/* Adds the differences of the outputs of a phase, or of its states if it has no outputs.
 * Returns 0, or -1 and the message. */
static int compare_values(struct verification *c, enum model_phase phase, struct fault *f)
{
	static const enum backend_role roles[] = { BACKEND_OUTPUT, BACKEND_STATE };
	const struct graph *g = engine_graph(c->ref, phase);
	size_t compared = 0;

	for (size_t r = 0; r < COUNT(roles) && !compared; r++)
		for (uint32_t i = 0; i < g->values; i++) {
			if (g->value[i].role != roles[r] || g->value[i].of != i)
				continue;
			if (compare_value(c, phase, i, f) < 0)
				return -1;
			compared++;
		}
	return compared ? 0 : fault_set(f, "there is no output to compare");
}

/* Runs a phase on both sides and adds the differences of its results. Returns 0, or -1 and
 * the message. */
static int compare_phase(
    struct verification *c, enum model_phase phase, int64_t past, struct fault *f)
{
	int status = -1;

	c->trail = position_trail_open(c->ref, phase, past);
	if (c->tested->run(c->tested->context, phase, past, f) == 0 &&
	    verify_route_run(c->ref, c->routed, phase, past, c->trail, &c->routes, f) ==
	        0 &&
	    engine_sync(c->ref, f) == 0 && compare_values(c, phase, f) == 0)
		status = 0;
	position_trail_close(c->trail);
	c->trail = NULL;
	return status;
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

/* Compares all phases. `routed` is the tested engine, if it hands over its choices.
 * Returns 0, or -1 and the message. */
static int compare_all(const struct verify_tested *t, struct engine *routed,
    const struct verify_opts *o, struct verify_result *result, struct fault *f)
{
	struct verification c = { .tested = t, .routed = routed, .result = result };
	int status;

	*result = (struct verify_result){ 0 };
	c.ref = open_reference(o, f);
	if (!c.ref)
		return -1;
	status = compare_phase(&c, MODEL_FORWARD, 0, f);
	for (uint64_t s = 0; s < o->steps && status == 0; s++)
		status = take_over(t, c.ref, s ? MODEL_STEP : MODEL_FORWARD, f) < 0 ||
		                 compare_phase(&c, MODEL_STEP, o->past + (int64_t)s, f) < 0
		             ? -1
		             : 0;
	result->error = fmax(result->error, c.routes.apart);
	result->choices_differing =
	    c.routes.choices ? (double)c.routes.differing / (double)c.routes.choices : NAN;
	engine_close(c.ref);
	return status;
}

int verify_results(const struct verify_tested *t, const struct verify_opts *o,
    struct verify_result *result, struct fault *f)
{
	return compare_all(t, NULL, o, result, f);
}

/* Runs a phase of an engine of ours. */
static int run_engine(void *context, enum model_phase phase, int64_t past, struct fault *f)
{
	return engine_run(context, phase, past, f) < 0 || engine_sync(context, f) < 0 ? -1
	                                                                              : 0;
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

int verify_run(struct engine *e, const struct verify_opts *o, struct verify_result *result,
    struct fault *f)
{
	return compare_all(
	    &(struct verify_tested){ run_engine, read_engine, e }, e, o, result, f);
}
