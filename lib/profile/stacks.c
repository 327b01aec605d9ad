/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of stacks; see stacks.h. One hash table numbers the frames, and another the
 * nodes by caller and frame.
 */
#include <stdlib.h>

#include "profile/stacks.h"

void stacks_init(struct stacks *s, unsigned width)
{
	*s = (struct stacks){ .width = width };
}

static uint64_t hash_pair(uint64_t a, uint64_t b)
{
	uint64_t pair[2] = { a, b };

	return text_hash((struct text){ (const char *)pair, sizeof(pair) }, 0);
}

/* The key of a search for a frame or a node. */
struct frame_search {
	const struct stacks *s;
	struct frame frame;
};

struct node_search {
	const struct stacks *s;
	struct stack_node node;
};

static bool equal_frame(const void *ctx, size_t number)
{
	const struct frame_search *search = ctx;
	const struct frame *f = &search->s->frame[number];

	return f->object == search->frame.object && f->where == search->frame.where;
}

static bool equal_node(const void *ctx, size_t number)
{
	const struct node_search *search = ctx;
	const struct stack_node *n = &search->s->node[number];

	return n->caller == search->node.caller && n->frame == search->node.frame;
}

static uint32_t add_frame(struct stacks *s, struct frame frame)
{
	size_t number = hash_map_add(&s->frame_map, hash_pair(frame.object, frame.where),
	    equal_frame, &(struct frame_search){ s, frame });

	if (number == s->frames)
		*VEC_ADD(s->frame, s->frames, s->frame_cap) = frame;
	return (uint32_t)number;
}

uint32_t stacks_push(struct stacks *s, uint32_t caller, struct frame frame)
{
	return stacks_node(s, caller, add_frame(s, frame));
}

uint32_t stacks_node(struct stacks *s, uint32_t caller, uint32_t frame)
{
	struct stack_node node = { caller, frame };
	size_t number = hash_map_add(&s->node_map, hash_pair(caller, frame), equal_node,
	    &(struct node_search){ s, node });

	if (number < s->count)
		return (uint32_t)number;
	*VEC_ADD(s->node, s->count, s->cap) = node;
	if (s->count > s->value_cap) {
		s->value_cap = s->cap;
		s->value = mem_resize(s->value, s->value_cap, s->width * sizeof(*s->value));
	}
	memset(&s->value[number * s->width], 0, s->width * sizeof(*s->value));
	return (uint32_t)number;
}

void stacks_count(struct stacks *s, uint32_t node, unsigned which, uint64_t more)
{
	s->value[node * s->width + which] += more;
}

double stacks_sum(const struct stacks *s, unsigned which)
{
	double sum = 0;

	for (size_t i = 0; i < s->count; i++)
		sum += (double)stacks_value(s, i, which);
	return sum;
}

void stacks_free(struct stacks *s)
{
	free(s->node);
	free(s->frame);
	free(s->value);
	hash_map_free(&s->node_map);
	hash_map_free(&s->frame_map);
	*s = (struct stacks){ 0 };
}
