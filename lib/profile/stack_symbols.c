/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts places to names; see stack_symbols.h. The node of a caller has a lower number
 * than those of its callees, so one pass in order is sufficient.
 */
#include <stdlib.h>

#include "profile/stack_symbols.h"
#include "text/display_width.h"

static const char *const start_names[] = { "_start", "__libc_start_main",
	"__libc_start_main_impl", "__libc_start_call_main", "generic_start_main",
	"libc_start_main_stage2", "clone", "__clone", "clone3", "__clone3", "start_thread",
	"start", "_dl_start_user", "thread_start" };
/* Libraries without symbols whose functions start programs and threads. */
static const char *const start_objects[] = { "[libc.so.", "[libpthread", "[ld-" };

struct text stack_symbols_function(struct text name)
{
	const char *line = memmem(name.ptr, name.len, " (", 2);

	return line ? (struct text){ name.ptr, (size_t)(line - name.ptr) } : name;
}

bool stack_symbols_is_start(struct text name)
{
	name = stack_symbols_function(name);
	for (size_t i = 0; i < COUNT(start_names); i++)
		if (text_is(name, start_names[i]))
			return true;
	for (size_t i = 0; i < COUNT(start_objects); i++) {
		size_t len = strlen(start_objects[i]);

		if (name.len > len && memcmp(name.ptr, start_objects[i], len) == 0)
			return true;
	}
	return false;
}

/* Adds a name with the separator and control characters replaced. */
static uint32_t add_name(struct stack_symbols *f, struct text name)
{
	struct buf clean = { 0 };
	struct text rest = name;
	size_t number;

	buf_room(&clean, 1);
	while (rest.len) {
		struct display_char c = display_char(rest);

		if (*rest.ptr == ';')
			buf_byte(&clean, ':');
		else if (c.escaped)
			buf_byte(&clean, '?');
		else
			buf_put(&clean, rest.ptr, c.bytes);
		rest = text_after(rest, c.bytes);
	}
	number = intern_add(&f->names, text_in(&clean));
	buf_free(&clean);
	return (uint32_t)number;
}

static uint32_t *name_frames(struct stack_symbols *f, const struct stacks *from,
    const struct maps *maps, struct symbolizer *symbolizer)
{
	uint32_t *name = mem_zero(from->frames, sizeof(*name));

	for (size_t i = 0; i < from->frames; i++) {
		const struct frame *frame = &from->frame[i];

		name[i] = add_name(
		    f, frame->object == OBJECT_COMM
		           ? maps_comm_text(maps, (uint32_t)frame->where)
		           : symbolizer_name(symbolizer, frame->object, frame->where));
	}
	return name;
}

static bool has_values(const struct stacks *s, size_t node)
{
	for (unsigned k = 0; k < s->width; k++)
		if (stacks_value(s, node, k))
			return true;
	return false;
}

static void count_into(
    struct stack_symbols *f, uint32_t to, const struct stacks *from, size_t node)
{
	for (unsigned k = 0; k < from->width; k++)
		stacks_count(&f->stacks, to, k, stacks_value(from, node, k));
}

void stack_symbols_open(struct stack_symbols *out, const struct stacks *from,
    const struct maps *maps, struct symbolizer *symbolizer)
{
	uint32_t *node = mem_zero(from->count, sizeof(*node)), *name;
	size_t programs = 0;

	*out = (struct stack_symbols){ 0 };
	stacks_init(&out->stacks, from->width);
	name = name_frames(out, from, maps, symbolizer);
	for (size_t i = 0; i < from->count; i++) {
		const struct stack_node *n = &from->node[i];
		bool program = n->caller == STACK_ROOT;
		struct frame frame = { program ? OBJECT_COMM : 0, name[n->frame] };
		uint32_t caller = program ? STACK_ROOT : node[n->caller], to;

		/* Omitted, unless the stack has no other frame. */
		if (!program && out->stacks.node[caller].caller == STACK_ROOT &&
		    stack_symbols_is_start(intern_text(&out->names, frame.where))) {
			node[i] = caller;
			if (!has_values(from, i))
				continue;
			to = stacks_push(&out->stacks, caller, frame);
		} else
			node[i] = to = stacks_push(&out->stacks, caller, frame);
		count_into(out, to, from, i);
	}
	for (size_t i = 0; i < out->stacks.count; i++)
		programs += out->stacks.node[i].caller == STACK_ROOT;
	out->programs = programs > 1;
	free(node);
	free(name);
}

bool stack_symbols_ends(const struct stack_symbols *f, size_t node)
{
	return has_values(&f->stacks, node);
}

static struct text name_of(const struct stack_symbols *f, uint32_t node)
{
	return intern_text(&f->names, f->stacks.frame[f->stacks.node[node].frame].where);
}

void stack_symbols_text(
    const struct stack_symbols *f, uint32_t node, bool program, struct buf *out)
{
	uint32_t caller = f->stacks.node[node].caller;

	if (caller != STACK_ROOT &&
	    (program || f->stacks.node[caller].caller != STACK_ROOT)) {
		stack_symbols_text(f, caller, program, out);
		buf_byte(out, ';');
	}
	buf_text(out, name_of(f, node));
}

struct text stack_symbols_program(const struct stack_symbols *f, uint32_t node)
{
	while (f->stacks.node[node].caller != STACK_ROOT)
		node = f->stacks.node[node].caller;
	return name_of(f, node);
}

void stack_symbols_close(struct stack_symbols *f)
{
	intern_free(&f->names);
	stacks_free(&f->stacks);
}
