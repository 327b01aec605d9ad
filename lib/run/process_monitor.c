/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observes processes in a thread; see process_monitor.h.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "run/process_monitor.h"
#include "sys/process_tree.h"

/* Limits of the cost: 1 / SHARE of the time. */
enum { SHARE_ALL = 100, SHARE_DEEP = 300 };

/* An observation that is rationed by its cost. */
struct ration {
	int64_t last_ns, cost_ns;
};

struct process_monitor {
	struct process_tree *family;
	const struct gpus *gpus; /* NULL: no GPUs are sampled */
	int64_t interval_ns;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool running, idle, ending;

	/* of the current execution; used only by the thread while it is not idle */
	struct watch_value *value;
	size_t values, cap;
	struct process_tree_sums last;
	int64_t last_ns, cpu_ns, io_ns, switches_ns; /* when the values were last known */
	struct ration pss, tasks;
};

static bool due(const struct ration *r, int64_t now)
{
	return now - r->last_ns >= SHARE_DEEP * r->cost_ns;
}

static double rate(double now, double before, double elapsed_ns)
{
	/* A sum over processes falls if a process ends that no other one waits for. */
	return now >= before ? (now - before) / elapsed_ns * 1e9 : NAN;
}

/* Keeps a value unless it is NAN. */
static void keep(struct process_monitor *w, int64_t at, const char *device,
    enum run_metric metric, double value)
{
	if (!isnan(value))
		*VEC_ADD(w->value, w->values, w->cap) =
		    (struct watch_value){ at, metric, device, value };
}

static void keep_sums(
    struct process_monitor *w, const struct process_tree_sums *sums, int64_t at)
{
	const struct process_tree_sums *last = &w->last;
	double cpu_ns = last->cpu_ns, read = last->read_bytes, written = last->write_bytes;
	double elapsed = (double)(at - w->io_ns);

	keep(w, at, NULL, METRIC_RSS, sums->rss_bytes);
	keep(w, at, NULL, METRIC_PSS, sums->pss_bytes);
	keep(w, at, NULL, METRIC_CPU_UTILISATION,
	    rate(sums->cpu_ns, cpu_ns, (double)(at - w->cpu_ns)) / 1e9);
	keep(w, at, NULL, METRIC_THREADS, (double)sums->threads);
	keep(w, at, NULL, METRIC_PROCESSES, (double)sums->processes);
	keep(w, at, NULL, METRIC_READ_RATE, rate(sums->read_bytes, read, elapsed));
	keep(w, at, NULL, METRIC_WRITE_RATE, rate(sums->write_bytes, written, elapsed));
	keep(w, at, NULL, METRIC_SWITCH_RATE,
	    rate(sums->switches, 0, (double)(at - w->switches_ns)));
	if (!isnan(sums->switches))
		w->switches_ns = at;
	w->last = *sums;
	if (isnan(sums->cpu_ns))
		w->last.cpu_ns = cpu_ns;
	else
		w->cpu_ns = at;
	if (isnan(sums->write_bytes)) {
		w->last.read_bytes = read;
		w->last.write_bytes = written;
	} else {
		w->io_ns = at;
	}
	w->last_ns = at;
}

static void look_at_gpus(struct process_monitor *w)
{
	for (size_t i = 0; w->gpus && i < gpus_count(w->gpus); i++) {
		int64_t at = clock_monotonic_ns();
		double value[GPU_METRICS];

		gpus_read(w->gpus, i, value);
		for (size_t m = 0; m < GPU_METRICS; m++)
			keep(w, at, gpus_name(w->gpus, i),
			    (enum run_metric)(METRIC_GPU_POWER + m), value[m]);
	}
}

/* Takes one observation. Returns the earliest time of the next one. */
static int64_t look(struct process_monitor *w)
{
	int64_t at = clock_monotonic_ns(), cost;
	struct process_tree_depth depth = { due(&w->pss, at), due(&w->tasks, at) };
	struct process_tree_sums sums;

	if (process_tree_look(w->family, depth, &sums))
		keep_sums(w, &sums, at);
	look_at_gpus(w);
	cost = clock_monotonic_ns() - at;
	/*
	 * The cost of an observation of both is charged to both, in favor of the
	 * command.
	 */
	if (depth.pss)
		w->pss = (struct ration){ at, cost };
	if (depth.tasks)
		w->tasks = (struct ration){ at, cost };
	return at + (depth.pss || depth.tasks ? 0 : SHARE_ALL * cost);
}

static void wait_until(struct process_monitor *w, int64_t at)
{
	struct timespec t = { .tv_sec = (time_t)(at / 1000000000),
		.tv_nsec = (long)(at % 1000000000) };

	pthread_cond_timedwait(&w->changed, &w->mutex, &t);
}

/*
 * Observes one execution. The mutex is held on entry and return, but not during an
 * observation.
 */
static void watch_run(struct process_monitor *w)
{
	int64_t next = w->last_ns + w->interval_ns;

	for (;;) {
		while (w->running && !w->ending && clock_monotonic_ns() < next)
			wait_until(w, next);
		if (!w->running || w->ending)
			return;
		pthread_mutex_unlock(&w->mutex);
		int64_t soonest = look(w), now = clock_monotonic_ns();
		pthread_mutex_lock(&w->mutex);
		if (soonest < now)
			soonest = now;
		next += (soonest - next + w->interval_ns) / w->interval_ns * w->interval_ns;
	}
}

static void *watch_thread(void *arg)
{
	struct process_monitor *w = arg;

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

struct process_monitor *process_monitor_open(
    pid_t helper, double interval_ns, const struct gpus *gpus, struct fault *f)
{
	struct process_monitor *w = mem_zero(1, sizeof(*w));
	pthread_condattr_t attr;
	int error;

	w->interval_ns = (int64_t)interval_ns;
	w->gpus = gpus;
	w->idle = true;
	w->family = process_tree_open(helper, f);
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
	process_tree_close(w->family);
	free(w);
	return NULL;
}

void process_monitor_start(struct process_monitor *w)
{
	if (!w)
		return;
	process_tree_forget(w->family);
	/*
	 * Processes that an earlier execution left behind belong to the starting point.
	 */
	process_tree_look(
	    w->family, (struct process_tree_depth){ .tasks = true }, &w->last);
	w->values = 0;
	w->pss = w->tasks = (struct ration){ 0 };
	w->last_ns = w->cpu_ns = w->io_ns = w->switches_ns = clock_monotonic_ns();
	pthread_mutex_lock(&w->mutex);
	w->running = true;
	w->idle = false;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->mutex);
}

void process_monitor_stop(struct process_monitor *w)
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

size_t process_monitor_values(
    const struct process_monitor *w, const struct watch_value **values)
{
	*values = w ? w->value : NULL;
	return w ? w->values : 0;
}

void process_monitor_close(struct process_monitor *w)
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
	process_tree_close(w->family);
	free(w->value);
	free(w);
}
