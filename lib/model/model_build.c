/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds values and operations to a graph; see model_build.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "graph/dtype.h"
#include "model/model_build.h"

/* The largest number of nodes; values may be four times as many. */
enum { NODES_MAX = 100000 };

void build_fail(struct builder *b, const char *fmt, ...)
{
	va_list ap;

	if (b->failed)
		return;
	b->failed = true;
	b->failed_line = b->line;
	va_start(ap, fmt);
	(void)vsnprintf(b->fault.text, sizeof(b->fault.text), fmt, ap);
	va_end(ap);
}

uint32_t build_in(const struct builder *b, size_t i)
{
	return i < b->ins ? b->in[i] : (uint32_t)GRAPH_NONE;
}

struct graph_value *build_value(struct builder *b, uint32_t value)
{
	return &b->g->value[value];
}

int64_t build_last(struct builder *b, uint32_t value)
{
	const struct graph_value *v = build_value(b, value);

	return v->size[v->dims - 1];
}

struct shape build_shape(struct builder *b, uint32_t value)
{
	const struct graph_value *v = build_value(b, value);
	struct shape shape = { .dims = v->dims };

	memcpy(shape.size, v->size, sizeof(shape.size));
	return shape;
}

/* Marks a name as used. Its first duplicate gets the suffix .2. */
static void take_name(struct build_names *names, const char *name)
{
	size_t number = intern_add(&names->intern, text_of(name));

	while (names->next_cap <= number)
		names->next = mem_more(names->next, &names->next_cap, sizeof(*names->next));
	names->next[number] = 2;
}

/* Returns a name that is not in use, and marks it: the name, or the name with .2, .3 ...
 * The caller frees it. */
static char *free_name(struct build_names *names, const char *name)
{
	long found = intern_find(&names->intern, text_of(name));
	char *text = str_copy(name);

	while (found >= 0 && intern_find(&names->intern, text_of(text)) >= 0) {
		free(text);
		text = str_format("%s.%zu", name, names->next[found]++);
	}
	take_name(names, text);
	return text;
}

static uint32_t add_value(struct builder *b, const char *name, enum backend_role role,
    enum backend_dtype dtype, struct shape shape)
{
	struct graph *g = b->g;
	uint32_t number = (uint32_t)g->values;
	struct graph_value *v = VEC_ADD(g->value, g->values, g->value_cap);
	double elements = 1;

	*v = (struct graph_value){ .name = free_name(&b->values, name),
		.dtype = dtype,
		.role = role,
		.dims = shape.dims,
		.of = number };
	for (uint32_t i = 0; i < shape.dims; i++)
		elements *= (double)shape.size[i];
	if (elements > ELEMENTS_MAX)
		build_fail(b, "'%s' has more than 2^48 elements", name);
	int64_t stride = 1;
	for (uint32_t i = shape.dims; i-- > 0;) {
		v->size[i] = elements > ELEMENTS_MAX ? 1 : shape.size[i];
		if (v->size[i] < 1) {
			build_fail(b, "a size of '%s' is less than 1", name);
			v->size[i] = 1;
		}
		v->stride[i] = stride;
		stride *= v->size[i];
	}
	if (g->values > 4 * NODES_MAX)
		build_fail(b, "more than %d values", 4 * NODES_MAX);
	return number;
}

uint32_t build_new(struct builder *b, enum backend_dtype dtype, struct shape shape)
{
	return add_value(b, b->name, BACKEND_ACTIVATION, dtype, shape);
}

uint32_t build_lasting(struct builder *b, const char *suffix, enum backend_role role,
    enum backend_dtype dtype, struct shape shape)
{
	char *name = str_format("%s%s%s", b->name, suffix ? "." : "", suffix ? suffix : "");
	uint32_t number;

	if (intern_find(&b->values.intern, text_of(name)) >= 0)
		build_fail(b,
		    "the name '%s' exists already; give one of the lines another name=",
		    name);
	number = add_value(b, name, role, dtype, shape);
	free(name);
	return number;
}

uint32_t build_weight(
    struct builder *b, const char *suffix, struct shape shape, double at, double spread)
{
	uint32_t w = build_lasting(b, suffix, BACKEND_WEIGHT, b->dtype, shape);
	struct graph_value *v = build_value(b, w);

	v->counts = true;
	v->at = at;
	v->spread = spread;
	v->fill = FILL_NORMAL;
	if (!dtype_is_float(b->dtype)) {
		v->fill = FILL_BELOW;
		v->spread = 8;
	}
	return w;
}

uint32_t build_view(struct builder *b, uint32_t of, struct shape shape,
    const int64_t stride[BACKEND_DIMS], int64_t offset)
{
	struct graph_value base = b->g->value[of];
	char *name = str_format("%s.view", b->name);
	uint32_t number = add_value(b, name, base.role, base.dtype, shape);
	struct graph_value *v = build_value(b, number);

	v->of = base.of;
	v->offset = base.offset + offset;
	memcpy(v->stride, stride, sizeof(v->stride));
	free(name);
	return number;
}

struct backend_op *build_node(
    struct builder *b, enum backend_kind kind, struct operands operands)
{
	struct graph *g = b->g;
	struct graph_node *n = VEC_ADD(g->node, g->nodes, g->node_cap);

	*n = (struct graph_node){
		.name = free_name(&b->nodes, b->name), .word = b->word, .op.kind = kind
	};
	for (uint32_t i = 0; i < BACKEND_INS; i++)
		n->in[i] = i < operands.ins ? operands.in[i] : (uint32_t)GRAPH_NONE;
	for (uint32_t i = 0; i < BACKEND_OUTS; i++)
		n->out[i] = i < operands.outs ? operands.out[i] : (uint32_t)GRAPH_NONE;
	if (g->nodes > NODES_MAX)
		build_fail(b, "more than %d operations", NODES_MAX);
	while (b->once_cap < g->nodes)
		b->once = mem_more(b->once, &b->once_cap, sizeof(*b->once));
	b->once[g->nodes - 1] = false;
	return &n->op;
}

void build_free(struct builder *b)
{
	free(b->once);
	free(b->symbol);
	buf_free(&b->path);
	intern_free(&b->values.intern);
	intern_free(&b->nodes.intern);
	free(b->values.next);
	free(b->nodes.next);
	free(b->name);
}
