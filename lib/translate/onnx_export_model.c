/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the bytes of a model, with the fields of onnx.proto; see onnx_export_priv.h.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "translate/onnx_export_priv.h"
#include "onnx/onnx_write.h"

/* The version of the file format for operators of a version. */
enum { IR_VERSION = 8, IR_VERSION_NEW = 10 };
/* The places of weights in the second file are multiples of this number, so that they can
 * be mapped into memory. */
enum { WEIGHT_ALIGN = 4096 };
/* The alignment of the elements that the caller stores. */
enum { ELEMENT_ALIGN = 8 };
/* The fields of messages. */
enum { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPSET = 8 };
enum {
	GRAPH_NODE = 1,
	GRAPH_NAME = 2,
	GRAPH_INITIALIZER = 5,
	GRAPH_IN = 11,
	GRAPH_OUT = 12
};
enum { NODE_IN = 1, NODE_OUT = 2, NODE_NAME = 3, NODE_OP = 4, NODE_ATTR = 5 };
enum { ATTR_NAME = 1, ATTR_GRAPH = 6, ATTR_TYPE = 20, ATTR_TYPE_GRAPH = 5 };
enum {
	TENSOR_DIMS = 1,
	TENSOR_TYPE = 2,
	TENSOR_NAME = 8,
	TENSOR_RAW = 9,
	TENSOR_EXTERNAL = 13,
	TENSOR_LOCATION = 14
};

/* Appends a message that has been written to another buffer, and empties that. */
static void put_message(struct buf *out, uint32_t field, struct buf *message)
{
	proto_text(out, field, text_in(message));
	message->len = 0;
}

/* Appends the description of an input or output. */
static void put_value(struct buf *out, uint32_t field, const struct emit_tensor *t)
{
	struct buf value = { 0 }, type = { 0 }, shape = { 0 }, dim = { 0 };

	for (uint32_t i = 0; i < t->shape.dims; i++) {
		proto_int(&dim, 1, t->shape.size[i]);
		put_message(&shape, 1, &dim);
	}
	proto_int(&type, 1, (int64_t)t->type);
	put_message(&type, 2, &shape);
	put_message(&dim, 1, &type);
	proto_text(&value, 1, text_of(t->name));
	put_message(&value, 2, &dim);
	put_message(out, field, &value);
	buf_free(&value);
	buf_free(&type);
	buf_free(&shape);
	buf_free(&dim);
}

static void put_body(struct emit *e, struct buf *out, const struct emit_body *b);

/* Appends a node. */
static void put_node(struct emit *e, struct buf *out, const struct emit_node *n)
{
	struct buf b = { 0 }, attr = { 0 }, graph = { 0 };

	for (uint32_t i = 0; i < n->ins; i++)
		proto_text(&b, NODE_IN,
		    text_of(n->in[i] == EMIT_NONE ? "" : e->tensor[n->in[i]].name));
	for (uint32_t i = 0; i < n->outs; i++)
		proto_text(&b, NODE_OUT, text_of(e->tensor[n->out + i].name));
	proto_text(&b, NODE_NAME, text_of(n->name));
	proto_text(&b, NODE_OP, text_of(n->op));
	buf_text(&b, text_in(&n->attr));
	if (n->body) {
		put_body(e, &graph, n->body);
		proto_text(&attr, ATTR_NAME, TEXT("body"));
		proto_int(&attr, ATTR_TYPE, ATTR_TYPE_GRAPH);
		put_message(&attr, ATTR_GRAPH, &graph);
		put_message(&b, NODE_ATTR, &attr);
	}
	put_message(out, GRAPH_NODE, &b);
	buf_free(&b);
	buf_free(&attr);
	buf_free(&graph);
}

/* Appends the fields of a graph that is the body of a node. */
static void put_body(struct emit *e, struct buf *out, const struct emit_body *b)
{
	for (size_t i = 0; i < b->nodes; i++)
		put_node(e, out, &b->node[i]);
	proto_text(out, GRAPH_NAME, TEXT("body"));
	for (size_t i = 0; i < b->ins; i++)
		put_value(out, GRAPH_IN, &e->tensor[b->in[i]]);
	for (size_t i = 0; i < b->outs; i++)
		put_value(out, GRAPH_OUT, &e->tensor[b->out[i]]);
}

/* Returns the size of the elements of an initializer. */
static uint64_t data_bytes(const struct emit *e, const struct emit_tensor *t)
{
	return t->weight == GRAPH_NONE ? t->data.len : graph_bytes(&e->g->value[t->weight]);
}

static void put_entry(struct buf *out, const char *key, struct text value)
{
	struct buf entry = { 0 };

	proto_text(&entry, 1, text_of(key));
	proto_text(&entry, 2, value);
	put_message(out, TENSOR_EXTERNAL, &entry);
	buf_free(&entry);
}

static void put_entry_number(struct buf *out, const char *key, uint64_t number)
{
	char *text = str_format("%" PRIu64, number);

	put_entry(out, key, text_of(text));
	free(text);
}

/* Appends the fields of an initializer without its elements. Plans the place of a weight in
 * the second file. */
static void put_tensor(struct emit *e, struct buf *out, const struct emit_tensor *t)
{
	struct onnx_external *external = e->opts->external;
	uint64_t bytes = data_bytes(e, t), offset;

	proto_ints(out, TENSOR_DIMS, t->shape.size, t->shape.dims);
	proto_int(out, TENSOR_TYPE, (int64_t)t->type);
	proto_text(out, TENSOR_NAME, text_of(t->name));
	if (t->weight == GRAPH_NONE || !e->opts->location)
		return;
	offset = (external->bytes + WEIGHT_ALIGN - 1) / WEIGHT_ALIGN * WEIGHT_ALIGN;
	put_entry(out, "location", text_of(e->opts->location));
	put_entry_number(out, "offset", offset);
	put_entry_number(out, "length", bytes);
	proto_int(out, TENSOR_LOCATION, 1);
	*VEC_ADD(external->weight, external->weights, external->cap) =
	    (struct onnx_external_weight){ t->weight, offset, bytes };
	external->bytes = offset + bytes;
}

/* Returns whether the elements of an initializer are in the model. */
static bool is_inside(const struct emit *e, const struct emit_tensor *t)
{
	return t->weight == GRAPH_NONE || !e->opts->location;
}

/* Appends the elements of an initializer. Returns 0, or -1 and the message. */
static int put_data(struct emit *e, const struct emit_tensor *t, struct buf *out)
{
	size_t bytes = (size_t)data_bytes(e, t);
	char *start, *aligned;

	proto_begin(out, TENSOR_RAW, bytes);
	if (t->weight == GRAPH_NONE) {
		buf_text(out, t->data);
		return 0;
	}
	buf_room(out, bytes + ELEMENT_ALIGN);
	start = out->ptr + out->len;
	aligned = start + (ELEMENT_ALIGN - (uintptr_t)start % ELEMENT_ALIGN);
	if (e->opts->weight(e->opts->context, &e->g->value[t->weight], aligned, e->fault) <
	    0)
		return -1;
	memmove(start, aligned, bytes);
	out->len += bytes;
	out->ptr[out->len] = '\0';
	return 0;
}

/* Returns the length of a field, including its beginning, that holds `bytes` bytes. */
static uint64_t field_bytes(uint32_t field, uint64_t bytes)
{
	struct buf b = { 0 };
	uint64_t len;

	proto_begin(&b, field, bytes);
	len = b.len + bytes;
	buf_free(&b);
	return len;
}

/* Appends the graph. The sizes of the parts are known before the elements of weights are
 * copied, so they are copied once. Returns 0, or -1 and the message. */
static int put_graph(struct emit *e, struct buf *out)
{
	struct buf fixed = { 0 }, *head = mem_zero(e->initializers + 1, sizeof(*head));
	uint64_t all, *bytes = mem_zero(e->initializers + 1, sizeof(*bytes));
	int status = 0;

	put_body(e, &fixed, &e->main);
	for (size_t i = 0; i < e->inputs; i++)
		put_value(&fixed, GRAPH_IN, &e->tensor[e->input[i]]);
	for (size_t i = 0; i < e->outputs; i++)
		put_value(&fixed, GRAPH_OUT, &e->tensor[e->output[i]]);
	all = fixed.len;
	for (size_t i = 0; i < e->initializers; i++) {
		const struct emit_tensor *t = &e->tensor[e->initializer[i]];

		put_tensor(e, &head[i], t);
		bytes[i] = head[i].len;
		if (is_inside(e, t))
			bytes[i] += field_bytes(TENSOR_RAW, data_bytes(e, t));
		all += field_bytes(GRAPH_INITIALIZER, bytes[i]);
	}
	if (all > INT32_MAX)
		status = fault_set(e->fault,
		    "the model would be larger than 2 GiB; its weights must be in a second "
		    "file");
	if (status == 0) {
		proto_begin(out, MODEL_GRAPH, all);
		buf_room(out, (size_t)all + ELEMENT_ALIGN);
		buf_text(out, text_in(&fixed));
	}
	for (size_t i = 0; i < e->initializers && status == 0; i++) {
		proto_begin(out, GRAPH_INITIALIZER, bytes[i]);
		buf_text(out, text_in(&head[i]));
		if (is_inside(e, &e->tensor[e->initializer[i]]))
			status = put_data(e, &e->tensor[e->initializer[i]], out);
	}
	for (size_t i = 0; i < e->initializers; i++)
		buf_free(&head[i]);
	free(head);
	free(bytes);
	buf_free(&fixed);
	return status;
}

int emit_model(struct emit *e, struct buf *out)
{
	struct buf opset = { 0 };

	proto_int(out, MODEL_IR, e->opset > EMIT_OPSET ? IR_VERSION_NEW : IR_VERSION);
	proto_text(out, MODEL_PRODUCER, TEXT("benchutils"));
	proto_text(&opset, 1, TEXT(""));
	proto_int(&opset, 2, e->opset);
	put_message(out, MODEL_OPSET, &opset);
	buf_free(&opset);
	return put_graph(e, out);
}
