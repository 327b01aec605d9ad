/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes ONNX files; see list_onnx.h.
 */
#include "catalog/list_onnx.h"

#include <stdlib.h>

#include "base/hash_map.h"
#include "catalog/file_backends.h"
#include "model/onnx_file.h"
#include "onnx/onnx_shapes.h"
#include "subject/subject.h"

/* Elements of a tensor that can be computed to make shapes. */
enum { FOLD_MAX = 4096 };

static struct cell buf_cell(const struct buf *b)
{
	return b->len ? CELL_OF_TEXT((text_in(b)))
	              : (struct cell){ .kind = CELL_EMPTY };
}

/* Appends "[batch,3,224,224]"; "?" is an unknown dimension, "[...]" an unknown number of
 * them. */
static void put_dims(struct buf *b, const struct onnx_value *v)
{
	if (!v->has_shape) {
		buf_str(b, "[...]");
		return;
	}
	buf_byte(b, '[');
	for (uint32_t i = 0; i < v->dims; i++) {
		const struct onnx_dim *d = &v->dim[i];

		if (i)
			buf_byte(b, ',');
		if (d->is_fixed)
			buf_printf(b, "%lld", (long long)d->size);
		else
			buf_text(b, d->name.len ? d->name : TEXT("?"));
	}
	buf_byte(b, ']');
}

/* Appends "; name float32[2,3]". */
static void put_value(struct buf *b, const struct onnx_value *v)
{
	buf_str(b, b->len ? "; " : "");
	buf_text(b, v->name);
	if (v->is_tensor)
		buf_printf(b, " %s", onnx_type_name(v->type));
	else
		buf_str(b, " no tensor");
	if (v->is_tensor)
		put_dims(b, v);
}

/* An operator and the number of its nodes. */
struct op_usage {
	struct text domain, op;
	size_t nodes, order;
};

struct op_usages {
	struct op_usage *item;
	size_t count, capacity;
	struct hash_map map;
	const struct onnx_node *sought;
};

static bool is_used(const void *ctx, size_t number)
{
	const struct op_usages *u = ctx;

	return text_equal(u->item[number].op, u->sought->op) &&
	       text_equal(u->item[number].domain, u->sought->domain);
}

/* Counts the nodes of a graph and of the graphs inside it, whose depth is limited. */
static void count_nodes(struct op_usages *u, const struct onnx_graph *g)
{
	for (uint32_t i = 0; i < g->nodes; i++) {
		const struct onnx_node *n = &g->node[i];
		size_t at;

		u->sought = n;
		at = hash_map_add(
		    &u->map, text_hash(n->op, text_hash(n->domain, 0)), is_used, u);
		if (at == u->count)
			*VEC_ADD(u->item, u->count, u->capacity) =
			    (struct op_usage){ n->domain, n->op, 0, at };
		u->item[at].nodes++;
		for (uint32_t j = 0; j < n->attributes; j++)
			if (n->attribute[j].g)
				count_nodes(u, n->attribute[j].g);
	}
}

/* The operators with the most nodes first. */
static int by_nodes(const void *a, const void *b)
{
	const struct op_usage *x = a, *y = b;

	if (x->nodes != y->nodes)
		return x->nodes < y->nodes ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

/* "Conv=53 Relu=49 com.microsoft.Gelu=2" */
static void put_operators(struct buf *b, const struct onnx_graph *g)
{
	struct op_usages u = { 0 };

	count_nodes(&u, g);
	if (u.count)
		qsort(u.item, u.count, sizeof(*u.item), by_nodes);
	for (size_t i = 0; i < u.count; i++) {
		buf_str(b, i ? " " : "");
		buf_text(b, u.item[i].domain);
		buf_str(b, u.item[i].domain.len ? "." : "");
		buf_text(b, u.item[i].op);
		buf_printf(b, "=%zu", u.item[i].nodes);
	}
	hash_map_free(&u.map);
	free(u.item);
}

/* "17 com.microsoft=1" */
static void put_opset(struct buf *b, const struct onnx_model *m)
{
	buf_printf(b, "%lld", (long long)onnx_opset(m));
	for (uint32_t i = 0; i < m->opsets; i++)
		if (m->opset[i].domain.len) {
			buf_byte(b, ' ');
			buf_text(b, m->opset[i].domain);
			buf_printf(b, "=%lld", (long long)m->opset[i].version);
		}
}

/* Returns the number of weights. Integers of more than 8 bits are indices and shapes;
 * scalars are constants. */
static double count_weights(const struct onnx_graph *g)
{
	double weights = 0;

	for (uint32_t i = 0; i < g->initializers; i++) {
		const struct onnx_tensor *t = &g->initializer[i];
		uint32_t bits = onnx_type_bits(t->type);

		if (t->dims && (onnx_type_is_float(t->type) ||
		                   (bits && bits <= 8 && t->type != ONNX_BOOL)))
			weights += (double)t->elements;
	}
	return weights;
}

/* The strings of a row. */
struct onnx_row {
	struct buf bench, args, input_shape, symbols, inputs, outputs, operators, opset,
	    producer, remark;
	struct file_backends backends;
	struct binding *param; /* of -P that the file has */
	size_t params;
};

static void row_free(struct onnx_row *row)
{
	buf_free(&row->bench);
	buf_free(&row->args);
	buf_free(&row->input_shape);
	buf_free(&row->symbols);
	buf_free(&row->inputs);
	buf_free(&row->outputs);
	buf_free(&row->operators);
	buf_free(&row->opset);
	buf_free(&row->producer);
	buf_free(&row->remark);
	file_backends_free(&row->backends);
	free(row->param);
}

static void put_row(struct onnx_row *row, const struct onnx_model *m, const char *path)
{
	const struct onnx_graph *g = &m->graph;
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = strlen(name);

	buf_put(&row->bench, name, onnx_file_is_named(name) ? len - 5 : len);
	for (uint32_t i = 0; i < g->inputs; i++)
		if (!g->input[i].has_initializer)
			put_value(&row->inputs, &g->input[i]);
	for (uint32_t i = 0; i < g->outputs; i++)
		put_value(&row->outputs, &g->output[i]);
	put_operators(&row->operators, g);
	put_opset(&row->opset, m);
	buf_text(&row->producer, m->producer);
	if (m->producer.len && m->producer_version.len)
		buf_byte(&row->producer, ' ');
	buf_text(&row->producer, m->producer_version);
}

/* Sets the symbols that the file has to the values of -P, and appends both. */
static int put_params(struct onnx_row *row, const struct list_request *r,
    struct onnx_symbols *symbols, const char *path, struct fault *f)
{
	struct fault why;

	for (size_t i = 0; i < symbols->count; i++) {
		list_request_note_parameter(r, symbols->item[i].name);
		buf_printf(&row->symbols, "%s%s=", i ? " " : "", symbols->item[i].name);
		if (symbols->item[i].size)
			buf_printf(&row->symbols, "%lld", (long long)symbols->item[i].size);
	}
	row->param = mem_zero(r->params + 1, sizeof(*row->param));
	for (size_t i = 0; i < r->params; i++) {
		const struct binding *p = &r->param[i];
		int set = onnx_symbols_set(symbols, p->name, p->value, &why);

		if (set < 0)
			return fault_set(f, "%s: %s", path, why.text);
		if (!set)
			continue;
		buf_printf(
		    &row->args, "%s%s=%s", row->args.len ? " " : "", p->name, p->value);
		row->param[row->params++] = *p;
	}
	return 0;
}

/* Appends "1x3x224x224", the shape of the first input that the file has no value for. */
static void put_input_shape(
    struct buf *b, const struct onnx_graph *g, const struct onnx_symbols *symbols)
{
	uint32_t i = 0;

	while (i < g->inputs && g->input[i].has_initializer)
		i++;
	if (i == g->inputs || !g->input[i].has_shape)
		return;
	for (uint32_t j = 0; j < g->input[i].dims; j++) {
		int64_t size = onnx_symbols_size(symbols, &g->input[i], j);

		buf_str(b, j ? "x" : "");
		if (size < 0)
			buf_byte(b, '?');
		else
			buf_printf(b, "%lld", (long long)size);
	}
}

/* Appends why the multiply-adds are unknown. */
static void put_remark(
    struct buf *b, const struct onnx_symbols *symbols, const struct onnx_shapes *shapes)
{
	size_t unset = 0;

	if (shapes->has_macs)
		return;
	for (size_t i = 0; i < symbols->count; i++)
		if (!symbols->item[i].size)
			buf_printf(b, "%s%s",
			    unset++ ? ", " : "macs are unknown: set with -P: ",
			    symbols->item[i].name);
	if (!unset)
		buf_printf(b, "macs are unknown: %s", shapes->why.text);
}

static void render_onnx(struct render *table, const char *path, struct onnx_row *row,
    const struct onnx_shapes *shapes, double weights)
{
	struct cell cells[LIST_COLUMNS] = {
		[LIST_KIND] = CELL_OF_TEXT(text_of(subject_kinds[KIND_MODEL])),
		[LIST_BENCH] = buf_cell(&row->bench),
		[LIST_SUBJECT] = CELL_OF_TEXT(text_of(path)),
		[LIST_ARGS] = buf_cell(&row->args),
		[LIST_CATEGORY] = CELL_OF_TEXT(TEXT("onnx")),
		[LIST_STATUS] = CELL_OF_TEXT(TEXT("ok")),
		[LIST_PARAMS] = CELL_IN_UNIT(weights, "1"),
		[LIST_MACS] = CELL_IN_UNIT(shapes->macs, "1"),
		[LIST_INPUT_SHAPE] = buf_cell(&row->input_shape),
		[LIST_PARAMETERS] = buf_cell(&row->symbols),
		[LIST_INPUTS] = buf_cell(&row->inputs),
		[LIST_OUTPUTS] = buf_cell(&row->outputs),
		[LIST_BACKENDS] = buf_cell(&row->backends.able),
		[LIST_REJECTED_BY] = buf_cell(&row->backends.unable),
		[LIST_OPERATORS] = buf_cell(&row->operators),
		[LIST_OPSET] = buf_cell(&row->opset),
		[LIST_PRODUCER] = buf_cell(&row->producer),
		[LIST_REMARK] = buf_cell(&row->remark),
	};

	if (!shapes->has_macs)
		cells[LIST_MACS] = (struct cell){ .kind = CELL_EMPTY };
	render_row(table, cells);
}

int list_onnx(const struct list_request *r, struct render *table,
    const struct devices *devices, const char *path, struct fault *f)
{
	struct onnx_file file;
	struct onnx_symbols symbols;
	struct onnx_shapes shapes = { 0 };
	struct onnx_row row = { 0 };
	struct fault why;
	int status;

	if (onnx_file_open(path, &file, f) < 0)
		return -1;
	onnx_symbols_find(&file.model, &symbols);
	put_row(&row, &file.model, path);
	status = put_params(&row, r, &symbols, path, f);
	put_input_shape(&row.input_shape, &file.model.graph, &symbols);
	if (status == 0) {
		status =
		    onnx_shapes_make(&file.model, &symbols, FOLD_MAX, NULL, &shapes, &why);
		if (status < 0)
			fault_set(f, "%s: %s", path, why.text);
	}
	if (status == 0) {
		put_remark(&row.remark, &symbols, &shapes);
		file_backends_find(
		    &row.backends, devices, path, &file.model, row.param, row.params);
		render_onnx(table, path, &row, &shapes, count_weights(&file.model.graph));
		onnx_shapes_free(&shapes);
	}
	row_free(&row);
	onnx_symbols_free(&symbols);
	onnx_file_close(&file);
	return status;
}
