/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts stacks in a tree: each node is a frame under its caller, so that stacks share
 * their common callers. The values of a node are those of the stacks that end at it. Pure.
 */
#ifndef PROFILE_STACKS_H
#define PROFILE_STACKS_H

#include "base/base.h"
#include "base/hash_map.h"

/* A frame: two numbers whose meaning the caller defines. */
struct frame {
	uint32_t object;
	uint64_t where;
};

#define STACK_ROOT UINT32_MAX

enum { STACK_VALUES = 4 };

struct stacks {
	struct stack_node {
		uint32_t caller; /* a node with a lower number, or STACK_ROOT */
		uint32_t frame;
	} * node;
	size_t count, cap;
	struct frame *frame; /* distinct frames */
	size_t frames, frame_cap;
	unsigned width;  /* number of values of a node */
	uint64_t *value; /* width values for each node */
	size_t value_cap;
	struct hash_map node_map, frame_map;
};

/* Initializes a tree with width values for each node. */
void stacks_init(struct stacks *s, unsigned width);
/* Returns the node of a frame called from a node. */
uint32_t stacks_push(struct stacks *s, uint32_t caller, struct frame frame);
/* Returns the node of a frame that the caller has numbered. */
uint32_t stacks_node(struct stacks *s, uint32_t caller, uint32_t frame);
/* Adds to a value of a node. */
void stacks_count(struct stacks *s, uint32_t node, unsigned which, uint64_t more);
/* Returns a value of a node. */
static inline uint64_t stacks_value(const struct stacks *s, size_t node, unsigned which)
{
	return s->value[node * s->width + which];
}
/* Returns the sum of a value over all nodes. */
double stacks_sum(const struct stacks *s, unsigned which);
void stacks_free(struct stacks *s);

#endif
