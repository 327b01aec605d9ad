/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of a flame graph and the sums of its frames; see flame.h. */
#include <stdlib.h>

#include "flame/flame_tree_priv.h"

struct flame *flame_open(void)
{
	struct flame *f = mem_zero(1, sizeof(*f));

	stacks_init(&f->tree, 0);
	return f;
}

static uint32_t push_name(struct flame *f, uint32_t caller, struct text name)
{
	return stacks_node(&f->tree, caller, (uint32_t)intern_add(&f->names, name));
}

/* Returns how many frames a stack shares with the last stack, from the outermost on. */
static size_t shared_frames(const struct flame *f, struct text stack)
{
	size_t most = stack.len < f->last.len ? stack.len : f->last.len, same = 0, n = 0;

	while (same < most && stack.ptr[same] == f->last.ptr[same])
		same++;
	while (n < f->path_count && f->path[n].end <= same &&
	       (f->path[n].end == stack.len || stack.ptr[f->path[n].end] == ';'))
		n++;
	return n;
}

static void keep_last(struct flame *f, struct text stack)
{
	f->last.len = 0;
	buf_text(&f->last, stack);
}

/* Returns the node of a stack. Stacks are mostly sorted, so a stack shares its first frames
 * with the previous one. */
static uint32_t node_of(struct flame *f, struct text stack)
{
	size_t from = 0;

	f->path_count = shared_frames(f, stack);
	if (f->path_count)
		from = f->path[f->path_count - 1].end + 1;
	while (from < stack.len) {
		const char *end = memchr(stack.ptr + from, ';', stack.len - from);
		size_t until = end ? (size_t)(end - stack.ptr) : stack.len;
		uint32_t caller =
		    f->path_count ? f->path[f->path_count - 1].node : STACK_ROOT;
		struct text name = { stack.ptr + from, until - from };

		if (name.len)
			*VEC_ADD(f->path, f->path_count, f->path_cap) =
			    (struct flame_step){ push_name(f, caller, name), until };
		from = until + 1;
	}
	keep_last(f, stack);
	return f->path_count ? f->path[f->path_count - 1].node : STACK_ROOT;
}

static uint32_t run_number(struct flame *f, enum flame_side side, uint32_t run)
{
	for (size_t i = f->runs[side].count; i-- > 0;)
		if (f->runs[side].id[i] == run)
			return (uint32_t)i;
	*VEC_ADD(f->runs[side].id, f->runs[side].count, f->runs[side].cap) = run;
	return (uint32_t)f->runs[side].count - 1;
}

void flame_add(
    struct flame *f, enum flame_side side, uint32_t run, struct text stack, double value)
{
	uint32_t node = node_of(f, stack);

	*VEC_ADD(f->entry, f->entries, f->entry_cap) = (struct flame_entry){
		.node = node, .side = side, .run = run_number(f, side, run), .value = value
	};
	f->total[side] += value;
}

void flame_sum(const struct flame *f, double *value, enum flame_side side, int64_t run)
{
	for (size_t i = 0; i < f->entries; i++) {
		const struct flame_entry *e = &f->entry[i];

		if (e->side == side && e->node != STACK_ROOT && (run < 0 || e->run == run))
			value[e->node] += e->value;
	}
	/* Callers have lower numbers than callees. */
	for (size_t i = f->tree.count; i-- > 0;)
		if (f->tree.node[i].caller != STACK_ROOT)
			value[f->tree.node[i].caller] += value[i];
}

bool flame_finish(struct flame *f)
{
	f->both = f->runs[FLAME_OLD].count > 0;
	for (int side = 0; side < FLAME_SIDES; side++) {
		f->value[side] = mem_zero(f->tree.count + 1, sizeof(**f->value));
		flame_sum(f, f->value[side], (enum flame_side)side, -1);
	}
	return f->total[FLAME_NEW] > 0 && (!f->both || f->total[FLAME_OLD] > 0);
}

struct text flame_name(const struct flame *f, uint32_t node)
{
	return intern_text(&f->names, f->tree.node[node].frame);
}

void flame_close(struct flame *f)
{
	if (!f)
		return;
	for (int side = 0; side < FLAME_SIDES; side++) {
		free(f->value[side]);
		free(f->runs[side].id);
	}
	stacks_free(&f->tree);
	intern_free(&f->names);
	buf_free(&f->last);
	free(f->path);
	free(f->entry);
	free(f);
}
