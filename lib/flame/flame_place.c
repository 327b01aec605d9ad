/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places the frames of a flame graph. Only frames that are wide enough are sorted and
 * placed, which are few, so that a million stacks need no sorting.
 */
#include <math.h>
#include <stdlib.h>

#include "flame/flame_tree_priv.h"

enum { NOWHERE = UINT32_MAX };

struct flame_layout {
	const struct flame *flame;
	struct flame_plot *out;
	uint32_t *box;  /* by node: its box, or NOWHERE */
	uint32_t *node; /* by box, or STACK_ROOT */
	double *next;   /* by box: x of its next child */
	size_t cap, node_cap, next_cap;
	double scale[FLAME_SIDES]; /* width of a value of the side */
};

static bool is_gone(const struct flame *f, uint32_t node)
{
	return f->value[FLAME_NEW][node] <= 0 && f->value[FLAME_OLD][node] > 0;
}

static double width_of(const struct flame_layout *p, uint32_t node)
{
	enum flame_side side = is_gone(p->flame, node) ? FLAME_OLD : FLAME_NEW;

	return p->flame->value[side][node] * p->scale[side];
}

static uint32_t add_box(struct flame_layout *p, uint32_t node, struct flame_box box)
{
	uint32_t number = (uint32_t)p->out->count;
	size_t slots = number, starts = number;

	*VEC_ADD(p->out->box, p->out->count, p->cap) = box;
	*VEC_ADD(p->node, slots, p->node_cap) = node;
	*VEC_ADD(p->next, starts, p->next_cap) = box.x;
	if (box.depth + 1 > p->out->depths)
		p->out->depths = box.depth + 1;
	return number;
}

/* Adds a box at the next free position on another box. */
static uint32_t add_on(struct flame_layout *p, uint32_t under, uint32_t node, double width)
{
	const struct flame *f = p->flame;
	struct flame_box box = { .x = p->next[under],
		.width = width,
		.depth = p->out->box[under].depth + 1,
		.gone = p->out->box[under].gone,
		.p = NAN };

	p->next[under] += width;
	if (node != STACK_ROOT) {
		box.name = flame_name(f, node);
		for (int side = 0; side < FLAME_SIDES; side++)
			box.value[side] = f->value[side][node];
	}
	return add_box(p, node, box);
}

/* Orders callers before callees, and siblings by name. */
static int by_caller_and_name(const void *pa, const void *pb, void *ctx)
{
	const struct flame *f = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	/* STACK_ROOT + 1 is 0. */
	uint32_t caller_a = f->tree.node[a].caller + 1;
	uint32_t caller_b = f->tree.node[b].caller + 1;
	struct text name_a = flame_name(f, a), name_b = flame_name(f, b);
	size_t len = name_a.len < name_b.len ? name_a.len : name_b.len;
	int order = caller_a == caller_b ? memcmp(name_a.ptr, name_b.ptr, len) : 0;

	if (caller_a != caller_b)
		return caller_a < caller_b ? -1 : 1;
	if (order)
		return order;
	return name_a.len < name_b.len ? -1 : name_a.len > name_b.len;
}

/* A frame that is wide enough. */
struct flame_candidate {
	double width;
	uint32_t depth, node;
};

/* Orders the widest first, and callers before callees of the same width. */
static int by_width(const void *pa, const void *pb)
{
	const struct flame_candidate *a = pa, *b = pb;

	if (a->width != b->width)
		return a->width > b->width ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* Returns the nodes that are wide enough and not too deep, allocated: the widest ones, if
 * there are too many. A caller is never left out before its callees. */
static struct flame_candidate *candidates(
    struct flame_layout *p, double least, size_t *count)
{
	const struct flame *f = p->flame;
	uint32_t *depth = mem_zero(f->tree.count + 1, sizeof(*depth));
	struct flame_candidate *list = NULL;
	size_t cap = 0, wide = 0;

	*count = 0;
	for (size_t i = 0; i < f->tree.count; i++) {
		uint32_t caller = f->tree.node[i].caller;
		double width = width_of(p, (uint32_t)i);

		depth[i] = caller == STACK_ROOT ? 1 : depth[caller] + 1;
		if (width < least || width <= 0)
			continue;
		wide++;
		if (depth[i] < FLAME_DEPTH_MOST)
			*VEC_ADD(list, *count, cap) =
			    (struct flame_candidate){ width, depth[i], (uint32_t)i };
	}
	if (*count > FLAME_BOXES_MOST) {
		qsort(list, *count, sizeof(*list), by_width);
		*count = FLAME_BOXES_MOST;
	}
	p->out->cut = *count < wide;
	p->out->hidden = f->tree.count - *count;
	free(depth);
	return list;
}

/* Returns the nodes of the graph in the order of by_caller_and_name; allocated. */
static uint32_t *visible(struct flame_layout *p, double least, size_t *count)
{
	const struct flame *f = p->flame;
	struct flame_candidate *from = candidates(p, least, count);
	uint32_t *list = mem_zero(*count + 1, sizeof(*list));

	for (size_t i = 0; i < *count; i++)
		list[i] = from[i].node;
	free(from);
	if (*count)
		qsort_r(list, *count, sizeof(*list), by_caller_and_name, (void *)f);
	return list;
}

/* Places a frame of the new side on the root, or a vanished frame on its vanished caller.
 */
static void place_one(struct flame_layout *p, uint32_t node, uint32_t root)
{
	uint32_t caller = p->flame->tree.node[node].caller;
	uint32_t under = caller == STACK_ROOT ? root : p->box[caller];

	if (under != NOWHERE)
		p->box[node] = add_on(p, under, node, width_of(p, node));
}

static bool is_topmost_gone(const struct flame *f, uint32_t node)
{
	uint32_t caller = f->tree.node[node].caller;

	return is_gone(f, node) && (caller == STACK_ROOT || !is_gone(f, caller));
}

/* Places vanished frames at the right; those of one caller are adjacent because they are
 * sorted.
 */
static void place_gone(struct flame_layout *p, const uint32_t *list, size_t count, double x)
{
	const struct flame *f = p->flame;
	uint32_t root = add_box(p, STACK_ROOT,
	    (struct flame_box){ .x = x, .width = 1 - x, .gone = true, .p = NAN });
	uint32_t caller = NOWHERE, under = NOWHERE;

	for (size_t i = 0; i < count; i++) {
		uint32_t node = list[i];

		if (!is_gone(f, node))
			continue;
		if (!is_topmost_gone(f, node)) {
			place_one(p, node, root);
			continue;
		}
		if (under == NOWHERE || f->tree.node[node].caller != caller) {
			double width = 0;

			caller = f->tree.node[node].caller;
			for (size_t k = i;
			     k < count && f->tree.node[list[k]].caller == caller; k++)
				width += is_gone(f, list[k]) ? width_of(p, list[k]) : 0;
			under = add_on(p, root, STACK_ROOT, width);
			if (caller != STACK_ROOT)
				p->out->box[under].name = flame_name(f, caller);
		}
		p->box[node] = add_on(p, under, node, width_of(p, node));
	}
}

static int by_place(const void *pa, const void *pb)
{
	const struct flame_box *a = pa, *b = pb;

	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return a->x < b->x ? -1 : a->x > b->x;
}

/* Sets the self value of each box: its value less those of its callees. */
static void set_own(struct flame_plot *out, const struct flame *f, const uint32_t *node)
{
	double *called = mem_zero(f->tree.count + 1, sizeof(*called));
	double on_root = 0;

	for (size_t i = 0; i < f->tree.count; i++) {
		uint32_t caller = f->tree.node[i].caller;
		enum flame_side side =
		    caller != STACK_ROOT && is_gone(f, caller) ? FLAME_OLD : FLAME_NEW;

		*(caller == STACK_ROOT ? &on_root : &called[caller]) += f->value[side][i];
	}
	for (size_t i = 0; i < out->count; i++) {
		struct flame_box *b = &out->box[i];

		if (node[i] != STACK_ROOT)
			b->own =
			    b->value[b->gone ? FLAME_OLD : FLAME_NEW] - called[node[i]];
		else if (i == 0)
			b->own = b->value[FLAME_NEW] - on_root;
		/* Ignore rounding errors of sums in another order. */
		if (b->own < 1e-9 * b->value[b->gone ? FLAME_OLD : FLAME_NEW])
			b->own = 0;
	}
	free(called);
}

void flame_place(
    const struct flame *f, const struct flame_place_opts *opts, struct flame_plot *out)
{
	struct flame_layout p = { .flame = f, .out = out };
	double gone = 0;
	size_t count;

	*out = (struct flame_plot){ .both = f->both };
	for (int side = 0; side < FLAME_SIDES; side++) {
		out->total[side] = f->total[side];
		out->runs[side] = f->runs[side].count;
		p.scale[side] = f->total[side] > 0 ? 1 / f->total[side] : 0;
	}
	for (size_t i = 0; i < f->tree.count; i++)
		if (is_topmost_gone(f, (uint32_t)i) &&
		    width_of(&p, (uint32_t)i) >= opts->least)
			gone += width_of(&p, (uint32_t)i);
	for (int side = 0; side < FLAME_SIDES; side++)
		p.scale[side] /= 1 + gone;
	p.box = mem_resize(NULL, f->tree.count, sizeof(*p.box));
	memset(p.box, 0xff, f->tree.count * sizeof(*p.box));
	uint32_t *list = visible(&p, opts->least / (1 + gone), &count);
	struct flame_box all = { .width = 1 / (1 + gone), .p = NAN };
	memcpy(all.value, f->total, sizeof(all.value));
	uint32_t root = add_box(&p, STACK_ROOT, all);
	for (size_t i = 0; i < count; i++)
		if (!is_gone(f, list[i]))
			place_one(&p, list[i], root);
	if (gone > 0)
		place_gone(&p, list, count, all.width);
	set_own(out, f, p.node);
	flame_judge(f, opts, out, p.node);
	qsort(out->box, out->count, sizeof(*out->box), by_place);
	free(list);
	free(p.box);
	free(p.node);
	free(p.next);
}

void flame_plot_free(struct flame_plot *p)
{
	free(p->box);
	*p = (struct flame_plot){ 0 };
}
