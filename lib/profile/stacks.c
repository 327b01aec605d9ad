/*
 * The tree of stacks; see stacks.h. Two open-addressing hash tables: frames to numbers, and
 * (caller, frame) to nodes.
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

static uint64_t hash_frame(const struct stacks *s, size_t i)
{
	return hash_pair(s->frame[i].object, s->frame[i].where);
}

static uint64_t hash_node(const struct stacks *s, size_t i)
{
	return hash_pair(s->node[i].caller, s->node[i].frame);
}

/* Make a table twice as large when the next entry would fill more than 3/4 of it. */
static void make_room(const struct stacks *s, uint32_t **slot, size_t *slots, size_t count,
    uint64_t (*hash)(const struct stacks *s, size_t i))
{
	if (count + 1 <= *slots / 4 * 3)
		return;
	*slots = *slots ? *slots * 2 : 1024;
	free(*slot);
	*slot = mem_zero(*slots, sizeof(**slot));
	for (size_t i = 0; i < count; i++) {
		size_t at = hash(s, i) & (*slots - 1);

		while ((*slot)[at])
			at = (at + 1) & (*slots - 1);
		(*slot)[at] = (uint32_t)i + 1;
	}
}

static uint32_t frame_number(struct stacks *s, struct frame frame)
{
	size_t at;

	make_room(s, &s->frame_slot, &s->frame_slots, s->frames, hash_frame);
	at = hash_pair(frame.object, frame.where) & (s->frame_slots - 1);
	for (; s->frame_slot[at]; at = (at + 1) & (s->frame_slots - 1)) {
		const struct frame *f = &s->frame[s->frame_slot[at] - 1];

		if (f->object == frame.object && f->where == frame.where)
			return s->frame_slot[at] - 1;
	}
	*VEC_ADD(s->frame, s->frames, s->frame_cap) = frame;
	s->frame_slot[at] = (uint32_t)s->frames;
	return (uint32_t)s->frames - 1;
}

uint32_t stacks_push(struct stacks *s, uint32_t caller, struct frame frame)
{
	return stacks_node(s, caller, frame_number(s, frame));
}

uint32_t stacks_node(struct stacks *s, uint32_t caller, uint32_t number)
{
	size_t at;

	make_room(s, &s->node_slot, &s->node_slots, s->count, hash_node);
	at = hash_pair(caller, number) & (s->node_slots - 1);
	for (; s->node_slot[at]; at = (at + 1) & (s->node_slots - 1)) {
		const struct stack_node *n = &s->node[s->node_slot[at] - 1];

		if (n->caller == caller && n->frame == number)
			return s->node_slot[at] - 1;
	}
	*VEC_ADD(s->node, s->count, s->cap) = (struct stack_node){ caller, number };
	s->node_slot[at] = (uint32_t)s->count;
	if (s->count > s->value_cap) {
		s->value_cap = s->cap;
		s->value = mem_resize(s->value, s->value_cap, s->width * sizeof(*s->value));
	}
	memset(&s->value[(s->count - 1) * s->width], 0, s->width * sizeof(*s->value));
	return (uint32_t)s->count - 1;
}

void stacks_count(struct stacks *s, uint32_t node, unsigned which, uint64_t more)
{
	s->value[node * s->width + which] += more;
}

void stacks_free(struct stacks *s)
{
	free(s->node);
	free(s->frame);
	free(s->value);
	free(s->node_slot);
	free(s->frame_slot);
	*s = (struct stacks){ 0 };
}
