/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of the messages of ONNX files, and their checks; see onnx_model.h. The tables
 * have the field numbers of onnx.proto, and the fields that benchutils uses.
 */
#include "onnx/onnx_model.h"

#include "base/hash_map.h"
#include "onnx/onnx_inline.h"
#include "onnx/onnx_tensor.h"
#include "protobuf/wire.h"

/* Names are cut to this many bytes in messages. */
static int shown(struct text name)
{
	return name.len > 80 ? 80 : (int)name.len;
}

/* Makes "ai.onnx" the empty domain, which means the same. */
static void simplify_domain(struct text *domain)
{
	if (text_is(*domain, "ai.onnx"))
		domain->len = 0;
}

/* Types of values. TypeProto is nested as in the file: tensor_type, shape, dim. */

static int check_dim(struct wire_reader *r, void *object, struct text bytes)
{
	struct onnx_dim *d = object;

	(void)r;
	(void)bytes;
	/* Some exporters write -1 for an unknown size. */
	if (d->is_fixed && d->size < 0)
		*d = (struct onnx_dim){ 0 };
	if (d->is_fixed)
		d->name = (struct text){ 0 };
	return 0;
}

static const struct wire_field dim_fields[] = {
	{ 1, WIRE_INT, "dim_value", offsetof(struct onnx_dim, size),
	    offsetof(struct onnx_dim, is_fixed), NULL },
	{ 2, WIRE_STRING, "dim_param", offsetof(struct onnx_dim, name), 0, NULL },
};

static const struct wire_message dim_message = { "Dimension", sizeof(struct onnx_dim),
	dim_fields, COUNT(dim_fields), false, check_dim, NULL };

/* The messages inside a ValueInfoProto store to the same struct. */
#define PLACE(member) offsetof(struct onnx_value, member)

static const struct wire_field shape_fields[] = {
	{ 1, WIRE_CHILDREN, "dim", PLACE(dim), PLACE(dims), &dim_message },
};

static const struct wire_message shape_message = { "TensorShapeProto",
	sizeof(struct onnx_value), shape_fields, COUNT(shape_fields), false, NULL, NULL };

static const struct wire_field tensor_type_fields[] = {
	{ 1, WIRE_INT, "elem_type", PLACE(type), 0, NULL },
	{ 2, WIRE_INLINE, "shape", 0, PLACE(has_shape), &shape_message },
};

static const struct wire_message tensor_type_message = { "TypeProto.Tensor",
	sizeof(struct onnx_value), tensor_type_fields, COUNT(tensor_type_fields), false,
	NULL, NULL };

static const struct wire_field type_fields[] = {
	{ 1, WIRE_INLINE, "tensor_type", 0, PLACE(is_tensor), &tensor_type_message },
};

static const struct wire_message type_message = { "TypeProto", sizeof(struct onnx_value),
	type_fields, COUNT(type_fields), false, NULL, NULL };

static int check_value(struct wire_reader *r, void *object, struct text bytes)
{
	struct onnx_value *v = object;

	if (v->type < 0 || v->type >= ONNX_TYPES)
		return wire_fail(r, bytes.ptr,
		    "element type %lld is unknown (onnx.proto has 1 to %d)",
		    (long long)v->type, ONNX_TYPES - 1);
	if (v->dims > ONNX_DIMS_MAX)
		return wire_fail(
		    r, bytes.ptr, "%u dimensions, of at most %d", v->dims, ONNX_DIMS_MAX);
	return 0;
}

static char *label_value(const void *object)
{
	const struct onnx_value *v = object;

	return str_format("value '%.*s'", shown(v->name), v->name.ptr);
}

static const struct wire_field value_fields[] = {
	{ 1, WIRE_STRING, "name", PLACE(name), 0, NULL },
	{ 2, WIRE_INLINE, "type", 0, PLACE(has_type), &type_message },
};

static const struct wire_message value_message = { "ValueInfoProto",
	sizeof(struct onnx_value), value_fields, COUNT(value_fields), false, check_value,
	label_value };

#undef PLACE

/* Attributes and nodes. */

static int check_attribute(struct wire_reader *r, void *object, struct text bytes)
{
	const struct onnx_attribute *a = object;
	int64_t t = a->type;

	if (t <= 0 || t > ONNX_ATTRIBUTE_TYPE_PROTOS)
		return wire_fail(
		    r, bytes.ptr, "attribute type %lld is unknown", (long long)t);
	if ((a->s.ptr && t != ONNX_ATTRIBUTE_STRING) ||
	    (a->t && t != ONNX_ATTRIBUTE_TENSOR) || (a->g && t != ONNX_ATTRIBUTE_GRAPH) ||
	    (a->float_count && t != ONNX_ATTRIBUTE_FLOATS) ||
	    (a->int_count && t != ONNX_ATTRIBUTE_INTS) ||
	    (a->string_count && t != ONNX_ATTRIBUTE_STRINGS))
		return wire_fail(r, bytes.ptr,
		    "its value does not have its attribute type (%lld)", (long long)t);
	if (a->ref.len)
		return 0;
	if ((t == ONNX_ATTRIBUTE_TENSOR && !a->t) || (t == ONNX_ATTRIBUTE_GRAPH && !a->g))
		return wire_fail(r, bytes.ptr, "it has no value");
	return 0;
}

static char *label_attribute(const void *object)
{
	const struct onnx_attribute *a = object;

	return str_format("attribute '%.*s'", shown(a->name), a->name.ptr);
}

static const struct wire_message graph_message;

#define PLACE(member) offsetof(struct onnx_attribute, member)

static const struct wire_field attribute_fields[] = {
	{ 1, WIRE_STRING, "name", PLACE(name), 0, NULL },
	{ 2, WIRE_FLOAT, "f", PLACE(f), 0, NULL },
	{ 3, WIRE_INT, "i", PLACE(i), 0, NULL },
	{ 4, WIRE_BYTES, "s", PLACE(s), 0, NULL },
	{ 5, WIRE_CHILD, "t", PLACE(t), 0, &onnx_tensor_message },
	{ 6, WIRE_CHILD, "g", PLACE(g), 0, &graph_message },
	{ 7, WIRE_FLOATS, "floats", PLACE(floats), PLACE(float_count), NULL },
	{ 8, WIRE_INTS, "ints", PLACE(ints), PLACE(int_count), NULL },
	{ 9, WIRE_BYTES_LIST, "strings", PLACE(strings), PLACE(string_count), NULL },
	{ 20, WIRE_INT, "type", PLACE(type), 0, NULL },
	{ 21, WIRE_STRING, "ref_attr_name", PLACE(ref), 0, NULL },
};

#undef PLACE

static const struct wire_message attribute_message = { "AttributeProto",
	sizeof(struct onnx_attribute), attribute_fields, COUNT(attribute_fields), false,
	check_attribute, label_attribute };

static int check_node(struct wire_reader *r, void *object, struct text bytes)
{
	struct onnx_node *n = object;

	n->offset = (uint32_t)(bytes.ptr - r->file.ptr);
	simplify_domain(&n->domain);
	return n->op.len ? 0 : wire_fail(r, bytes.ptr, "the node has no operator");
}

char *onnx_node_label(const struct onnx_node *n)
{
	struct text output = n->outputs ? n->output[0] : (struct text){ 0 };

	return n->name.len || !output.len
	           ? str_format("node '%.*s' (%.*s)", shown(n->name), n->name.ptr,
	                 shown(n->op), n->op.ptr)
	           : str_format("node of '%.*s' (%.*s)", shown(output), output.ptr,
	                 shown(n->op), n->op.ptr);
}

static char *label_node(const void *object)
{
	return onnx_node_label(object);
}

#define PLACE(member) offsetof(struct onnx_node, member)

static const struct wire_field node_fields[] = {
	{ 1, WIRE_STRINGS, "input", PLACE(input), PLACE(inputs), NULL },
	{ 2, WIRE_STRINGS, "output", PLACE(output), PLACE(outputs), NULL },
	{ 3, WIRE_STRING, "name", PLACE(name), 0, NULL },
	{ 4, WIRE_STRING, "op_type", PLACE(op), 0, NULL },
	{ 5, WIRE_CHILDREN, "attribute", PLACE(attribute), PLACE(attributes),
	    &attribute_message },
	{ 7, WIRE_STRING, "domain", PLACE(domain), 0, NULL },
	{ 8, WIRE_STRING, "overload", PLACE(overload), 0, NULL },
};

#undef PLACE

static const struct wire_message node_message = { "NodeProto", sizeof(struct onnx_node),
	node_fields, COUNT(node_fields), false, check_node, label_node };

/* Graphs. */

/* The names of the initializers. */
struct initializer_names {
	const struct onnx_tensor *tensor;
	struct text sought;
};

static bool is_sought(const void *ctx, size_t number)
{
	const struct initializer_names *n = ctx;

	return text_equal(n->tensor[number].name, n->sought);
}

/* Checks that the names of the initializers differ, and finds the inputs that have one. */
static int check_graph(struct wire_reader *r, void *object, struct text bytes)
{
	struct onnx_graph *g = object;
	struct onnx_value *input = (struct onnx_value *)(uintptr_t)g->input;
	struct initializer_names names = { .tensor = g->initializer };
	struct hash_map map = { 0 };
	int status = 0;

	for (uint32_t i = 0; i < g->initializers && status == 0; i++) {
		const struct onnx_tensor *t = &g->initializer[i];

		names.sought = t->name;
		if (!t->name.len)
			status = wire_fail(r, t->message.ptr, "an initializer has no name");
		else if (hash_map_add(&map, text_hash(t->name, 0), is_sought, &names) != i)
			status = wire_fail(r, t->message.ptr,
			    "two initializers have the name '%.*s'", shown(t->name),
			    t->name.ptr);
	}
	for (uint32_t i = 0; i < g->inputs && status == 0; i++) {
		names.sought = input[i].name;
		input[i].has_initializer = hash_map_find(&map, text_hash(input[i].name, 0),
		                               is_sought, &names) != HASH_MAP_NONE;
		if (!input[i].name.len)
			status = wire_fail(r, bytes.ptr, "an input has no name");
	}
	hash_map_free(&map);
	return status;
}

#define PLACE(member) offsetof(struct onnx_graph, member)

static const struct wire_field graph_fields[] = {
	{ 1, WIRE_CHILDREN, "node", PLACE(node), PLACE(nodes), &node_message },
	{ 2, WIRE_STRING, "name", PLACE(name), 0, NULL },
	{ 5, WIRE_CHILDREN, "initializer", PLACE(initializer), PLACE(initializers),
	    &onnx_tensor_message },
	{ 11, WIRE_CHILDREN, "input", PLACE(input), PLACE(inputs), &value_message },
	{ 12, WIRE_CHILDREN, "output", PLACE(output), PLACE(outputs), &value_message },
	{ 13, WIRE_CHILDREN, "value_info", PLACE(value), PLACE(values), &value_message },
	{ 15, WIRE_COUNT_MESSAGES, "sparse_initializer", PLACE(sparse), 0, NULL },
};

#undef PLACE

static const struct wire_message graph_message = { "GraphProto", sizeof(struct onnx_graph),
	graph_fields, COUNT(graph_fields), true, check_graph, NULL };

/* The model. */

static int check_opset(struct wire_reader *r, void *object, struct text bytes)
{
	(void)r;
	(void)bytes;
	simplify_domain(&((struct onnx_opset *)object)->domain);
	return 0;
}

static const struct wire_field opset_fields[] = {
	{ 1, WIRE_STRING, "domain", offsetof(struct onnx_opset, domain), 0, NULL },
	{ 2, WIRE_INT, "version", offsetof(struct onnx_opset, version), 0, NULL },
};

static const struct wire_message opset_message = { "OperatorSetIdProto",
	sizeof(struct onnx_opset), opset_fields, COUNT(opset_fields), false, check_opset,
	NULL };

static int check_function(struct wire_reader *r, void *object, struct text bytes)
{
	struct onnx_function *f = object;

	simplify_domain(&f->domain);
	return f->name.len ? 0 : wire_fail(r, bytes.ptr, "the function has no name");
}

static char *label_function(const void *object)
{
	const struct onnx_function *f = object;

	return str_format("function '%.*s'", shown(f->name), f->name.ptr);
}

#define PLACE(member) offsetof(struct onnx_function, member)

static const struct wire_field function_fields[] = {
	{ 1, WIRE_STRING, "name", PLACE(name), 0, NULL },
	{ 4, WIRE_STRINGS, "input", PLACE(input), PLACE(inputs), NULL },
	{ 5, WIRE_STRINGS, "output", PLACE(output), PLACE(outputs), NULL },
	{ 7, WIRE_CHILDREN, "node", PLACE(node), PLACE(nodes), &node_message },
	{ 10, WIRE_STRING, "domain", PLACE(domain), 0, NULL },
	{ 11, WIRE_CHILDREN, "attribute_proto", PLACE(attribute), PLACE(attributes),
	    &attribute_message },
	{ 13, WIRE_STRING, "overload", PLACE(overload), 0, NULL },
};

#undef PLACE

static const struct wire_message function_message = { "FunctionProto",
	sizeof(struct onnx_function), function_fields, COUNT(function_fields), true,
	check_function, label_function };

static int check_model(struct wire_reader *r, void *object, struct text bytes)
{
	const struct onnx_model *m = object;

	if (m->ir_version <= 0 || m->ir_version > ONNX_IR_VERSION_MAX)
		return wire_fail(r, bytes.ptr,
		    m->ir_version ? "IR version %lld is unknown (1 to %d are known)"
		                  : "IR version %lld; this is not an ONNX file "
		                    "(1 to %d are known)",
		    (long long)m->ir_version, ONNX_IR_VERSION_MAX);
	if (!m->has_graph)
		return wire_fail(r, bytes.ptr, "the model has no graph");
	return 0;
}

#define PLACE(member) offsetof(struct onnx_model, member)

static const struct wire_field model_fields[] = {
	{ 1, WIRE_INT, "ir_version", PLACE(ir_version), 0, NULL },
	{ 2, WIRE_STRING, "producer_name", PLACE(producer), 0, NULL },
	{ 3, WIRE_STRING, "producer_version", PLACE(producer_version), 0, NULL },
	{ 7, WIRE_INLINE, "graph", PLACE(graph), PLACE(has_graph), &graph_message },
	{ 8, WIRE_CHILDREN, "opset_import", PLACE(opset), PLACE(opsets), &opset_message },
	{ 25, WIRE_CHILDREN, "functions", PLACE(function), PLACE(functions),
	    &function_message },
};

#undef PLACE

static const struct wire_message model_message = { "ModelProto", sizeof(struct onnx_model),
	model_fields, COUNT(model_fields), false, check_model, NULL };

int onnx_model_read(struct text file, struct onnx_model *m, struct fault *f)
{
	struct arena arena = { 0 };
	struct wire_reader r = { .file = file,
		.arena = &arena,
		.memory_max = ONNX_MEMORY_FACTOR * file.len + (1 << 20),
		.depth_max = ONNX_GRAPH_DEPTH,
		.fault = f };

	*m = (struct onnx_model){ 0 };
	if (!file.len)
		return fault_set(f, "the file is empty");
	if (file.len > INT32_MAX)
		return fault_set(f,
		    "%zu bytes; ONNX files have at most 2 GiB (larger tensors "
		    "are in separate files)",
		    file.len);
	if (wire_read(&r, &model_message, file, m) < 0) {
		arena_free(&arena);
		*m = (struct onnx_model){ 0 };
		return -1;
	}
	m->arena = arena;
	if (onnx_inline(m, f) < 0) {
		onnx_model_free(m);
		return -1;
	}
	return 0;
}

void onnx_model_free(struct onnx_model *m)
{
	arena_free(&m->arena);
	*m = (struct onnx_model){ 0 };
}

const struct onnx_attribute *onnx_attribute(const struct onnx_node *n, const char *name)
{
	for (uint32_t i = 0; i < n->attributes; i++)
		if (text_is(n->attribute[i].name, name))
			return &n->attribute[i];
	return NULL;
}

int64_t onnx_opset(const struct onnx_model *m)
{
	for (uint32_t i = 0; i < m->opsets; i++)
		if (!m->opset[i].domain.len)
			return m->opset[i].version;
	return 1;
}

static int visit_graph(
    struct onnx_graph *g, onnx_tensor_visitor *visit, void *ctx, struct fault *f);

static int visit_node(
    const struct onnx_node *n, onnx_tensor_visitor *visit, void *ctx, struct fault *f)
{
	int status = 0;

	for (uint32_t i = 0; i < n->attributes && status == 0; i++) {
		const struct onnx_attribute *a = &n->attribute[i];

		if (a->t)
			status = visit(ctx, (struct onnx_tensor *)(uintptr_t)a->t, f);
		else if (a->g)
			status = visit_graph(
			    (struct onnx_graph *)(uintptr_t)a->g, visit, ctx, f);
	}
	return status;
}

/* Recursion ends at ONNX_GRAPH_DEPTH, because the model was read. */
static int visit_graph(
    struct onnx_graph *g, onnx_tensor_visitor *visit, void *ctx, struct fault *f)
{
	int status = 0;

	for (uint32_t i = 0; i < g->initializers && status == 0; i++)
		status = visit(ctx, (struct onnx_tensor *)(uintptr_t)&g->initializer[i], f);
	for (uint32_t i = 0; i < g->nodes && status == 0; i++)
		status = visit_node(&g->node[i], visit, ctx, f);
	return status;
}

int onnx_tensors_visit(
    struct onnx_model *m, onnx_tensor_visitor *visit, void *ctx, struct fault *f)
{
	return visit_graph(&m->graph, visit, ctx, f);
}
