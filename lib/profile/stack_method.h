/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways to find the callers of a sample, by the names that users give them.
 */
#ifndef PROFILE_STACK_METHOD_H
#define PROFILE_STACK_METHOD_H

#include "profile/sampler.h"

struct stack_method {
	const char *name;
	enum sampler_stack stack;
};
/* The first one is the default. */
extern const struct stack_method stack_methods[];
extern const size_t stack_methods_count;

/*
 * Parses "fp", "none", "dwarf" or "dwarf,SIZE"; NULL is the default. Stores the method, and
 * the size of the copied stack for STACK_DUMP, a multiple of 8. Returns 0, or -1 and the
 * message.
 */
int stack_method_parse(
    const char *text, enum sampler_stack *stack, uint32_t *dump_bytes, struct fault *f);

#endif
