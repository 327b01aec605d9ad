/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tensors, constants and nodes of a model that is being written; see onnx_export_priv.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "graph/dtype.h"
#include "translate/onnx_export_priv.h"
#include "onnx/onnx_write.h"

void emit_fail(struct emit *e, const char *fmt, ...)
{
	char why[512];
	va_list ap;

	if (e->failed)
		return;
	e->failed = true;
	va_start(ap, fmt);
	(void)vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	if (e->node)
		(void)fault_set(e->fault, "%s: %s", e->node->name, why);
	else
		(void)fault_set(e->fault, "%s", why);
}

enum onnx_type emit_type_of(enum backend_dtype dtype)
{
	static const enum onnx_type types[BACKEND_DTYPES] = {
		[BACKEND_FLOAT32] = ONNX_FLOAT,
		[BACKEND_FLOAT64] = ONNX_DOUBLE,
		[BACKEND_FLOAT16] = ONNX_FLOAT16,
		[BACKEND_BFLOAT16] = ONNX_BFLOAT16,
		[BACKEND_INT8] = ONNX_INT8,
		[BACKEND_INT32] = ONNX_INT32,
		[BACKEND_UINT8] = ONNX_UINT8,
	};

	return types[dtype];
}

struct emit_shape emit_shape(const struct emit *e, uint32_t t)
{
	return e->tensor[t].shape;
}

enum onnx_type emit_type(const struct emit *e, uint32_t t)
{
	return e->tensor[t].type;
}

int64_t emit_elements(struct emit_shape s)
{
	int64_t count = 1;

	for (uint32_t i = 0; i < s.dims; i++)
		count *= s.size[i];
	return count;
}

/* Returns a name that is not in use: that of the operation, and what the name is for. */
static char *new_name(struct emit *e, const char *what)
{
	char *name = NULL;

	do {
		free(name);
		name = str_format(
		    "%s/%s.%zu", e->node ? e->node->name : "", what, e->counter++);
	} while (intern_find(&e->names, text_of(name)) >= 0);
	intern_add(&e->names, text_of(name));
	return name;
}

uint32_t emit_tensor(struct emit *e, const char *name, bool named, enum onnx_type type,
    struct emit_shape shape)
{
	uint32_t number = (uint32_t)e->tensors;
	char *text = named ? str_copy(name) : new_name(e, name);

	*VEC_ADD(e->tensor, e->tensors, e->tensor_cap) = (struct emit_tensor){ .name = text,
		.type = type,
		.shape = shape,
		.source = EMIT_NONE,
		.named = named,
		.weight = GRAPH_NONE };
	return number;
}

/* The types of attributes. */
enum { ATTR_FLOAT = 1, ATTR_INT = 2, ATTR_TEXT = 3, ATTR_INTS = 7 };

/* Appends an attribute whose value has been written to another buffer, which is freed. */
static void put_attr(struct emit *e, const char *name, struct buf *value, int type)
{
	struct buf attr = { 0 };

	proto_text(&attr, 1, text_of(name));
	buf_text(&attr, text_in(value));
	proto_int(&attr, 20, type);
	proto_text(&e->attr, 5, text_in(&attr));
	buf_free(&attr);
	buf_free(value);
}

void emit_attr_int(struct emit *e, const char *name, int64_t value)
{
	struct buf b = { 0 };

	proto_int(&b, 3, value);
	put_attr(e, name, &b, ATTR_INT);
}

void emit_attr_ints(struct emit *e, const char *name, const int64_t *value, size_t count)
{
	struct buf b = { 0 };

	proto_ints(&b, 8, value, count);
	put_attr(e, name, &b, ATTR_INTS);
}

void emit_attr_float(struct emit *e, const char *name, double value)
{
	struct buf b = { 0 };

	proto_float(&b, 2, (float)value);
	put_attr(e, name, &b, ATTR_FLOAT);
}

void emit_attr_text(struct emit *e, const char *name, const char *value)
{
	struct buf b = { 0 };

	proto_text(&b, 4, text_of(value));
	put_attr(e, name, &b, ATTR_TEXT);
}

/* Adds a node and its results. Takes the attributes over. */
static uint32_t add_node(struct emit *e, const char *op, const struct emit_like *like,
    uint32_t outs, struct emit_ins ins)
{
	struct emit_node *n = VEC_ADD(e->body->node, e->body->nodes, e->body->cap);
	uint32_t first = (uint32_t)e->tensors;

	*n = (struct emit_node){ .op = op,
		.in = mem_zero(ins.count + 1, sizeof(*n->in)),
		.ins = ins.count,
		.out = first,
		.outs = outs,
		.attr = e->attr };
	e->attr = (struct buf){ 0 };
	memcpy(n->in, ins.in, ins.count * sizeof(*n->in));
	for (uint32_t i = 0; i < outs; i++)
		emit_tensor(e, op, false, like[i].type, like[i].shape);
	n->name = str_copy(e->tensor[first].name);
	return first;
}

uint32_t emit_add_all(struct emit *e, const char *op, const struct emit_like *like,
    uint32_t outs, struct emit_ins ins)
{
	struct buf key = { 0 };
	size_t number;

	if (e->body != &e->main)
		return add_node(e, op, like, outs, ins);
	buf_put(&key, op, strlen(op) + 1);
	buf_put(&key, &ins.count, sizeof(ins.count));
	buf_put(&key, ins.in, ins.count * sizeof(*ins.in));
	buf_put(&key, e->attr.ptr, e->attr.len);
	number = intern_add(&e->nodes, text_in(&key));
	buf_free(&key);
	while (e->result_cap <= number)
		e->result = mem_more(e->result, &e->result_cap, sizeof(*e->result));
	if (number < e->results) {
		buf_free(&e->attr);
		return e->result[number];
	}
	e->results++;
	return e->result[number] = add_node(e, op, like, outs, ins);
}

uint32_t emit_add(struct emit *e, const char *op, enum onnx_type type,
    struct emit_shape shape, struct emit_ins ins)
{
	struct emit_like like = { type, shape };

	return emit_add_all(e, op, &like, 1, ins);
}

void emit_begin_body(struct emit *e, struct emit_body *body)
{
	*body = (struct emit_body){ 0 };
	e->body = body;
}

uint32_t emit_body_input(struct emit *e, enum onnx_type type, struct emit_shape shape)
{
	uint32_t t = emit_tensor(e, "input", false, type, shape);

	e->body->in[e->body->ins++] = t;
	return t;
}

void emit_end_body(struct emit *e, const uint32_t *out, size_t outs)
{
	memcpy(e->body->out, out, outs * sizeof(*out));
	e->body->outs = outs;
	e->body = &e->main;
}

uint32_t emit_add_with_body(struct emit *e, const char *op, const struct emit_body *body,
    const struct emit_like *like, uint32_t outs, struct emit_ins ins)
{
	uint32_t first = add_node(e, op, like, outs, ins);
	struct emit_node *n = &e->body->node[e->body->nodes - 1];

	n->body = mem_zero(1, sizeof(*n->body));
	*n->body = *body;
	return first;
}

void emit_body_free(struct emit_body *b)
{
	for (size_t i = 0; i < b->nodes; i++) {
		struct emit_node *n = &b->node[i];

		if (n->body)
			emit_body_free(n->body);
		free(n->body);
		free(n->name);
		free(n->in);
		buf_free(&n->attr);
	}
	free(b->node);
}

uint32_t emit_constant(
    struct emit *e, enum onnx_type type, struct emit_shape shape, struct text data)
{
	struct buf key = { 0 };
	size_t number;
	uint32_t t;

	buf_put(&key, &type, sizeof(type));
	buf_put(&key, &shape.dims, sizeof(shape.dims));
	buf_put(&key, shape.size, shape.dims * sizeof(*shape.size));
	buf_text(&key, data);
	number = intern_add(&e->constants, text_in(&key));
	buf_free(&key);
	while (e->constant_cap <= number)
		e->constant = mem_more(e->constant, &e->constant_cap, sizeof(*e->constant));
	if (number < e->constants_made)
		return e->constant[number];
	e->constants_made++;
	t = emit_tensor(e, "constant", false, type, shape);
	e->tensor[t].data =
	    (struct text){ mem_text(data.ptr ? data.ptr : "", data.len), data.len };
	*VEC_ADD(e->initializer, e->initializers, e->initializer_cap) = t;
	return e->constant[number] = t;
}

uint32_t emit_ints(struct emit *e, struct emit_shape shape, const int64_t *value)
{
	return emit_constant(e, ONNX_INT64, shape,
	    (struct text){
	        (const char *)value, (size_t)emit_elements(shape) * sizeof(*value) });
}

uint32_t emit_int(struct emit *e, int64_t value)
{
	return emit_ints(e, (struct emit_shape){ 0 }, &value);
}

uint32_t emit_list(struct emit *e, const int64_t *value, size_t count)
{
	return emit_ints(e, EMIT_SHAPE((int64_t)count), value);
}

uint32_t emit_count(struct emit *e, int64_t first, struct emit_shape shape)
{
	int64_t count = emit_elements(shape);
	int64_t *value = mem_zero((size_t)count + 1, sizeof(*value));
	uint32_t t;

	for (int64_t i = 0; i < count; i++)
		value[i] = first + i;
	t = emit_ints(e, shape, value);
	free(value);
	return t;
}

/* Returns the element type of the graph that has a type of ONNX. */
static enum backend_dtype dtype_of(enum onnx_type type)
{
	for (int i = 0; i < BACKEND_DTYPES; i++)
		if (emit_type_of((enum backend_dtype)i) == type)
			return (enum backend_dtype)i;
	return BACKEND_FLOAT32;
}

uint32_t emit_numbers(
    struct emit *e, enum onnx_type type, struct emit_shape shape, const double *value)
{
	enum backend_dtype dtype = dtype_of(type);
	size_t count = (size_t)emit_elements(shape), bytes = count * dtype_bytes(dtype);
	char *data = mem_zero(bytes + 1, 1);
	uint32_t t;

	dtype_store(dtype, data, value, count);
	t = emit_constant(e, type, shape, (struct text){ data, bytes });
	free(data);
	return t;
}

uint32_t emit_number(struct emit *e, enum onnx_type type, double value)
{
	return emit_numbers(e, type, (struct emit_shape){ 0 }, &value);
}
