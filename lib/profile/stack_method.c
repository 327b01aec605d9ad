/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names the ways to find the callers of a sample; see stack_method.h.
 */
#include <string.h>

#include "profile/stack_method.h"
#include "text/units.h"

/* A record of the kernel is shorter than 64 KiB. */
enum { DUMP_BYTES_USUAL = 8192, DUMP_BYTES_LEAST = 1024, DUMP_BYTES_MOST = 63 << 10 };

const struct stack_method stack_methods[] = {
	{ "fp", STACK_CHAIN },
	{ "none", STACK_NONE },
	{ "dwarf", STACK_DUMP },
};
const size_t stack_methods_count = COUNT(stack_methods);

/* Returns NULL if there is no method of this name. */
static const struct stack_method *method_find(struct text name)
{
	for (size_t i = 0; i < COUNT(stack_methods); i++)
		if (text_is(name, stack_methods[i].name))
			return &stack_methods[i];
	return NULL;
}

int stack_method_parse(
    const char *text, enum sampler_stack *stack, uint32_t *dump_bytes, struct fault *f)
{
	const char *chosen = text ? text : stack_methods[0].name,
	           *comma = strchr(chosen, ',');
	const struct stack_method *method = method_find(
	    (struct text){ chosen, comma ? (size_t)(comma - chosen) : strlen(chosen) });
	double bytes = DUMP_BYTES_USUAL;

	if (!method || (comma && method->stack != STACK_DUMP))
		return fault_set(
		    f, "must be fp, none, dwarf or dwarf,SIZE, not '%s'", chosen);
	if (comma && units_size_bytes(comma + 1, &bytes, f) < 0)
		return -1;
	if (bytes < DUMP_BYTES_LEAST || bytes > DUMP_BYTES_MOST)
		return fault_set(f, "the size of the copied stack must be %dK to %dK",
		    DUMP_BYTES_LEAST >> 10, DUMP_BYTES_MOST >> 10);
	*stack = method->stack;
	*dump_bytes = (uint32_t)bytes & ~7u;
	return 0;
}
