/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes the backend API of cuDNN: descriptors keep the attributes that are set, and a plan
 * computes a convolution and the element-wise operations after it with plain loops, in
 * double precision. The first configuration rounds sums, as its note says; the second does
 * not, but rounds float32 to TF32. A descriptor that lacks an attribute, has an unexpected
 * type or sizes that do not match is rejected.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../backends/gpu/cuda_dnn_api.h"
#include "dnn.h"
#include "fake.h"

enum { DNN_BAD_PARAM = 2000, DNN_NOT_SUPPORTED = 3000, DNN_FAILED = 5000 };
enum { ATTRIBUTES = 16, ENGINES = 2 };
enum { WORKSPACE = 4096 };

static const double convolution_us = 20;

struct handle {
	void *stream;
};

struct attribute {
	int name, type;
	int64_t count;
	void *value;
};

struct descriptor {
	int kind, engine;
	bool finished;
	struct attribute attribute[ATTRIBUTES];
	size_t attributes;
	struct descriptor *from; /* of a configuration: the heuristic that found it */
	struct dnn_job *job; /* of a plan, which outlives the descriptors it is made of */
};

static const struct attribute *attribute_find(const struct descriptor *d, int name)
{
	for (size_t i = 0; d && i < d->attributes; i++)
		if (d->attribute[i].name == name)
			return &d->attribute[i];
	return NULL;
}

/* Copies an attribute of a type and number of elements. Returns false if there is none. */
static bool attribute_read(
    const struct descriptor *d, int name, int type, int64_t count, size_t bytes, void *to)
{
	const struct attribute *a = attribute_find(d, name);

	if (!a || a->type != type || a->count != count)
		return false;
	memcpy(to, a->value, (size_t)count * bytes);
	return true;
}

static struct descriptor *attribute_descriptor(
    const struct descriptor *d, int name, int kind)
{
	struct descriptor *to = NULL;

	if (!attribute_read(d, name, DNN_TYPE_DESCRIPTOR, 1, sizeof(to), &to) ||
	    to->kind != kind || !to->finished)
		return NULL;
	return to;
}

static bool tensor_read(const struct descriptor *d, struct dnn_tensor *t)
{
	*t = (struct dnn_tensor){ .alignment = 1 };
	return d &&
	       attribute_read(
	           d, DNN_TENSOR_TYPE, DNN_TYPE_DATA, 1, sizeof(int), &t->type) &&
	       attribute_read(d, DNN_TENSOR_SIZES, DNN_TYPE_INT64, 4, 8, t->size) &&
	       attribute_read(d, DNN_TENSOR_STRIDES, DNN_TYPE_INT64, 4, 8, t->stride) &&
	       attribute_read(d, DNN_TENSOR_ID, DNN_TYPE_INT64, 1, 8, &t->id) &&
	       attribute_read(
	           d, DNN_TENSOR_ALIGNMENT, DNN_TYPE_INT64, 1, 8, &t->alignment) &&
	       attribute_read(d, DNN_TENSOR_VIRTUAL, DNN_TYPE_BOOLEAN, 1, sizeof(bool),
	           &t->is_virtual);
}

static bool tensor_read_of(const struct descriptor *op, int name, struct dnn_tensor *t)
{
	return tensor_read(attribute_descriptor(op, name, DNN_TENSOR), t);
}

static bool convolution_read(const struct descriptor *op, struct dnn_job *j, int64_t *last)
{
	const struct descriptor *c =
	    attribute_descriptor(op, DNN_OP_CONVOLUTION_DESCRIPTOR, DNN_CONVOLUTION);
	int mode = -1, type = -1;
	int64_t dims = 0;
	float alpha = 0, beta = 1;

	if (!c || !tensor_read_of(op, DNN_OP_CONVOLUTION_X, &j->x) ||
	    !tensor_read_of(op, DNN_OP_CONVOLUTION_W, &j->weight) ||
	    !tensor_read_of(op, DNN_OP_CONVOLUTION_Y, &j->out) ||
	    !attribute_read(
	        c, DNN_CONVOLUTION_TYPE, DNN_TYPE_DATA, 1, sizeof(int), &type) ||
	    !attribute_read(c, DNN_CONVOLUTION_MODE, DNN_TYPE_CONVOLUTION_MODE, 1,
	        sizeof(int), &mode) ||
	    !attribute_read(c, DNN_CONVOLUTION_DIMS, DNN_TYPE_INT64, 1, 8, &dims) ||
	    !attribute_read(
	        c, DNN_CONVOLUTION_DILATIONS, DNN_TYPE_INT64, 2, 8, j->dilation) ||
	    !attribute_read(c, DNN_CONVOLUTION_STRIDES, DNN_TYPE_INT64, 2, 8, j->stride) ||
	    !attribute_read(c, DNN_CONVOLUTION_BEFORE, DNN_TYPE_INT64, 2, 8, j->before) ||
	    !attribute_read(c, DNN_CONVOLUTION_AFTER, DNN_TYPE_INT64, 2, 8, j->after) ||
	    !attribute_read(op, DNN_OP_CONVOLUTION_ALPHA, DNN_TYPE_FLOAT, 1, 4, &alpha) ||
	    !attribute_read(op, DNN_OP_CONVOLUTION_BETA, DNN_TYPE_FLOAT, 1, 4, &beta))
		return false;
	for (int i = 0; i < 2; i++) {
		const int64_t wide = j->x.size[2 + i] + j->before[i] + j->after[i] -
		                     j->dilation[i] * (j->weight.size[2 + i] - 1) - 1;

		if (wide < 0 || wide / j->stride[i] + 1 != j->out.size[2 + i])
			return false;
	}
	*last = j->out.id;
	return dims == 2 && mode == DNN_CROSS_CORRELATION && type == DNN_FLOAT &&
	       alpha == 1 && beta == 0 && j->x.size[0] == j->out.size[0] &&
	       j->weight.size[0] == j->out.size[1] &&
	       j->x.size[1] % j->weight.size[1] == 0 &&
	       j->weight.size[0] % (j->x.size[1] / j->weight.size[1]) == 0;
}

/* Reads an operation on the result `last` of the one before it. */
static bool pointwise_read(const struct descriptor *op, struct dnn_job *j, int64_t *last)
{
	const struct descriptor *p =
	    attribute_descriptor(op, DNN_OP_POINTWISE_DESCRIPTOR, DNN_POINTWISE);
	struct dnn_step *s = &j->step[j->steps++];
	struct dnn_tensor x;

	if (!p || j->steps > DNN_STEPS || !tensor_read_of(op, DNN_OP_POINTWISE_X, &x) ||
	    x.id != *last || !x.is_virtual ||
	    !tensor_read_of(op, DNN_OP_POINTWISE_Y, &j->out) ||
	    !attribute_read(
	        p, DNN_POINTWISE_MODE, DNN_TYPE_POINTWISE_MODE, 1, sizeof(int), &s->mode))
		return false;
	s->beta = 1;
	attribute_read(p, DNN_POINTWISE_SWISH_BETA, DNN_TYPE_DOUBLE, 1, 8, &s->beta);
	s->has_other = s->mode == DNN_ADD;
	*last = j->out.id;
	return !s->has_other || tensor_read_of(op, DNN_OP_POINTWISE_B, &s->other);
}

/* Reads the operations of a graph. Returns false if it is none that is computed. */
static bool graph_read(const struct descriptor *graph, struct dnn_job *j)
{
	const struct attribute *ops = attribute_find(graph, DNN_GRAPH_OPS);
	struct descriptor *const *op = ops ? ops->value : NULL;
	int64_t last = 0;

	*j = (struct dnn_job){ .steps = 0 };
	if (!ops || ops->type != DNN_TYPE_DESCRIPTOR || ops->count < 1 ||
	    ops->count > 1 + DNN_STEPS || !attribute_find(graph, DNN_GRAPH_HANDLE))
		return false;
	for (int64_t i = 0; i < ops->count; i++)
		if (!op[i]->finished ||
		    op[i]->kind != (i ? DNN_OP_POINTWISE : DNN_OP_CONVOLUTION) ||
		    !(i ? pointwise_read : convolution_read)(op[i], j, &last))
			return false;
	return !j->out.is_virtual;
}

/* Reads the graph of a plan. Returns NULL if it has none that is computed. */
static struct dnn_job *plan_read(const struct descriptor *plan)
{
	const struct descriptor *config =
	    attribute_descriptor(plan, DNN_PLAN_CONFIG, DNN_CONFIG);
	const struct descriptor *graph =
	    config ? attribute_descriptor(config->from, DNN_HEURISTIC_GRAPH, DNN_GRAPH)
	           : NULL;
	struct dnn_job *j = calloc(1, sizeof(*j));

	if (!graph || !graph_read(graph, j)) {
		free(j);
		return NULL;
	}
	j->narrow = config->engine == 0;
	return j;
}

FAKE_API size_t cudnnGetVersion(void)
{
	return 91002;
}

FAKE_API const char *cudnnGetErrorString(int status)
{
	return status == DNN_BAD_PARAM ? "CUDNN_STATUS_BAD_PARAM" : "CUDNN_STATUS_FAILED";
}

FAKE_API void cudnnGetLastErrorString(char *text, size_t size)
{
	if (size)
		*text = '\0';
}

FAKE_API int cudnnCreate(struct handle **handle)
{
	if (fake_called(__func__, "%s", ""))
		return DNN_FAILED;
	*handle = calloc(1, sizeof(**handle));
	return 0;
}

FAKE_API int cudnnDestroy(struct handle *handle)
{
	free(handle);
	return fake_called(__func__, "%s", "") ? DNN_FAILED : 0;
}

FAKE_API int cudnnSetStream(struct handle *handle, void *stream)
{
	handle->stream = stream;
	return 0;
}

FAKE_API int cudnnBackendCreateDescriptor(int kind, struct descriptor **made)
{
	*made = calloc(1, sizeof(**made));
	(*made)->kind = kind;
	return 0;
}

FAKE_API int cudnnBackendDestroyDescriptor(struct descriptor *d)
{
	for (size_t i = 0; d && i < d->attributes; i++)
		free(d->attribute[i].value);
	if (d)
		free(d->job);
	free(d);
	return 0;
}

FAKE_API int cudnnBackendFinalize(struct descriptor *d)
{
	struct dnn_job j;

	if (d->finished)
		return DNN_BAD_PARAM;
	if (d->kind == DNN_GRAPH && !graph_read(d, &j))
		return DNN_BAD_PARAM;
	if (d->kind == DNN_PLAN &&
	    (fake_called("cudnnPlan", "%s", "") || !(d->job = plan_read(d))))
		return DNN_NOT_SUPPORTED;
	d->finished = true;
	return 0;
}

static size_t type_size(int type)
{
	switch (type) {
	case DNN_TYPE_BOOLEAN:
		return 1;
	case DNN_TYPE_HANDLE:
	case DNN_TYPE_INT64:
	case DNN_TYPE_DOUBLE:
	case DNN_TYPE_POINTER:
	case DNN_TYPE_DESCRIPTOR:
		return 8;
	}
	return 4;
}

FAKE_API int cudnnBackendSetAttribute(
    struct descriptor *d, int name, int type, int64_t count, const void *from)
{
	const size_t bytes = (size_t)count * type_size(type);

	if (d->finished || count < 1 || d->attributes == ATTRIBUTES ||
	    attribute_find(d, name))
		return DNN_BAD_PARAM;
	struct attribute *a = &d->attribute[d->attributes++];

	*a = (struct attribute){ name, type, count, malloc(bytes) };
	memcpy(a->value, from, bytes);
	return 0;
}

FAKE_API int cudnnBackendGetAttribute(
    struct descriptor *d, int name, int type, int64_t most, int64_t *count, void *to)
{
	struct descriptor **made = to;
	int *note = to;

	switch (name) {
	case DNN_HEURISTIC_RESULTS:
		if (!d->finished || type != DNN_TYPE_DESCRIPTOR)
			return DNN_BAD_PARAM;
		*count = most < ENGINES ? most : ENGINES;
		for (int i = 0; i < *count; i++) {
			made[i]->engine = i;
			made[i]->from = d;
			made[i]->finished = true;
		}
		return 0;
	case DNN_CONFIG_ENGINE:
		(*made)->engine = d->engine;
		(*made)->finished = true;
		*count = 1;
		return 0;
	case DNN_ENGINE_NUMERICAL_NOTE:
		*count = d->engine == 0;
		if (*count)
			*note = DNN_NOTE_NARROWS_SUMS;
		return 0;
	case DNN_PLAN_WORKSPACE:
		if (!d->finished)
			return DNN_BAD_PARAM;
		*(int64_t *)to = WORKSPACE;
		*count = 1;
		return 0;
	}
	return DNN_BAD_PARAM;
}

/* Finds a tensor's data in the pack. Returns false if it is not on the device. */
static bool tensor_place(
    struct dnn_tensor *t, const int64_t *id, void *const *data, int64_t count)
{
	int64_t last = 0;

	for (int i = 0; i < 4; i++)
		last += (t->size[i] - 1) * t->stride[i];
	for (int64_t i = 0; i < count; i++)
		if (id[i] == t->id)
			t->data = data[i];
	return t->data && (uintptr_t)t->data % (uintptr_t)t->alignment == 0 &&
	       fake_is_device(t->data, (size_t)(last + 1) * (t->type == DNN_FLOAT ? 4 : 2));
}

FAKE_API int cudnnBackendExecute(
    struct handle *handle, struct descriptor *plan, struct descriptor *pack)
{
	const struct attribute *ids = attribute_find(pack, DNN_PACK_IDS);
	const struct attribute *pointers = attribute_find(pack, DNN_PACK_POINTERS);
	struct dnn_job j;
	void *workspace = NULL;

	if (!plan->finished || !pack->finished || !ids || !pointers ||
	    ids->count != pointers->count ||
	    !attribute_read(pack, DNN_PACK_WORKSPACE, DNN_TYPE_POINTER, 1, 8, &workspace) ||
	    !fake_is_device(workspace, WORKSPACE))
		return DNN_BAD_PARAM;
	j = *plan->job;
	bool placed = tensor_place(&j.x, ids->value, pointers->value, ids->count) &&
	              tensor_place(&j.weight, ids->value, pointers->value, ids->count) &&
	              tensor_place(&j.out, ids->value, pointers->value, ids->count);
	for (size_t i = 0; i < j.steps; i++)
		placed = placed &&
		         (!j.step[i].has_other || tensor_place(&j.step[i].other, ids->value,
		                                      pointers->value, ids->count));
	if (fake_called(__func__, "type=%d last=%d steps=%zu", j.x.type, j.x.stride[1] == 1,
	        j.steps) ||
	    !placed)
		return DNN_BAD_PARAM;
	return fake_enqueue(handle->stream, dnn_run, &j, sizeof(j), convolution_us);
}
