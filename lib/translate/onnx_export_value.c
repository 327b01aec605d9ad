/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and writes values of a graph; see onnx_export_priv.h.
 *
 * Operations of the graph write to parts of values, and read parts in other shapes. In
 * ONNX, each node makes a new tensor. The written parts are therefore kept as pieces, which
 * are joined when the value is read; a read of exactly one piece needs no join.
 */
#include <stdlib.h>

#include "translate/onnx_export_priv.h"

/* The most elements of a piece whose places must be listed one by one. */
enum { PLACES_MAX = 1 << 24 };

/* The memory of a value as an array, in which a view is a box. */
struct memory_box {
	uint32_t axes;
	int64_t size[EMIT_DIMS], first[EMIT_DIMS], count[EMIT_DIMS], stride[EMIT_DIMS];
	int64_t order[BACKEND_DIMS]; /* the axis of each dimension that has one */
	uint32_t dims;               /* such dimensions */
};

struct emit_shape emit_value_shape(const struct graph_value *v)
{
	struct emit_shape s = { .dims = v->dims };

	memcpy(s.size, v->size, v->dims * sizeof(*v->size));
	return s;
}

/* Returns whether a dimension moves through memory. `advance` is the stride of one that
 * does even if its size is 1; 0: none. */
static bool dim_moves(const struct graph_value *v, uint32_t d, int64_t advance)
{
	return v->stride[d] > 0 && (v->size[d] > 1 || v->stride[d] == advance);
}

/* Uses the dimensions of the base as axes. Returns false if those of the view differ. */
static bool box_like_base(
    const struct graph_value *base, const struct graph_value *v, struct memory_box *box)
{
	int64_t left = v->offset;

	if (v->dims != base->dims)
		return false;
	*box = (struct memory_box){ .axes = v->dims, .dims = v->dims };
	for (uint32_t d = 0; d < v->dims; d++) {
		if (v->stride[d] != base->stride[d] && base->size[d] > 1)
			return false;
		box->size[d] = base->size[d];
		box->stride[d] = base->stride[d];
		box->count[d] = v->size[d];
		box->first[d] = left / base->stride[d];
		left %= base->stride[d];
		box->order[d] = d;
		if (box->first[d] + box->count[d] > box->size[d])
			return false;
	}
	return true;
}

/* Finds axes whose strides are those of the view. Returns false if there are
 * none. */
static bool box_find(const struct graph_value *base, const struct graph_value *v,
    int64_t advance, struct memory_box *box)
{
	int64_t left = v->offset, outer = graph_elements(base);
	uint32_t dim[BACKEND_DIMS], moving = 0;

	if (box_like_base(base, v, box))
		return true;
	*box = (struct memory_box){ 0 };
	for (uint32_t d = 0; d < v->dims; d++) {
		uint32_t at = moving;

		if (!dim_moves(v, d, advance))
			continue;
		for (; at > 0 && v->stride[dim[at - 1]] < v->stride[d]; at--)
			dim[at] = dim[at - 1];
		dim[at] = d;
		moving++;
	}
	for (uint32_t a = 0; a <= moving; a++) {
		int64_t stride = a < moving ? v->stride[dim[a]] : 1;

		if (a == moving && outer == 1)
			break;
		if (outer % stride)
			return false;
		box->size[a] = outer / stride;
		box->stride[a] = stride;
		box->first[a] = left / stride;
		box->count[a] = a < moving ? v->size[dim[a]] : 1;
		if (box->first[a] + box->count[a] > box->size[a])
			return false;
		left %= stride;
		outer = stride;
		box->axes++;
	}
	for (uint32_t d = 0; d < v->dims; d++)
		for (uint32_t a = 0; a < moving; a++)
			if (dim[a] == d)
				box->order[box->dims++] = a;
	return true;
}

/* Lists the elements of a view in the memory of its base. Returns NULL if there are too
 * many. */
static int64_t *view_places(struct emit *e, const struct graph_value *v)
{
	int64_t count = graph_elements(v), *place;

	if (count > PLACES_MAX) {
		emit_fail(
		    e, "ONNX cannot express this view of '%s'", e->g->value[v->of].name);
		return NULL;
	}
	place = mem_zero((size_t)count + 1, sizeof(*place));
	for (int64_t i = 0; i < count; i++) {
		int64_t left = i;

		place[i] = v->offset;
		for (uint32_t d = v->dims; d-- > 0; left /= v->size[d])
			place[i] += left % v->size[d] * v->stride[d];
	}
	return place;
}

/* Returns whether two views have the same elements in the same order. */
static bool view_equal(const struct graph_value *a, const struct graph_value *b)
{
	uint32_t i = 0, k = 0;

	if (a->of != b->of || a->offset != b->offset)
		return false;
	for (;; i++, k++) {
		while (i < a->dims && a->size[i] == 1)
			i++;
		while (k < b->dims && b->size[k] == 1)
			k++;
		if (i == a->dims || k == b->dims)
			return i == a->dims && k == b->dims;
		if (a->size[i] != b->size[k] || a->stride[i] != b->stride[k])
			return false;
	}
}

/* Returns whether a view has all elements of a value in the order of memory. */
static bool view_is_whole(const struct graph_value *base, const struct graph_value *v)
{
	int64_t stride = 1;

	for (uint32_t d = v->dims; d-- > 0; stride *= v->size[d])
		if (v->size[d] > 1 && v->stride[d] != stride)
			return false;
	return v->offset == 0 && stride == graph_elements(base);
}

/* Returns the contents of a value before the model runs. */
static uint32_t initial(struct emit *e, uint32_t base)
{
	const struct graph_value *v = &e->g->value[base];
	struct emit_value *held = &e->value[base];
	enum onnx_type type = emit_type_of(v->dtype);

	if (v->role == BACKEND_ACTIVATION || v->role == BACKEND_OUTPUT)
		return emit_expand(e, emit_number(e, type, 0), emit_value_shape(v));
	if (held->initial != EMIT_NONE)
		return held->initial;
	held->initial = emit_tensor(e, v->name, true, type, emit_value_shape(v));
	if (v->role == BACKEND_WEIGHT) {
		e->tensor[held->initial].weight = base;
		*VEC_ADD(e->initializer, e->initializers, e->initializer_cap) =
		    held->initial;
	}
	return held->initial;
}

/* Returns the shape of a piece of this length: that of its base, in which one dimension is
 * shorter, or [outer,len]. Stores that dimension. */
static struct emit_shape piece_shape(
    const struct graph_value *base, const struct emit_value *held, int64_t *axis)
{
	const struct emit_piece *first = &held->piece[0];
	int64_t outer = 1, inner = graph_elements(base);

	for (uint32_t d = 0; d < base->dims; outer *= base->size[d++]) {
		bool fits = outer == first->outer;

		inner /= base->size[d];
		for (size_t i = 0; i < held->pieces && fits; i++)
			fits = held->piece[i].at % inner == 0 &&
			       held->piece[i].len % inner == 0;
		if (fits) {
			*axis = d;
			return emit_value_shape(base);
		}
	}
	*axis = 1;
	return EMIT_SHAPE(first->outer, first->period);
}

static int piece_compare(const void *a, const void *b)
{
	const struct emit_piece *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Joins the pieces of a value, and what was there before in the gaps. */
static uint32_t pieces_join(struct emit *e, uint32_t base)
{
	const struct graph_value *v = &e->g->value[base];
	struct emit_value *held = &e->value[base];
	int64_t axis, at = 0, inner;
	struct emit_shape shape = piece_shape(v, held, &axis);
	uint32_t *part = mem_zero(2 * held->pieces + 1, sizeof(*part)), parts = 0, made;

	qsort(held->piece, held->pieces, sizeof(*held->piece), piece_compare);
	inner = held->piece[0].period / shape.size[axis];
	for (size_t i = 0; i <= held->pieces; i++) {
		const struct emit_piece *p = i < held->pieces ? &held->piece[i] : NULL;
		int64_t next = p ? p->at : held->piece[0].period;

		if (next > at) {
			uint32_t before =
			    held->whole != EMIT_NONE ? held->whole : initial(e, base);

			part[parts++] = emit_slice(e, emit_reshape(e, before, shape),
			    (uint32_t)axis, at / inner, next / inner);
		}
		if (p) {
			struct emit_shape own = shape;

			own.size[axis] = p->len / inner;
			part[parts++] = emit_reshape(e, p->ordered, own);
			at = p->at + p->len;
		}
	}
	made = emit_concat(e, axis, part, parts);
	free(part);
	return emit_reshape(e, made, emit_value_shape(v));
}

uint32_t emit_whole(struct emit *e, uint32_t base)
{
	struct emit_value *held = &e->value[base];
	uint32_t made;

	if (held->pieces) {
		made = pieces_join(e, base);
		held->whole = made;
		held->pieces = 0;
	}
	return held->whole != EMIT_NONE ? held->whole : initial(e, base);
}

/* Returns a view of a tensor that holds all elements of its base. */
static uint32_t read_box(struct emit *e, const struct graph_value *v, uint32_t whole)
{
	struct emit_shape memory = { 0 }, shape = emit_value_shape(v), once = shape;
	struct memory_box box;
	int64_t *place;

	if (!box_find(&e->g->value[v->of], v, 0, &box)) {
		place = view_places(e, v);
		if (!place)
			return whole;
		whole =
		    emit_reshape(e, whole, EMIT_SHAPE(emit_elements(emit_shape(e, whole))));
		whole = emit_gather(e, whole, emit_ints(e, shape, place), 0);
		free(place);
		return whole;
	}
	for (uint32_t a = 0; a < box.axes; a++)
		memory.size[memory.dims++] = box.size[a];
	whole = emit_reshape(e, whole, memory);
	for (uint32_t a = 0; a < box.axes; a++)
		whole = emit_slice(e, whole, a, box.first[a], box.first[a] + box.count[a]);
	if (box.dims < box.axes) { /* the last axis has no dimension */
		memory = emit_shape(e, whole);
		memory.dims = box.dims;
		whole = emit_reshape(e, whole, memory);
	}
	whole = emit_transpose(e, whole, box.order);
	for (uint32_t d = 0; d < v->dims; d++)
		if (!v->stride[d])
			once.size[d] = 1;
	return emit_expand(e, emit_reshape(e, whole, once), shape);
}

uint32_t emit_read_view(struct emit *e, const struct graph_value *v)
{
	const struct emit_value *held = &e->value[v->of];
	uint32_t whole;

	for (size_t i = 0; i < held->pieces; i++)
		if (view_equal(&held->piece[i].view, v))
			return emit_reshape(e, held->piece[i].tensor, emit_value_shape(v));
	whole = emit_whole(e, v->of);
	return view_is_whole(&e->g->value[v->of], v)
	           ? emit_reshape(e, whole, emit_value_shape(v))
	           : read_box(e, v, whole);
}

uint32_t emit_read(struct emit *e, uint32_t value)
{
	return value == GRAPH_NONE ? (uint32_t)EMIT_NONE
	                           : emit_read_view(e, &e->g->value[value]);
}

/* Writes to any places of a value. */
static void write_places(struct emit *e, const struct graph_value *v, uint32_t tensor)
{
	const struct graph_value *base = &e->g->value[v->of];
	struct emit_value *held = &e->value[v->of];
	int64_t count = graph_elements(v), all = graph_elements(base);
	int64_t *place = view_places(e, v);
	uint32_t flat;

	if (!place)
		return;
	flat = emit_reshape(e, emit_whole(e, v->of), EMIT_SHAPE(all));
	flat = emit_add(e, "ScatterND", emit_type(e, flat), EMIT_SHAPE(all),
	    EMIT_INS(flat, emit_ints(e, EMIT_SHAPE(count, 1), place),
	        emit_reshape(e, tensor, EMIT_SHAPE(count))));
	held->whole = emit_reshape(e, flat, emit_value_shape(base));
	free(place);
}

/* Returns a tensor with the shape of a view, with its dimensions in the order of memory. */
static uint32_t order_elements(
    struct emit *e, const struct graph_value *v, const struct memory_box *box, uint32_t t)
{
	struct emit_shape moving = { 0 };
	int64_t order[BACKEND_DIMS];

	for (uint32_t i = 0; i < box->dims; i++) {
		moving.size[moving.dims++] = box->count[box->order[i]];
		order[box->order[i]] = i;
	}
	if (emit_elements(moving) != graph_elements(v)) {
		emit_fail(e, "places of a view that is written to are the same");
		return t;
	}
	return emit_transpose(e, emit_reshape(e, t, moving), order);
}

/* Describes a view as columns of its base. Returns false if it is not that. */
static bool piece_describe(const struct memory_box *box, struct emit_piece *p)
{
	uint32_t a = 0;
	int64_t inner = 1;

	p->outer = 1;
	while (a < box->axes && box->count[a] == box->size[a])
		p->outer *= box->size[a++];
	for (uint32_t k = a + 1; k < box->axes; k++) {
		if (box->count[k] != box->size[k])
			return false;
		inner *= box->size[k];
	}
	if (a == box->axes) {
		p->period = p->len = p->outer;
		p->outer = 1;
		p->at = 0;
		return true;
	}
	p->period = box->size[a] * inner;
	p->at = box->first[a] * inner;
	p->len = box->count[a] * inner;
	return true;
}

/* Removes the pieces that a new one replaces. Joins all if it overlaps one otherwise. */
static void make_room(struct emit *e, uint32_t base, const struct emit_piece *p)
{
	struct emit_value *held = &e->value[base];

	for (size_t i = 0; i < held->pieces; i++) {
		const struct emit_piece *old = &held->piece[i];

		if (old->outer == p->outer && old->at == p->at && old->len == p->len) {
			held->piece[i] = held->piece[--held->pieces];
			return;
		}
		if (old->outer != p->outer ||
		    (old->at < p->at + p->len && p->at < old->at + old->len)) {
			(void)emit_whole(e, base);
			return;
		}
	}
}

static void write_view(struct emit *e, const struct graph_value *v, uint32_t tensor)
{
	const struct graph_value *base = &e->g->value[v->of];
	struct emit_value *held = &e->value[v->of];
	struct emit_piece p = { .view = *v, .tensor = tensor };
	struct memory_box box;

	held->written = true;
	if (!box_find(base, v, 0, &box) || !piece_describe(&box, &p)) {
		write_places(e, v, tensor);
		return;
	}
	p.ordered = order_elements(e, v, &box, tensor);
	if (p.len == p.period) {
		held->whole = emit_reshape(e, p.ordered, emit_value_shape(base));
		held->pieces = 0;
		return;
	}
	make_room(e, v->of, &p);
	*VEC_ADD(held->piece, held->pieces, held->cap) = p;
}

void emit_write(struct emit *e, uint32_t value, uint32_t tensor)
{
	write_view(e, &e->g->value[value], tensor);
}

/* Returns the places of the elements of a box along its first axes, of which `moving`
 * depends on the number of earlier tokens. */
static uint32_t moving_places(struct emit *e, const struct memory_box *box, uint32_t axes,
    uint32_t moving, int64_t by)
{
	struct emit_shape shape = { .dims = axes + 1 };
	int64_t count = 1, *place, unit[EMIT_DIMS] = { 0 };
	uint32_t t, past = emit_past(e);

	for (uint32_t a = 0; a < axes; a++)
		count *= shape.size[a] = box->count[a];
	shape.size[axes] = axes;
	place = mem_zero((size_t)count * axes + 1, sizeof(*place));
	for (int64_t i = 0; i < count; i++) {
		int64_t left = i;

		for (uint32_t a = axes; a-- > 0; left /= box->count[a])
			place[i * axes + a] = box->first[a] + left % box->count[a];
	}
	unit[moving] = by;
	if (axes > 1 || by != 1)
		past = emit_binary(e, "Mul", past, emit_list(e, unit, axes));
	t = emit_binary(e, "Add", emit_ints(e, shape, place), past);
	free(place);
	return t;
}

void emit_write_after_past(struct emit *e, uint32_t value, uint32_t tensor, int64_t advance)
{
	struct graph_value v = e->g->value[value];
	const struct graph_value *base = &e->g->value[v.of];
	struct emit_value *held = &e->value[v.of];
	struct emit_shape memory = { 0 }, from = { 0 };
	struct memory_box box;
	uint32_t moving = 0, axes = 0, whole;

	if (!advance || !e->opts->step) {
		v.offset += e->node->op.past * advance;
		write_view(e, &v, tensor);
		return;
	}
	if (!box_find(base, &v, advance, &box) || advance % box.stride[box.axes - 1]) {
		emit_fail(e, "ONNX cannot express this view of '%s'", base->name);
		return;
	}
	while (moving < box.axes && advance % box.stride[moving])
		moving++;
	for (uint32_t a = 0; a < box.axes; a++) {
		memory.size[memory.dims++] = box.size[a];
		from.size[from.dims++] = box.count[a];
		if (a == moving || box.count[a] != box.size[a])
			axes = a + 1;
	}
	whole = emit_reshape(e, emit_whole(e, v.of), memory);
	tensor = emit_reshape(e, order_elements(e, &v, &box, tensor), from);
	whole = emit_add(e, "ScatterND", emit_type(e, whole), memory,
	    EMIT_INS(whole,
	        moving_places(e, &box, axes, moving, advance / box.stride[moving]),
	        tensor));
	held->whole = emit_reshape(e, whole, emit_value_shape(base));
	held->written = true;
}
