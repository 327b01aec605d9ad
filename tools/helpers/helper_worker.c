/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs workers; see helper_worker.h.
 *
 * bench-run makes all decisions; a worker runs as many iterations as bench-run requests.
 * The function is called once: its set-up runs once, and its loop asks for more iterations
 * (`next` of struct bench_ops) whenever it has completed the last ones.
 *
 * Other processes have used the processor and its caches since the last sample, so a few
 * iterations are run before each sample.
 */
#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "counter_reader.h"
#include "helper_io.h"
#include "helper_job.h"
#include "helper_params.h"
#include "helper_tokens.h"
#include "helper_worker.h"
#include "self_process.h"
#include "sys/pin.h"

struct worker {
	struct bench bench; /* first, because the function gets a pointer to it */
	uint32_t thread;    /* its number in its process */
	struct worker_slot *slot;
	uint64_t due;  /* the iterations of the next sample; 0 if none is to begin */
	uint64_t done; /* the iterations of the current sample */
	bool looped, over, paused;
	bool loaded;                   /* the current sample is a period of a load ... */
	struct request_batch requests; /* ... and these requests are served: 0 or more */
	int64_t served_ns;             /* since then */
	int64_t counting_ns;           /* the time that reading the counters takes */
	int64_t paused_at_ns, paused_ns;
	struct wire_count paused_at[WIRE_EVENTS_MAX], left_out[WIRE_EVENTS_MAX];
	struct wire_count before[WIRE_EVENTS_MAX];
	struct worker_allocs allocs_at_pause;
};

static int64_t setup_began_ns;

static bool leads_process(const struct worker *w)
{
	return w->bench.worker == 0;
}

/* Returns whether this worker counts the events of all workers. */
static bool counts_all(const struct worker *w)
{
	return helper_job.request.family && leads_process(w);
}

/* Reads the counters; zeros if the leader counts for this worker. */
static void count_now(const struct worker *w, struct wire_count *out)
{
	memset(out, 0, helper_job.request.events * sizeof(*out));
	if (helper_job.request.events && (!helper_job.request.family || counts_all(w)))
		counter_reader_read(out);
}

/* Adds the difference of two readings. A counter that the function has closed, so that it
 * could not be read, adds nothing. */
static void add_difference(
    struct wire_count *sum, const struct wire_count *end, const struct wire_count *start)
{
	for (uint32_t i = 0; i < helper_job.request.events; i++) {
		if (end[i].enabled_ns < start[i].enabled_ns)
			continue;
		sum[i].value += end[i].value - start[i].value;
		sum[i].enabled_ns += end[i].enabled_ns - start[i].enabled_ns;
		sum[i].running_ns += end[i].running_ns - start[i].running_ns;
	}
}

/* Returns the allocations of the process so far. */
static struct worker_allocs allocs_now(void)
{
	struct worker_allocs now = { 0 };

	if (helper_job.allocations)
		helper_job.allocations(false, &now.calls, &now.bytes);
	return now;
}

/* Returns the allocations for a pause, which must not exclude those of other workers in the
 * process. */
static struct worker_allocs allocs_of_pause(void)
{
	struct worker_allocs now = { 0 };

	if (helper_job.allocations)
		helper_job.allocations(
		    helper_job.request.threads > 1, &now.calls, &now.bytes);
	return now;
}

static void pause_worker(struct bench *b)
{
	struct worker *w = (struct worker *)b;

	if (w->paused)
		return;
	w->paused = true;
	w->paused_at_ns = clock_monotonic_ns();
	count_now(w, w->paused_at);
	w->allocs_at_pause = allocs_of_pause();
}

static void resume_worker(struct bench *b)
{
	struct worker *w = (struct worker *)b;
	struct wire_count now[WIRE_EVENTS_MAX];
	struct worker_allocs allocs = allocs_of_pause();

	if (!w->paused)
		return;
	w->paused = false;
	w->slot->allocs_left_out.calls += allocs.calls - w->allocs_at_pause.calls;
	w->slot->allocs_left_out.bytes += allocs.bytes - w->allocs_at_pause.bytes;
	count_now(w, now);
	add_difference(w->left_out, now, w->paused_at);
	w->paused_ns += clock_monotonic_ns() - w->paused_at_ns;
}

/* Measures how long a reading of the counters takes. */
static void learn_counting_time(struct worker *w)
{
	struct wire_count ignored[WIRE_EVENTS_MAX];
	const int64_t start_ns = clock_monotonic_ns();

	if (helper_job.request.events)
		count_now(w, ignored);
	w->counting_ns = clock_monotonic_ns() - start_ns;
}

/* Begins a sample. A worker that was paused before it stays paused. */
static void begin_sample(struct worker *w, uint64_t iterations)
{
	bool paused = w->paused;

	w->done = iterations;
	w->paused = false;
	w->paused_ns = 0;
	memset(w->left_out, 0, helper_job.request.events * sizeof(*w->left_out));
	w->slot->allocs_left_out = (struct worker_allocs){ 0 };
	w->slot->allocs_before = allocs_now();
	if (counts_all(w)) {
		worker_barrier_await_line(helper_job.barrier);
		count_now(w, w->before);
	}
	if (w->loaded && leads_process(w)) {
		worker_barrier_await_line(helper_job.barrier);
		request_queue_begin(helper_job.queue);
	}
	worker_barrier_line_up(helper_job.barrier);
	if (!counts_all(w))
		count_now(w, w->before);
	w->slot->start_ns = clock_monotonic_ns();
	if (w->loaded)
		learn_counting_time(w);
	if (paused)
		pause_worker(&w->bench);
}

/* Returns an amount that an iteration processes; 0, for unknown, if the value is not valid.
 */
static double valid_amount(double value)
{
	return value > 0 && value <= DBL_MAX ? value : 0;
}

static void end_sample(struct worker *w)
{
	struct worker_slot *slot = w->slot;
	struct wire_count after[WIRE_EVENTS_MAX];
	bool paused = w->paused;

	/* Such samples would take no time, regardless of their iterations. */
	if (w->paused && w->done > 1 && !w->paused_ns)
		helper_give_up(HELPER_FAILED, "it paused and did not resume");
	resume_worker(&w->bench);
	w->paused = paused;
	slot->end_ns = clock_monotonic_ns();
	slot->allocs_after = allocs_now();
	if (counts_all(w))
		worker_barrier_gather(helper_job.barrier);
	count_now(w, after);
	memset(slot->count, 0, helper_job.request.events * sizeof(*slot->count));
	add_difference(slot->count, after, w->before);
	for (uint32_t i = 0; i < helper_job.request.events; i++) {
		slot->count[i].value -= w->left_out[i].value;
		slot->count[i].enabled_ns -= w->left_out[i].enabled_ns;
		slot->count[i].running_ns -= w->left_out[i].running_ns;
	}
	slot->worker.wall_ns = slot->end_ns - slot->start_ns - w->paused_ns;
	slot->worker.items = valid_amount(w->bench.items);
	slot->worker.bytes = valid_amount(w->bench.bytes);
	if (w->thread == 0)
		slot->rss_bytes = self_memory_bytes("VmRSS:");
}

static uint64_t larger_count(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Stores the allocations of a process with its first worker. They are counted for all of
 * its threads together: the sample begins when the last thread is ready, and ends when the
 * last one has run its iterations.
 */
static void sum_allocs(uint32_t first)
{
	struct worker_allocs begin = { 0 }, end = { 0 }, left_out = { 0 };
	struct worker_result *out = &worker_barrier_slot(helper_job.barrier, first)->worker;

	for (uint32_t i = first; i < first + helper_job.request.threads; i++) {
		const struct worker_slot *slot = worker_barrier_slot(helper_job.barrier, i);

		begin.calls = larger_count(begin.calls, slot->allocs_before.calls);
		begin.bytes = larger_count(begin.bytes, slot->allocs_before.bytes);
		end.calls = larger_count(end.calls, slot->allocs_after.calls);
		end.bytes = larger_count(end.bytes, slot->allocs_after.bytes);
		left_out.calls += slot->allocs_left_out.calls;
		left_out.bytes += slot->allocs_left_out.bytes;
	}
	out->allocs = end.calls - begin.calls - left_out.calls;
	out->alloc_bytes = end.bytes - begin.bytes - left_out.bytes;
}

/* Sends the sample of all workers. The pauses of a worker are subtracted from its end. */
static void answer_sample(int64_t begin_ns)
{
	struct helper_answer a = { .kind = HELPER_SAMPLE,
		.more_threads = self_threads() > helper_job.request.threads,
		.begin_ns = begin_ns,
		.allocates = helper_job.allocations != NULL,
		.requests = request_queue_taken(helper_job.queue),
		.tokens = helper_tokens_count() };
	struct wire_count sum[WIRE_EVENTS_MAX] = { 0 };
	int64_t first_ns = INT64_MAX, last_ns = 0;
	static const struct wire_count none[WIRE_EVENTS_MAX];

	for (uint32_t i = 0; i < worker_barrier_workers(helper_job.barrier); i++) {
		const struct worker_slot *slot = worker_barrier_slot(helper_job.barrier, i);
		int64_t end_ns = slot->start_ns + slot->worker.wall_ns;

		first_ns = slot->start_ns < first_ns ? slot->start_ns : first_ns;
		last_ns = end_ns > last_ns ? end_ns : last_ns;
		a.rss_bytes = slot->rss_bytes > a.rss_bytes ? slot->rss_bytes : a.rss_bytes;
		add_difference(sum, slot->count, none);
	}
	a.start_ns = first_ns;
	a.wall_ns = last_ns - first_ns;
	for (uint32_t p = 0; p < helper_job.request.processes; p++)
		sum_allocs(p * helper_job.request.threads);
	helper_send_answer(&a);
	helper_send(sum, helper_job.request.events * sizeof(*sum));
	for (uint32_t i = 0; i < worker_barrier_workers(helper_job.barrier); i++)
		helper_send(&worker_barrier_slot(helper_job.barrier, i)->worker,
		    sizeof(struct worker_result));
	if (a.requests)
		request_queue_send(helper_job.queue);
	helper_send_extras();
	helper_tokens_send(helper_under_load()
	                       ? request_queue_origin(helper_job.queue)
	                       : worker_barrier_slot(helper_job.barrier, 0)->start_ns);
}

static void answer_ready(void)
{
	struct helper_answer a = { .kind = HELPER_READY,
		.begin_ns = clock_realtime_ns(),
		.wall_ns = clock_monotonic_ns() - setup_began_ns,
		.set_up = helper_job.request.kind == FUNCTION_LOOP || helper_job.before };

	worker_barrier_gather(helper_job.barrier);
	a.ready_ns =
	    worker_barrier_ready_time(helper_job.barrier, helper_job.request.threads);
	helper_send_answer(&a);
	helper_send(
	    helper_job.opened, helper_job.request.events * sizeof(*helper_job.opened));
	helper_send_extras();
}

/*
 * Waits until requests are due. The counters are read before and after, so that they do not
 * count the wait, if that does not delay the requests: the second reading is just before
 * they are due.
 */
static void await_requests(struct worker *w)
{
	const struct request_queue *q = helper_job.queue;
	const int64_t due_ns = w->requests.due_ns, counting_ns = w->counting_ns;
	const bool counts = helper_job.request.events && !w->paused &&
	                    due_ns - clock_monotonic_ns() > 4 * counting_ns;
	struct wire_count before[WIRE_EVENTS_MAX], after[WIRE_EVENTS_MAX];

	if (counts) {
		count_now(w, before);
		request_queue_wait(q, due_ns - 2 * counting_ns);
		count_now(w, after);
		add_difference(w->left_out, after, before);
	}
	w->served_ns = request_queue_wait(q, due_ns);
}

/* Ends the requests that the worker has served, and starts the next ones when they arrive.
 * Returns false if none is left. */
static bool serve_requests(struct worker *w)
{
	if (w->requests.count)
		request_queue_note(helper_job.queue, &w->requests, w->bench.worker,
		    w->served_ns, clock_monotonic_ns());
	w->loaded = request_queue_take(helper_job.queue, &w->requests);
	helper_tokens_of(w->requests.first);
	if (w->loaded)
		await_requests(w);
	else
		w->requests.count = 0;
	return w->loaded;
}

/* Receives the next order, and passes it to the other workers. */
static uint64_t receive_order(int64_t *begin_ns)
{
	struct helper_order order;

	helper_receive(&order, sizeof(order));
	if (helper_job.queue)
		request_queue_fill(helper_job.queue, &order);
	*begin_ns = clock_realtime_ns();
	helper_job.ending = order.iterations == 0;
	worker_barrier_order(helper_job.barrier, order.iterations);
	return order.iterations;
}

/* Reports the last sample, or that the workers are ready, and returns the iterations of the
 * next sample. */
static uint64_t next_order(struct worker *w)
{
	static int64_t begin_ns;

	if (w->looped)
		end_sample(w);
	else
		worker_barrier_note_ready(helper_job.barrier, w->bench.worker);
	if (!leads_process(w))
		return worker_barrier_stop(helper_job.barrier);
	if (w->looped) {
		worker_barrier_gather(helper_job.barrier);
		answer_sample(begin_ns);
	} else
		answer_ready();
	return receive_order(&begin_ns);
}

/* Begins a period of a load. Returns false if the worker serves no request in it. */
static bool begin_period(struct worker *w, uint64_t requests)
{
	if (leads_process(w)) {
		helper_forget_extras();
		helper_tokens_forget();
	}
	w->loaded = true;
	begin_sample(w, requests);
	return serve_requests(w);
}

static uint64_t next(struct bench *b)
{
	struct worker *w = (struct worker *)b;
	uint64_t iterations;

	if (w->over)
		helper_give_up(HELPER_FAILED, "its loop began again after its end");
	if (w->due) {
		if (leads_process(w)) { /* of untimed iterations */
			helper_forget_extras();
			helper_tokens_forget();
		}
		iterations = w->due;
		w->due = 0;
		begin_sample(w, iterations);
		return iterations;
	}
	if (w->loaded && serve_requests(w))
		return 1;
	do {
		iterations = next_order(w);
		w->looped = true;
		w->over = iterations == 0;
		if (helper_under_load() && begin_period(w, iterations))
			return 1;
	} while (helper_under_load());
	if (iterations >= HELPER_AGAIN_WARM) {
		w->due = iterations;
		return iterations / HELPER_AGAIN_WARM;
	}
	if (!w->over)
		begin_sample(w, iterations);
	return iterations;
}

/* Fails: a function that is called for each iteration must not ask for iterations. */
static uint64_t next_of_plain(struct bench *b)
{
	(void)b;
	helper_give_up(
	    HELPER_FAILED, "it contains a BENCH_LOOP: declare it with BENCH of bench.h");
}

static void fail_benchmark(struct bench *b, const char *why)
{
	(void)b;
	helper_give_up(HELPER_FAILED, "%s", why);
}

static void skip_benchmark(struct bench *b, const char *why)
{
	(void)b;
	helper_give_up(HELPER_SKIPPED, "%s", why);
}

static void loop_plainly(struct worker *w)
{
	for (uint64_t n; (n = next(&w->bench)) != 0;)
		for (; n; n--) {
			helper_job.run(&w->bench);
			__asm__ volatile("" : "+r"(n) : : "memory");
		}
}

void helper_count(bool leader)
{
	static _Thread_local struct wire_opened mine[WIRE_EVENTS_MAX];
	const struct helper_request *r = &helper_job.request;

	if (!r->events)
		return;
	counter_reader_open(helper_job.events, r->events,
	    r->family ? COUNTING_FAMILY : COUNTING_SELF, leader ? helper_job.opened : mine);
	counter_reader_start();
}

void helper_work(uint32_t process, uint32_t thread)
{
	static const struct bench_ops loop = { next, pause_worker, resume_worker,
		helper_param_text, helper_param_number, fail_benchmark, skip_benchmark };
	static const struct bench_ops plain = { next_of_plain, pause_worker, resume_worker,
		helper_param_text, helper_param_number, fail_benchmark, skip_benchmark };
	const struct helper_request *r = &helper_job.request;
	uint32_t number = process * r->threads + thread;
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		helper_give_up(HELPER_FAILED, "no memory");
	w->bench = (struct bench){ .abi = BENCH_ABI,
		.worker = number,
		.workers = worker_barrier_workers(helper_job.barrier),
		.items = r->items,
		.bytes = r->bytes,
		.ops = r->kind == FUNCTION_LOOP ? &loop : &plain };
	w->thread = thread;
	w->slot = worker_barrier_slot(helper_job.barrier, number);
	if (r->pinned && w->bench.workers > 1 && !pin_worker(number))
		helper_give_up(HELPER_FAILED, "--cpu leaves no processor for this worker");
	if (!r->family)
		helper_count(leads_process(w));
	if (leads_process(w))
		setup_began_ns = clock_monotonic_ns();
	if (helper_job.before)
		helper_job.before(&w->bench);
	if (r->kind == FUNCTION_LOOP)
		helper_job.run(&w->bench);
	else
		loop_plainly(w);
	if (!w->looped)
		helper_give_up(HELPER_FAILED, "it has no BENCH_LOOP");
	if (!w->over)
		helper_give_up(HELPER_FAILED, "it left its loop before the end");
	if (helper_job.after)
		helper_job.after(&w->bench);
	free(w);
}
