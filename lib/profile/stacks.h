/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting of stacks: a tree whose nodes are frames under their callers, so that stacks
 * share what they have in common, and a value for the stacks that end at a node. Pure.
 */
#ifndef PROFILE_STACKS_H
#define PROFILE_STACKS_H

#include "base/base.h"
#include "base/hash_map.h"

/* A frame is two numbers that the caller gives meaning to. */
struct frame {
	uint32_t object;
	uint64_t where;
};

#define STACK_ROOT UINT32_MAX

enum { STACK_VALUES = 4 };

struct stacks {
	struct stack_node {
		uint32_t caller; /* a node of lower number, or STACK_ROOT */
		uint32_t frame;
	} * node;
	size_t count, cap;
	struct frame *frame; /* each frame once */
	size_t frames, frame_cap;
	unsigned width;  /* values a node */
	uint64_t *value; /* width of them by node */
	size_t value_cap;
	struct hash_map node_map, frame_map;
};

void stacks_init(struct stacks *s, unsigned width);
/* Returns the node of a frame called from a node. */
uint32_t stacks_push(struct stacks *s, uint32_t caller, struct frame frame);
/* The same where the caller numbers frames itself: `frame` of the node is the number. */
uint32_t stacks_node(struct stacks *s, uint32_t caller, uint32_t frame);
void stacks_count(struct stacks *s, uint32_t node, unsigned which, uint64_t more);
static inline uint64_t stacks_value(const struct stacks *s, size_t node, unsigned which)
{
	return s->value[node * s->width + which];
}
void stacks_free(struct stacks *s);

#endif
