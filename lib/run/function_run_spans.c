/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a function's processes in the time line; see function_run_priv.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "run/function_run_priv.h"

void function_run_note_span(struct function_run *c, const char *name, int64_t number,
    uint64_t iterations, const struct helper_sample *s)
{
	struct helper_span span = { .category =
		                        number < 0 ? HELPER_SPAN_PHASE : HELPER_SPAN_SAMPLE,
		.number = number < 0 ? 0 : (uint64_t)number,
		.iterations = iterations,
		.start_ns = s->answer.start_ns,
		.duration_ns = (double)s->answer.wall_ns };

	if (!c->plan->timeline)
		return;
	snprintf(span.name, sizeof(span.name), "%s", name);
	*VEC_ADD(c->span, c->spans, c->span_cap) = span;
}

void function_run_write_spans(struct function_run *c)
{
	const struct helper_span *reported;
	size_t count;

	if (!c->plan->timeline)
		return;
	reported = helper_client_spans(c->call, &count);
	run_timeline_begin_process(c->plan->timeline, c->subject, c->process);
	run_timeline_add(c->plan->timeline, reported, count);
	run_timeline_add(c->plan->timeline, c->span, c->spans);
}
