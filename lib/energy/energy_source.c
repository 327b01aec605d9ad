/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds, reads and unwraps energy counters; see energy_source.h.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "energy/energy_source.h"
#include "sys/suspension.h"

/* The sources in the order in which they are tried. */
static const struct energy_source *const sources[] = { &energy_source_powercap,
	&energy_source_perf, &energy_source_card };

/* A counter that would have to be read more often than this is not watched for wraps. */
static const double watch_min_s = 0.1;

struct energy_sources {
	const struct kernel_files *files;
	struct energy_counter_list list;
	enum energy_state state;
	struct buf why;
	double safe_s; /* readings further apart may miss a wrap */

	pthread_mutex_t lock; /* protects the fields below */
	pthread_cond_t end;
	pthread_t watcher;
	bool watched, ending;
	uint64_t *last, *total; /* by counter */
	double last_s;
	uint64_t unsure;
};

static void close_counters(struct energy_counter_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		list->counter[i].source->close(&list->counter[i]);
		free(list->counter[i].name);
	}
	free(list->counter);
	*list = (struct energy_counter_list){ 0 };
}

/* Moves the counters of one list to the end of another. */
static void move_counters(struct energy_counter_list *to, struct energy_counter_list *from)
{
	for (size_t i = 0; i < from->count; i++)
		*VEC_ADD(to->counter, to->count, to->cap) = from->counter[i];
	free(from->counter);
	*from = (struct energy_counter_list){ 0 };
}

/*
 * Opens the first source of a device that is ready. If there is none, returns the counters
 * of the first source that is denied, and the reason. A denied source is preferred to a
 * missing one, because the user can change the permission.
 */
static enum energy_state open_device(struct energy_sources *p, enum energy_device device,
    struct energy_counter_list *out, struct buf *why)
{
	enum energy_state best = ENERGY_UNSUPPORTED;

	for (size_t i = 0; i < COUNT(sources); i++) {
		struct energy_counter_list list = { 0 };
		struct fault f;
		enum energy_state state;

		if (sources[i]->device != device)
			continue;
		state = sources[i]->open(&list, p->files, &f);
		if (state == ENERGY_READY || (state == ENERGY_DENIED && state != best)) {
			close_counters(out);
			move_counters(out, &list);
			why->len = 0;
		}
		close_counters(&list);
		if (state == ENERGY_READY)
			return state;
		if (state <= best)
			buf_printf(why, "%s%s", why->len ? "; " : "", f.text);
		best = state < best ? state : best;
	}
	return best;
}

/* Reads all counters, and returns the time. A counter that cannot be read may wrap
 * unnoticed until the next time. */
static double read_all(struct energy_sources *p, bool *failed)
{
	double now = (double)clock_now_ns(CLOCK_BOOTTIME) / 1e9;
	uint64_t units;

	if (now - p->last_s > p->safe_s)
		p->unsure++;
	for (size_t i = 0; i < p->list.count; i++) {
		const struct energy_counter *c = &p->list.counter[i];

		if (!c->source->read(p->files, c, &units)) {
			*failed = true;
			continue;
		}
		p->total[i] += energy_advance(p->last[i], units, c->range_units);
		p->last[i] = units;
	}
	if (!*failed)
		p->last_s = now;
	return now;
}

static void *watch_wraps(void *ctx)
{
	struct energy_sources *p = ctx;
	double wait_s = p->safe_s / 2;

	pthread_mutex_lock(&p->lock);
	while (!p->ending) {
		double until = (double)clock_monotonic_ns() / 1e9 + wait_s;
		struct timespec t = { .tv_sec = (time_t)until,
			.tv_nsec = (long)((until - floor(until)) * 1e9) };
		bool failed = false;

		while (!p->ending && (double)clock_monotonic_ns() / 1e9 < until)
			pthread_cond_timedwait(&p->end, &p->lock, &t);
		if (!p->ending)
			read_all(p, &failed);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Starts the thread that reads counters that wrap. Only the calling thread gets signals. */
static void start_watcher(struct energy_sources *p)
{
	pthread_condattr_t monotonic;
	sigset_t all, before;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&p->end, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (!isfinite(p->safe_s) || p->safe_s / 2 < watch_min_s)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	p->watched = pthread_create(&p->watcher, NULL, watch_wraps, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Sets the present values of the counters to zero. */
static void zero_counters(struct energy_sources *p)
{
	bool failed = false;

	p->safe_s = INFINITY;
	for (size_t i = 0; i < p->list.count; i++)
		p->safe_s = fmin(p->safe_s, energy_safe_s(p->list.counter[i].range_units,
		                                p->list.counter[i].units_per_joule));
	p->last_s = (double)clock_now_ns(CLOCK_BOOTTIME) / 1e9;
	read_all(p, &failed);
	memset(p->total, 0, p->list.count * sizeof(*p->total));
	start_watcher(p);
}

struct energy_sources *energy_sources_open(const struct kernel_files *files)
{
	struct energy_sources *p = mem_zero(1, sizeof(*p));

	p->files = files;
	p->state = ENERGY_UNSUPPORTED;
	pthread_mutex_init(&p->lock, NULL);
	for (enum energy_device d = 0; d < ENERGY_DEVICES; d++) {
		struct energy_counter_list list = { 0 };
		struct buf why = { 0 };
		enum energy_state state = open_device(p, d, &list, &why);

		if (state < p->state)
			close_counters(&p->list);
		if (state <= p->state)
			move_counters(&p->list, &list);
		close_counters(&list);
		p->state = state < p->state ? state : p->state;
		if (d == ENERGY_DEVICE_PROCESSOR && state != ENERGY_READY)
			buf_str(&p->why, why.ptr);
		buf_free(&why);
	}
	p->last = mem_zero(p->list.count, sizeof(*p->last));
	p->total = mem_zero(p->list.count, sizeof(*p->total));
	if (p->state == ENERGY_READY)
		zero_counters(p);
	return p;
}

void energy_sources_close(struct energy_sources *p)
{
	if (!p)
		return;
	if (p->watched) {
		pthread_mutex_lock(&p->lock);
		p->ending = true;
		pthread_cond_signal(&p->end);
		pthread_mutex_unlock(&p->lock);
		pthread_join(p->watcher, NULL);
	}
	if (p->state == ENERGY_READY)
		pthread_cond_destroy(&p->end);
	pthread_mutex_destroy(&p->lock);
	close_counters(&p->list);
	free(p->last);
	free(p->total);
	buf_free(&p->why);
	free(p);
}

enum energy_state energy_sources_state(const struct energy_sources *p)
{
	return p->state;
}

const char *energy_sources_why(const struct energy_sources *p)
{
	return p->why.ptr ? p->why.ptr : "";
}

const struct energy_counter_list *energy_sources_list(const struct energy_sources *p)
{
	return &p->list;
}

void energy_sources_read(struct energy_sources *p, struct energy_reading *out)
{
	out->failed = false;
	out->suspensions[0] = suspension_count();
	if (!out->units)
		out->units = mem_zero(p->list.count, sizeof(*out->units));
	pthread_mutex_lock(&p->lock);
	out->s = read_all(p, &out->failed);
	out->unsure = p->unsure;
	memcpy(out->units, p->total, p->list.count * sizeof(*out->units));
	pthread_mutex_unlock(&p->lock);
	out->suspensions[1] = suspension_count();
}

void energy_reading_free(struct energy_reading *r)
{
	free(r->units);
}
