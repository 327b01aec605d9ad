/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls inside others; see nested_calls.h.
 */
#include <stdlib.h>

#include "inference/nested_calls.h"

/* Orders calls by thread and start; one that contains others comes before them. */
static int compare_calls(const void *a, const void *b)
{
	const struct nested_call *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->start_us < y->start_us || x->start_us > y->start_us)
		return x->start_us < y->start_us ? -1 : 1;
	if (x->ns < y->ns || x->ns > y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

/* The calls that contain the current one. */
struct call_stack {
	struct open_call {
		struct nested_call *call, *last; /* inside it */
		size_t inside;
	} * open;
	size_t depth, cap;
	size_t *opened; /* by operation: how many calls of it are open */
};

static void stack_push(struct call_stack *s, struct nested_call *call)
{
	*VEC_ADD(s->open, s->depth, s->cap) = (struct open_call){ .call = call };
	if (call->operation != NESTED_CALLS_OTHER)
		call->is_repeated = s->opened[call->operation]++ > 0;
}

static void stack_pop(struct call_stack *s)
{
	struct open_call *top = &s->open[--s->depth];
	struct nested_call *call = top->call;

	if (call->operation != NESTED_CALLS_OTHER)
		s->opened[call->operation]--;
	if (top->inside == 1 && top->last->operation == call->operation)
		top->last->is_forwarded = true;
	/* Sums of rounded times can exceed the time around them. */
	if (call->self_ns < 0)
		call->self_ns = 0;
}

/* Notes that a call is inside the innermost one that is open. The part of it that seems to
 * be later does not belong to that one. */
static void stack_contain(struct call_stack *s, struct nested_call *call)
{
	struct open_call *top = &s->open[s->depth - 1];
	double late_us = call->end_us - top->call->end_us;

	top->last = call;
	top->inside++;
	top->call->self_ns -= late_us > 0 ? call->ns - late_us * 1000 : call->ns;
	call->is_inside = true;
}

void nested_calls_find(struct nested_calls *calls)
{
	struct call_stack s = { .depth = 0 };
	size_t operations = 0;

	if (!calls->count)
		return;
	qsort(calls->at, calls->count, sizeof(*calls->at), compare_calls);
	for (size_t i = 0; i < calls->count; i++)
		if (calls->at[i].operation != NESTED_CALLS_OTHER &&
		    calls->at[i].operation >= operations)
			operations = calls->at[i].operation + 1;
	s.opened = mem_zero(operations, sizeof(*s.opened));
	for (size_t i = 0; i < calls->count; i++) {
		struct nested_call *call = &calls->at[i];
		double middle = (call->start_us + call->end_us) / 2;

		while (s.depth && (s.open[s.depth - 1].call->thread != call->thread ||
		                      s.open[s.depth - 1].call->end_us <= middle))
			stack_pop(&s);
		call->self_ns = call->ns;
		if (s.depth)
			stack_contain(&s, call);
		stack_push(&s, call);
	}
	while (s.depth)
		stack_pop(&s);
	free(s.open);
	free(s.opened);
}
