/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue of a load; see request_queue.h.
 *
 * A worker that waits sleeps until shortly before the arrival and then spins, because a
 * sleeping thread wakes up some ten us late. It does not spin if there are more workers
 * than processors, whose time another worker could use.
 */
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#include "base/clock.h"
#include "helper_io.h"
#include "request_queue.h"

enum {
	SPIN_NS = 200000,  /* before an arrival; longer than most wake-ups take */
	AHEAD_NS = 100000, /* from the setting of the origin to the origin */
};

struct request_queue {
	struct helper_order order;
	int64_t origin_ns; /* CLOCK_MONOTONIC */
	bool spins;
	_Alignas(64) _Atomic uint64_t next; /* the first request that is not taken */
	int64_t arrival_ns[HELPER_REQUESTS_MAX];
	struct helper_service service[HELPER_REQUESTS_MAX];
};

/* Returns whether each worker may use a processor. */
static bool have_processors(uint32_t workers)
{
	cpu_set_t available;

	return sched_getaffinity(0, sizeof(available), &available) == 0 &&
	       workers <= (uint32_t)CPU_COUNT(&available);
}

struct request_queue *request_queue_open(uint32_t workers)
{
	/* Only the pages of requests that exist are ever used. */
	struct request_queue *q = mmap(NULL, sizeof(*q), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (q == MAP_FAILED)
		return NULL;
	q->spins = have_processors(workers);
	return q;
}

void request_queue_fill(struct request_queue *q, const struct helper_order *o)
{
	if (o->arrivals > HELPER_REQUESTS_MAX)
		helper_give_up(HELPER_FAILED, "too many requests");
	q->order = *o;
	atomic_store(&q->next, 0);
	if (!o->closed)
		helper_receive(q->arrival_ns, o->arrivals * sizeof(*q->arrival_ns));
}

bool request_queue_is_filled(const struct request_queue *q)
{
	return q && q->order.arrivals;
}

void request_queue_begin(struct request_queue *q)
{
	q->origin_ns = clock_monotonic_ns() + AHEAD_NS;
}

static int64_t later_time(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Adds the requests to a batch that arrive within the window, and moves its time to the
 * moment when it is full or the window is over. */
static void complete_batch(const struct request_queue *q, struct request_batch *b)
{
	const int64_t over_ns = b->due_ns + q->order.window_ns, *arrival_ns = q->arrival_ns;
	const int64_t first_ns = b->due_ns;
	uint64_t at = b->first + 1;

	while (b->count < q->order.batch && at < q->order.arrivals &&
	       arrival_ns[at] <= over_ns) {
		b->count++;
		at++;
	}
	b->due_ns =
	    b->count < q->order.batch ? over_ns : later_time(b->due_ns, arrival_ns[at - 1]);
	b->window_ns = b->due_ns - first_ns;
}

bool request_queue_take(struct request_queue *q, struct request_batch *b)
{
	const struct helper_order *o = &q->order;

	b->first = atomic_load(&q->next);
	do {
		b->count = 1;
		b->window_ns = 0;
		b->due_ns = later_time(clock_monotonic_ns() - q->origin_ns, 0);
		if (b->first >= o->arrivals)
			return false;
		if (!o->closed)
			b->due_ns = later_time(b->due_ns, q->arrival_ns[b->first]);
		if (o->limit_ns && b->due_ns > o->limit_ns)
			return false;
		if (o->batch > 1 && !o->closed)
			complete_batch(q, b);
	} while (!atomic_compare_exchange_weak(&q->next, &b->first, b->first + b->count));
	b->due_ns += q->origin_ns;
	return true;
}

int64_t request_queue_wait(const struct request_queue *q, int64_t until_ns)
{
	const int64_t asleep_ns = until_ns - (q->spins ? SPIN_NS : 0);
	const struct timespec end = { .tv_sec = asleep_ns / 1000000000,
		.tv_nsec = asleep_ns % 1000000000 };
	int64_t now_ns = clock_monotonic_ns();

	while (now_ns < asleep_ns) {
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
		now_ns = clock_monotonic_ns();
	}
	while (now_ns < until_ns)
		now_ns = clock_monotonic_ns();
	return now_ns;
}

void request_queue_note(struct request_queue *q, const struct request_batch *b,
    uint32_t worker, int64_t start_ns, int64_t end_ns)
{
	for (uint32_t i = 0; i < b->count; i++)
		q->service[b->first + i] =
		    (struct helper_service){ .start_ns = start_ns - q->origin_ns,
			    .end_ns = end_ns - q->origin_ns,
			    .window_ns = b->window_ns,
			    .worker = worker,
			    .batch = b->count };
}

int64_t request_queue_origin(const struct request_queue *q)
{
	return q->origin_ns;
}

uint32_t request_queue_taken(const struct request_queue *q)
{
	return request_queue_is_filled(q) ? (uint32_t)atomic_load(&q->next) : 0;
}

void request_queue_send(const struct request_queue *q)
{
	helper_send(q->service, request_queue_taken(q) * sizeof(*q->service));
}
