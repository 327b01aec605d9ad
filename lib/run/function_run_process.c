/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The current process of a function: its iterations, the samples that are kept of it, its
 * part of the timeline, and what all its rows have; see function_run_priv.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/function_run_priv.h"
#include "run/workers.h"

uint64_t function_run_processes(const struct function_run *c)
{
	return c->subject->work ? c->plan->compute_processes : c->plan->processes;
}

double function_run_iteration_ns(
    const struct function_run *c, const struct worker_result *workers, uint64_t iterations)
{
	double sum_ns = 0;

	for (uint32_t i = 0; i < workers_of(c->subject); i++)
		sum_ns += (double)workers[i].wall_ns;
	return sum_ns / workers_of(c->subject) / (double)iterations;
}

size_t function_run_index(const struct function_run *c)
{
	return (size_t)(c->subject - c->plan->subjects->subject);
}

const struct helper_sample *function_run_order(
    struct function_run *c, const struct helper_order *order, const int64_t *arrival_ns)
{
	const struct helper_sample *s;

	if (helper_client_state(c->call) != HELPER_LIVES)
		return NULL;
	c->under_way = order->iterations;
	s = helper_client_play(c->call, order, arrival_ns);
	if (s)
		c->under_way = 0;
	return s;
}

const struct helper_sample *function_run_iterate(
    struct function_run *c, uint64_t iterations)
{
	return function_run_order(
	    c, &(struct helper_order){ .iterations = iterations }, NULL);
}

struct kept function_run_copy(const struct function_run *c, const struct helper_sample *s)
{
	size_t counters = c->plan->counters->count, workers = workers_of(c->subject);
	struct kept k = { .answer = s->answer,
		.counts = mem_zero(counters + 1, sizeof(*k.counts)),
		.workers = mem_zero(workers, sizeof(*k.workers)) };

	memcpy(k.counts, s->counts, counters * sizeof(*k.counts));
	memcpy(k.workers, s->workers, workers * sizeof(*k.workers));
	if (s->extras) {
		k.extra = mem_zero(s->extras, sizeof(*k.extra));
		k.extras = s->extras;
		memcpy(k.extra, s->extra, s->extras * sizeof(*k.extra));
	}
	if (s->tokens) {
		k.token = mem_zero(s->tokens, sizeof(*k.token));
		k.tokens = s->tokens;
		memcpy(k.token, s->token, s->tokens * sizeof(*k.token));
	}
	return k;
}

static void free_kept(struct kept *k)
{
	free(k->counts);
	free(k->workers);
	free(k->extra);
	free(k->token);
	*k = (struct kept){ 0 };
}

void function_run_forget_warmups(struct function_run *c)
{
	for (size_t i = 0; i < c->warmups; i++)
		free_kept(&c->warmup[i]);
	c->warmups = c->warms = 0;
}

void function_run_forget(struct function_run *c)
{
	helper_client_close(c->call);
	c->call = NULL;
	function_run_forget_warmups(c);
	free_kept(&c->sample);
	c->walls = 0;
	c->gpu.settling_ns = 0;
	c->warming_ns = c->measured_ns = 0;
	c->level = (struct token_level){ 0 };
	c->load.requests = 0;
	c->settled = c->sampled = false;
	c->first_ns = -1;
	c->under_way = 0;
	c->spans = 0;
	*c->why = '\0';
}

void function_run_keep(struct function_run *c, const struct helper_sample *s)
{
	free_kept(&c->sample);
	c->sample = function_run_copy(c, s);
	c->sampled = true;
}

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

struct run_sample *function_run_begin_row(
    struct function_run *c, int64_t number, int64_t begin_ns, uint64_t iterations)
{
	run_sample_begin(&c->row, c->subject);
	c->row.process = c->process;
	c->row.number = number;
	c->row.begin_ns = begin_ns;
	c->row.iterations = iterations;
	return &c->row;
}

void function_run_put_allocs(struct run_sample *s, const struct function_run *c,
    const struct kept *k, double iterations)
{
	double calls = 0, bytes = 0;

	if (!k->answer.allocates)
		return;
	for (uint32_t i = 0; i < workers_of(c->subject); i++) {
		calls += (double)k->workers[i].allocs;
		bytes += (double)k->workers[i].alloc_bytes;
	}
	run_sample_add(s, METRIC_ALLOC_CALLS, calls / iterations);
	run_sample_add(s, METRIC_ALLOC_BYTES, bytes / iterations);
}

void function_run_put_counts(struct run_sample *s, const struct function_run *c,
    const struct kept *k, double wall_ns)
{
	double usage[USAGES];

	usage_of_wall(wall_ns, usage);
	run_sample_add_counts(s, c->plan->counters, k->counts, usage);
}
