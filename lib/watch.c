/*
 * Watching; see watch.h.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "family.h"
#include "watch.h"

const struct watch_metric watch_metrics[WATCH_METRICS] = {
	[WATCH_RSS] = { "rss", "B" },
	[WATCH_PSS] = { "pss", "B" },
	[WATCH_CPU] = { "cpu_utilisation", "1" },
	[WATCH_THREADS] = { "threads", "1" },
	[WATCH_PROCESSES] = { "processes", "1" },
	[WATCH_READ] = { "read_rate", "B/s" },
	[WATCH_WRITE] = { "write_rate", "B/s" },
	[WATCH_SWITCHES] = { "switch_rate", "1/s" },
};

/* The part of the time that something may take: 1 / share. */
enum { SHARE_ALL = 100, SHARE_DEEP = 300 };

/* Something that is only done so often. */
struct ration {
	int64_t last_ns, cost_ns;
};

struct watch {
	struct family *family;
	int64_t interval_ns;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool running, idle, ending;

	/* of the run under way: the thread's while it is not idle */
	struct watch_point *point;
	size_t points, cap;
	struct family_sums last;
	int64_t last_ns, switches_ns; /* when they were last known */
	struct ration pss, tasks;
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool due(const struct ration *r, int64_t now)
{
	return now - r->last_ns >= SHARE_DEEP * r->cost_ns;
}

static double rate(double now, double before, double elapsed_ns)
{
	/* What is counted by process can fall when one ends that nobody waits for. */
	return now >= before ? (now - before) / elapsed_ns * 1e9 : NAN;
}

static void keep(struct watch *w, const struct family_sums *sums, int64_t at)
{
	struct watch_point *p = VEC_ADD(w->point, w->points, w->cap);
	double elapsed = (double)(at - w->last_ns);

	*p = (struct watch_point){ .at_ns = at,
		.value = { [WATCH_RSS] = (double)sums->rss_bytes,
		    [WATCH_PSS] = sums->pss_bytes,
		    [WATCH_CPU] = rate(sums->cpu_ns, w->last.cpu_ns, elapsed) / 1e9,
		    [WATCH_THREADS] = (double)sums->threads,
		    [WATCH_PROCESSES] = (double)sums->processes,
		    [WATCH_READ] = rate(sums->read_bytes, w->last.read_bytes, elapsed),
		    [WATCH_WRITE] = rate(sums->write_bytes, w->last.write_bytes, elapsed),
		    [WATCH_SWITCHES] =
		        sums->switches / (double)(at - w->switches_ns) * 1e9 } };
	if (!isnan(sums->switches))
		w->switches_ns = at;
	w->last = *sums;
	w->last_ns = at;
}

/* One look, after which the next may be taken at the time returned. */
static int64_t look(struct watch *w)
{
	int64_t at = now_ns(), cost;
	struct family_depth depth = { due(&w->pss, at), due(&w->tasks, at) };
	struct family_sums sums;

	if (family_look(w->family, depth, &sums))
		keep(w, &sums, at);
	cost = now_ns() - at;
	/* A look at both is charged to both: that errs on the side of the command. */
	if (depth.pss)
		w->pss = (struct ration){ at, cost };
	if (depth.tasks)
		w->tasks = (struct ration){ at, cost };
	return at + (depth.pss || depth.tasks ? 0 : SHARE_ALL * cost);
}

static void wait_until(struct watch *w, int64_t at)
{
	struct timespec t = { .tv_sec = (time_t)(at / 1000000000),
		.tv_nsec = (long)(at % 1000000000) };

	pthread_cond_timedwait(&w->changed, &w->mutex, &t);
}

/* With the mutex held, but not while it looks. */
static void watch_run(struct watch *w)
{
	int64_t next = w->last_ns + w->interval_ns;

	for (;;) {
		while (w->running && !w->ending && now_ns() < next)
			wait_until(w, next);
		if (!w->running || w->ending)
			return;
		pthread_mutex_unlock(&w->mutex);
		int64_t soonest = look(w), now = now_ns();
		pthread_mutex_lock(&w->mutex);
		if (soonest < now)
			soonest = now;
		next += (soonest - next + w->interval_ns) / w->interval_ns * w->interval_ns;
	}
}

static void *watch_thread(void *arg)
{
	struct watch *w = arg;

	pthread_mutex_lock(&w->mutex);
	while (!w->ending) {
		if (w->running)
			watch_run(w);
		w->idle = !w->running;
		pthread_cond_broadcast(&w->changed);
		if (w->idle && !w->ending)
			pthread_cond_wait(&w->changed, &w->mutex);
	}
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

struct watch *watch_open(pid_t helper, double interval_ns, struct fault *f)
{
	struct watch *w = mem_zero(1, sizeof(*w));
	pthread_condattr_t attr;
	int error;

	w->interval_ns = (int64_t)interval_ns;
	w->idle = true;
	w->family = family_open(helper, f);
	if (!w->family) {
		free(w);
		return NULL;
	}
	pthread_mutex_init(&w->mutex, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->changed, &attr);
	pthread_condattr_destroy(&attr);
	error = pthread_create(&w->thread, NULL, watch_thread, w);
	if (error == 0)
		return w;
	fault_set(f, "--interval: cannot start a thread: %s", strerror(error));
	family_close(w->family);
	free(w);
	return NULL;
}

void watch_start(struct watch *w)
{
	if (!w)
		return;
	family_forget(w->family);
	/* What an earlier run left behind is there from the start. */
	family_look(w->family, (struct family_depth){ .tasks = true }, &w->last);
	w->points = 0;
	w->pss = w->tasks = (struct ration){ 0 };
	w->last_ns = w->switches_ns = now_ns();
	pthread_mutex_lock(&w->mutex);
	w->running = true;
	w->idle = false;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->mutex);
}

void watch_stop(struct watch *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->mutex);
	w->running = false;
	pthread_cond_broadcast(&w->changed);
	while (!w->idle)
		pthread_cond_wait(&w->changed, &w->mutex);
	pthread_mutex_unlock(&w->mutex);
}

size_t watch_points(const struct watch *w, const struct watch_point **points)
{
	*points = w ? w->point : NULL;
	return w ? w->points : 0;
}

void watch_close(struct watch *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->mutex);
	w->ending = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->mutex);
	pthread_join(w->thread, NULL);
	pthread_mutex_destroy(&w->mutex);
	pthread_cond_destroy(&w->changed);
	family_close(w->family);
	free(w->point);
	free(w);
}
