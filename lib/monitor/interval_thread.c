/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observations at an interval; see interval_thread.h.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "monitor/interval_thread.h"

struct interval_thread {
	int64_t interval_ns, pause_max_ns;
	interval_look *look;
	void *ctx;
	pthread_t thread;
	pthread_mutex_t mutex; /* protects the fields below */
	pthread_cond_t changed;
	int64_t start_ns;
	bool running, idle, ending;
};

static void wait_until(struct interval_thread *t, int64_t at)
{
	struct timespec until = { .tv_sec = (time_t)(at / 1000000000),
		.tv_nsec = (long)(at % 1000000000) };

	pthread_cond_timedwait(&t->changed, &t->mutex, &until);
}

/* Takes an observation. Returns the earliest time of the next one. */
static int64_t observe(const struct interval_thread *t)
{
	int64_t at = clock_monotonic_ns(), cpu_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
	double share = t->look(t->ctx), pause_ns;

	pause_ns = share * (double)(clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns);
	return at +
	       (pause_ns < (double)t->pause_max_ns ? (int64_t)pause_ns : t->pause_max_ns);
}

/*
 * Observes until the thread is switched off. The mutex is held on entry and return, but not
 * during an observation.
 */
static void observe_run(struct interval_thread *t)
{
	int64_t next = t->start_ns + t->interval_ns;

	for (;;) {
		while (t->running && !t->ending && clock_monotonic_ns() < next)
			wait_until(t, next);
		if (!t->running || t->ending)
			return;
		pthread_mutex_unlock(&t->mutex);
		int64_t soonest = observe(t), now = clock_monotonic_ns();
		pthread_mutex_lock(&t->mutex);
		if (soonest < now)
			soonest = now;
		next += (soonest - next + t->interval_ns) / t->interval_ns * t->interval_ns;
	}
}

static void *interval_main(void *arg)
{
	struct interval_thread *t = arg;

	pthread_mutex_lock(&t->mutex);
	while (!t->ending) {
		if (t->running)
			observe_run(t);
		t->idle = !t->running;
		pthread_cond_broadcast(&t->changed);
		if (t->idle && !t->ending)
			pthread_cond_wait(&t->changed, &t->mutex);
	}
	pthread_mutex_unlock(&t->mutex);
	return NULL;
}

/* Only the calling thread gets signals. */
static int start_thread(struct interval_thread *t)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&t->thread, NULL, interval_main, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static void free_thread(struct interval_thread *t)
{
	pthread_mutex_destroy(&t->mutex);
	pthread_cond_destroy(&t->changed);
	free(t);
}

struct interval_thread *interval_thread_open(int64_t interval_ns, int64_t pause_max_ns,
    interval_look *look, void *ctx, struct fault *f)
{
	struct interval_thread *t = mem_zero(1, sizeof(*t));
	pthread_condattr_t attr;
	int error;

	*t = (struct interval_thread){ .interval_ns = interval_ns,
		.pause_max_ns = pause_max_ns,
		.look = look,
		.ctx = ctx,
		.idle = true };
	pthread_mutex_init(&t->mutex, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->changed, &attr);
	pthread_condattr_destroy(&attr);
	error = start_thread(t);
	if (error == 0)
		return t;
	fault_set(f, "cannot start a thread: %s", strerror(error));
	free_thread(t);
	return NULL;
}

void interval_thread_start(struct interval_thread *t, int64_t start_ns)
{
	pthread_mutex_lock(&t->mutex);
	t->start_ns = start_ns;
	t->running = true;
	t->idle = false;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->mutex);
}

void interval_thread_stop(struct interval_thread *t)
{
	pthread_mutex_lock(&t->mutex);
	t->running = false;
	pthread_cond_broadcast(&t->changed);
	while (!t->idle)
		pthread_cond_wait(&t->changed, &t->mutex);
	pthread_mutex_unlock(&t->mutex);
}

void interval_thread_close(struct interval_thread *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->mutex);
	t->ending = true;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->mutex);
	pthread_join(t->thread, NULL);
	free_thread(t);
}
