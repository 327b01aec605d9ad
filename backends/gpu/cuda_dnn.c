/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes convolutions with cuDNN; see cuda_dnn.h. A convolution is a graph: the
 * convolution, the addition of the other operand and of the bias, and the activation. In
 * this order the library has kernels that compute all four. Results between them are
 * virtual: they are float32, and are not stored.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda_dnn.h"
#include "cuda_dnn_api.h"
#include "gpu_session.h"

/* The tensors that have memory, by their numbers in a graph. */
enum { ID_X = 1, ID_WEIGHT, ID_BIAS, ID_OTHER, ID_OUT, ID_VIRTUAL };

enum { CANDIDATES = 64 };

struct cuda_dnn_plan {
	struct gpu_convolution form;
	struct cuda_dnn_plan *next;
	void *handle; /* NULL if the library has none */
	int64_t room;
};

struct cuda_dnn {
	struct cuda_dnn_api api;
	void *handle;
	struct cuda_dnn_plan *plans;
};

/* A list of descriptors that are being built. After the first failure the functions below
 * do nothing. */
struct dnn_builder {
	struct cuda_dnn *dnn;
	int status;
	void *made[CANDIDATES + 32];
	size_t count;
};

static int dnn_fail(const struct cuda_dnn *d, const char *what, int status, char *why)
{
	char text[160] = "";

	d->api.error_last(text, sizeof(text));
	return hook_fail(why, "cuDNN: %s: %s %s", what, d->api.error_text(status), text);
}

struct cuda_dnn *cuda_dnn_open(void *stream, char *why)
{
	struct cuda_dnn *d = calloc(1, sizeof(*d));

	if (!d) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	if (cuda_dnn_load(&d->api, why)) {
		free(d);
		return NULL;
	}
	int status = d->api.create(&d->handle);
	if (!status)
		status = d->api.set_stream(d->handle, stream);
	if (status) {
		dnn_fail(d, "opening", status, why);
		cuda_dnn_close(d);
		return NULL;
	}
	return d;
}

void cuda_dnn_close(struct cuda_dnn *d)
{
	if (!d)
		return;
	for (struct cuda_dnn_plan *p = d->plans, *next; p; p = next) {
		next = p->next;
		if (p->handle)
			d->api.descriptor_destroy(p->handle);
		free(p);
	}
	if (d->handle)
		d->api.destroy(d->handle);
	free(d);
}

/* Returns a new descriptor, which the builder owns. */
static void *dnn_make(struct dnn_builder *b, int kind)
{
	void *made = NULL;

	if (!b->status && b->count == sizeof(b->made) / sizeof(*b->made))
		b->status = -1;
	if (!b->status)
		b->status = b->dnn->api.descriptor_create(kind, &made);
	if (!b->status)
		b->made[b->count++] = made;
	return b->status ? NULL : made;
}

static void dnn_set(struct dnn_builder *b, void *to, int attribute, int type, int64_t count,
    const void *from)
{
	if (!b->status)
		b->status = b->dnn->api.set(to, attribute, type, count, from);
}

static void dnn_set_number(
    struct dnn_builder *b, void *to, int attribute, int type, int value)
{
	dnn_set(b, to, attribute, type, 1, &value);
}

static void dnn_set_long(struct dnn_builder *b, void *to, int attribute, int64_t value)
{
	dnn_set(b, to, attribute, DNN_TYPE_INT64, 1, &value);
}

static void dnn_set_float(struct dnn_builder *b, void *to, int attribute, float value)
{
	dnn_set(b, to, attribute, DNN_TYPE_FLOAT, 1, &value);
}

static void dnn_set_descriptor(struct dnn_builder *b, void *to, int attribute, void *value)
{
	dnn_set(b, to, attribute, DNN_TYPE_DESCRIPTOR, 1, &value);
}

static void *dnn_finish(struct dnn_builder *b, void *made)
{
	if (!b->status)
		b->status = b->dnn->api.descriptor_finish(made);
	return made;
}

static void dnn_free(struct dnn_builder *b)
{
	while (b->count > 0)
		b->dnn->api.descriptor_destroy(b->made[--b->count]);
}

/* Takes a descriptor from the builder, so that it outlives it. */
static void *dnn_keep(struct dnn_builder *b, void *made)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->made[i] == made)
			b->made[i] = b->made[--b->count];
	return made;
}

static int dnn_type(const struct gpu_convolution *v)
{
	switch (v->dtype) {
	case BACKEND_FLOAT16:
		return DNN_HALF;
	case BACKEND_BFLOAT16:
		return DNN_BFLOAT16;
	default:
		return DNN_FLOAT;
	}
}

/* Makes a tensor of four sizes; a virtual one is float32. */
static void *dnn_tensor(struct dnn_builder *b, const struct gpu_convolution *v, int64_t id,
    const int64_t size[4])
{
	const int64_t stride[] = { size[1] * size[2] * size[3], 1, size[3] * size[1],
		size[1] };
	const bool is_virtual = id >= ID_VIRTUAL;
	void *t = dnn_make(b, DNN_TENSOR);

	dnn_set_number(
	    b, t, DNN_TENSOR_TYPE, DNN_TYPE_DATA, is_virtual ? DNN_FLOAT : dnn_type(v));
	dnn_set(b, t, DNN_TENSOR_SIZES, DNN_TYPE_INT64, 4, size);
	dnn_set(b, t, DNN_TENSOR_STRIDES, DNN_TYPE_INT64, 4, stride);
	dnn_set_long(b, t, DNN_TENSOR_ID, id);
	dnn_set_long(b, t, DNN_TENSOR_ALIGNMENT, 16);
	dnn_set(b, t, DNN_TENSOR_VIRTUAL, DNN_TYPE_BOOLEAN, 1, &is_virtual);
	return dnn_finish(b, t);
}

static void *dnn_convolution(
    struct dnn_builder *b, const struct gpu_convolution *v, void *x, void *weight, void *y)
{
	void *c = dnn_make(b, DNN_CONVOLUTION), *op;

	dnn_set_number(b, c, DNN_CONVOLUTION_TYPE, DNN_TYPE_DATA, DNN_FLOAT);
	dnn_set_number(
	    b, c, DNN_CONVOLUTION_MODE, DNN_TYPE_CONVOLUTION_MODE, DNN_CROSS_CORRELATION);
	dnn_set_long(b, c, DNN_CONVOLUTION_DIMS, 2);
	dnn_set(b, c, DNN_CONVOLUTION_DILATIONS, DNN_TYPE_INT64, 2, v->dilation);
	dnn_set(b, c, DNN_CONVOLUTION_STRIDES, DNN_TYPE_INT64, 2, v->stride);
	dnn_set(b, c, DNN_CONVOLUTION_BEFORE, DNN_TYPE_INT64, 2, v->before);
	dnn_set(b, c, DNN_CONVOLUTION_AFTER, DNN_TYPE_INT64, 2, v->after);
	dnn_finish(b, c);
	op = dnn_make(b, DNN_OP_CONVOLUTION);
	dnn_set_descriptor(b, op, DNN_OP_CONVOLUTION_DESCRIPTOR, c);
	dnn_set_descriptor(b, op, DNN_OP_CONVOLUTION_X, x);
	dnn_set_descriptor(b, op, DNN_OP_CONVOLUTION_W, weight);
	dnn_set_descriptor(b, op, DNN_OP_CONVOLUTION_Y, y);
	dnn_set_float(b, op, DNN_OP_CONVOLUTION_ALPHA, 1);
	dnn_set_float(b, op, DNN_OP_CONVOLUTION_BETA, 0);
	return dnn_finish(b, op);
}

/* Makes y = x + other, or y = act(x) without other. */
static void *dnn_pointwise(
    struct dnn_builder *b, int mode, float beta, void *x, void *other, void *y)
{
	void *p = dnn_make(b, DNN_POINTWISE), *op;

	dnn_set_number(b, p, DNN_POINTWISE_MODE, DNN_TYPE_POINTWISE_MODE, mode);
	dnn_set_number(b, p, DNN_POINTWISE_PRECISION, DNN_TYPE_DATA, DNN_FLOAT);
	if (mode == DNN_SWISH) {
		const double factor = beta;

		dnn_set(b, p, DNN_POINTWISE_SWISH_BETA, DNN_TYPE_DOUBLE, 1, &factor);
	}
	dnn_finish(b, p);
	op = dnn_make(b, DNN_OP_POINTWISE);
	dnn_set_descriptor(b, op, DNN_OP_POINTWISE_DESCRIPTOR, p);
	dnn_set_descriptor(b, op, DNN_OP_POINTWISE_X, x);
	if (other)
		dnn_set_descriptor(b, op, DNN_OP_POINTWISE_B, other);
	dnn_set_descriptor(b, op, DNN_OP_POINTWISE_Y, y);
	dnn_set_float(b, op, DNN_OP_POINTWISE_ALPHA1, 1);
	if (other)
		dnn_set_float(b, op, DNN_OP_POINTWISE_ALPHA2, 1);
	return dnn_finish(b, op);
}

static const struct {
	int mode;
	float beta;
} dnn_acts[BACKEND_ACTS] = {
	[BACKEND_RELU] = { DNN_RELU, 0 },
	[BACKEND_GELU] = { DNN_GELU, 0 },
	[BACKEND_GELU_TANH] = { DNN_GELU_TANH, 0 },
	[BACKEND_QUICK_GELU] = { DNN_SWISH, 1.702f },
	[BACKEND_SILU] = { DNN_SWISH, 1 },
	[BACKEND_TANH] = { DNN_TANH, 0 },
	[BACKEND_SIGMOID] = { DNN_SIGMOID, 0 },
	[BACKEND_SOFTPLUS] = { DNN_SOFTPLUS, 0 },
};

static void *dnn_graph(struct dnn_builder *b, const struct gpu_convolution *v)
{
	const int64_t x[] = { v->samples, v->channels, v->height, v->width };
	const int64_t weight[] = { v->out_channels, v->channels / v->groups, v->kernel[0],
		v->kernel[1] };
	const int64_t y[] = { v->samples, v->out_channels, v->out_height, v->out_width };
	const int64_t bias[] = { 1, v->out_channels, 1, 1 };
	int rest = (v->has_other != 0) + (v->has_bias != 0) + (v->act != BACKEND_LINEAR);
	void *op[4], *last, *next;
	int64_t ops = 0, id = ID_VIRTUAL;

	next = dnn_tensor(b, v, rest ? id++ : ID_OUT, y);
	op[ops++] = dnn_convolution(
	    b, v, dnn_tensor(b, v, ID_X, x), dnn_tensor(b, v, ID_WEIGHT, weight), next);
	if (v->has_other) {
		last = next;
		next = dnn_tensor(b, v, --rest ? id++ : ID_OUT, y);
		op[ops++] =
		    dnn_pointwise(b, DNN_ADD, 0, last, dnn_tensor(b, v, ID_OTHER, y), next);
	}
	if (v->has_bias) {
		last = next;
		next = dnn_tensor(b, v, --rest ? id++ : ID_OUT, y);
		op[ops++] = dnn_pointwise(
		    b, DNN_ADD, 0, last, dnn_tensor(b, v, ID_BIAS, bias), next);
	}
	if (v->act != BACKEND_LINEAR) {
		last = next;
		next = dnn_tensor(b, v, ID_OUT, y);
		op[ops++] = dnn_pointwise(
		    b, dnn_acts[v->act].mode, dnn_acts[v->act].beta, last, NULL, next);
	}
	void *graph = dnn_make(b, DNN_GRAPH);
	dnn_set(b, graph, DNN_GRAPH_HANDLE, DNN_TYPE_HANDLE, 1, &b->dnn->handle);
	dnn_set(b, graph, DNN_GRAPH_OPS, DNN_TYPE_DESCRIPTOR, ops, op);
	return dnn_finish(b, graph);
}

/* Finds configurations for a graph. Returns their number. */
static int64_t dnn_configs(struct dnn_builder *b, void *graph, void *config[CANDIDATES])
{
	void *heuristic = dnn_make(b, DNN_HEURISTIC);
	int64_t count = 0;

	dnn_set_descriptor(b, heuristic, DNN_HEURISTIC_GRAPH, graph);
	dnn_set_number(
	    b, heuristic, DNN_HEURISTIC_MODE, DNN_TYPE_HEURISTIC_MODE, DNN_MODE_A);
	dnn_finish(b, heuristic);
	for (size_t i = 0; i < CANDIDATES; i++)
		config[i] = dnn_make(b, DNN_CONFIG);
	if (!b->status)
		b->status = b->dnn->api.get(heuristic, DNN_HEURISTIC_RESULTS,
		    DNN_TYPE_DESCRIPTOR, CANDIDATES, &count, config);
	return b->status ? 0 : count < CANDIDATES ? count : CANDIDATES;
}

/* Returns whether an engine neither rounds sums to a narrower type than float32 nor
 * transforms so that rounding errors grow. */
static bool config_is_exact(struct dnn_builder *b, void *config)
{
	const struct cuda_dnn_api *api = &b->dnn->api;
	int note[DNN_NOTES];
	int64_t count = 0;
	void *engine = NULL;
	int status = api->descriptor_create(DNN_ENGINE, &engine);

	if (!status)
		status = api->get(
		    config, DNN_CONFIG_ENGINE, DNN_TYPE_DESCRIPTOR, 1, &count, &engine);
	count = 0;
	if (!status)
		status = api->get(engine, DNN_ENGINE_NUMERICAL_NOTE,
		    DNN_TYPE_NUMERICAL_NOTE, DNN_NOTES, &count, note);
	if (engine)
		api->descriptor_destroy(engine);
	bool exact = !status;
	for (int64_t i = 0; i < count && i < DNN_NOTES; i++)
		exact = exact && note[i] != DNN_NOTE_NARROWS_INPUTS &&
		        note[i] != DNN_NOTE_NARROWS_SUMS && note[i] != DNN_NOTE_FFT &&
		        note[i] != DNN_NOTE_WINOGRAD_13;
	return exact;
}

/* Makes a plan of a configuration. Returns NULL if it does not suit. */
static void *plan_make(struct dnn_builder *b, void *config, int64_t *room)
{
	struct dnn_builder one = { .dnn = b->dnn };
	void *plan = dnn_make(&one, DNN_PLAN);
	int64_t count = 0;

	dnn_set(&one, plan, DNN_PLAN_HANDLE, DNN_TYPE_HANDLE, 1, &b->dnn->handle);
	dnn_set_descriptor(&one, plan, DNN_PLAN_CONFIG, config);
	dnn_finish(&one, plan);
	if (!one.status)
		one.status = b->dnn->api.get(
		    plan, DNN_PLAN_WORKSPACE, DNN_TYPE_INT64, 1, &count, room);
	if (!one.status)
		dnn_keep(&one, plan);
	dnn_free(&one);
	return one.status ? NULL : plan;
}

/* Finds the first plan that works, the fastest first by the library's own estimate. Its
 * fallbacks are slower than matrix products of columns, so they are not asked for. */
static void plan_find(struct cuda_dnn *d, struct cuda_dnn_plan *p, char *why)
{
	struct dnn_builder b = { .dnn = d };
	void *config[CANDIDATES];
	const int64_t count = dnn_configs(&b, dnn_graph(&b, &p->form), config);

	for (int64_t i = 0; i < count && !p->handle; i++)
		if (config_is_exact(&b, config[i]))
			p->handle = plan_make(&b, config[i], &p->room);
	if (!p->handle)
		dnn_fail(d, "no plan for a convolution", b.status, why);
	dnn_free(&b);
}

const struct cuda_dnn_plan *cuda_dnn_plan(
    struct cuda_dnn *d, const struct gpu_convolution *v, char *why)
{
	struct cuda_dnn_plan *p = d->plans;

	while (p && memcmp(&p->form, v, sizeof(*v)) != 0)
		p = p->next;
	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p) {
			hook_fail(why, "out of memory");
			return NULL;
		}
		p->form = *v;
		p->next = d->plans;
		d->plans = p;
		plan_find(d, p, why);
	}
	return p->handle ? p : NULL;
}

size_t cuda_dnn_room(const struct cuda_dnn_plan *p)
{
	return (size_t)p->room;
}

int cuda_dnn_run(struct cuda_dnn *d, const struct cuda_dnn_plan *p,
    const struct gpu_convolution_operands *x, char *why)
{
	struct dnn_builder b = { .dnn = d };
	void *pack = dnn_make(&b, DNN_PACK);
	void *pointer[5] = { x->x, x->weight, x->out }, *room = x->room;
	int64_t id[5] = { ID_X, ID_WEIGHT, ID_OUT }, count = 3;

	if (p->form.has_bias) {
		pointer[count] = x->bias;
		id[count++] = ID_BIAS;
	}
	if (p->form.has_other) {
		pointer[count] = x->other;
		id[count++] = ID_OTHER;
	}
	dnn_set(&b, pack, DNN_PACK_IDS, DNN_TYPE_INT64, count, id);
	dnn_set(&b, pack, DNN_PACK_POINTERS, DNN_TYPE_POINTER, count, pointer);
	dnn_set(&b, pack, DNN_PACK_WORKSPACE, DNN_TYPE_POINTER, 1, &room);
	dnn_finish(&b, pack);
	if (!b.status)
		b.status = d->api.execute(d->handle, p->handle, pack);
	dnn_free(&b);
	return b.status ? dnn_fail(d, "running a convolution", b.status, why) : 0;
}
