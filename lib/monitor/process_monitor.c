/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observes processes in a thread; see process_monitor.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "monitor/interval_thread.h"
#include "monitor/process_monitor.h"
#include "sys/process_tree.h"

/* Limits of the cost: 1 / SHARE of the time. */
enum { SHARE_ALL = 100, SHARE_DEEP = 300 };

/* An observation that is rationed by its cost. */
struct ration {
	int64_t last_ns, cost_ns;
};

struct process_monitor {
	struct process_tree *family;
	struct interval_thread *thread;

	/* of the current execution; used only by the thread while it is switched on */
	struct watch_value *value;
	size_t values, cap;
	struct process_tree_sums last;
	int64_t cpu_ns, io_ns, switches_ns; /* when the values were last known */
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
static void keep_value(
    struct process_monitor *w, int64_t at, enum run_metric metric, double value)
{
	if (!isnan(value))
		*VEC_ADD(w->value, w->values, w->cap) =
		    (struct watch_value){ at, metric, NULL, value };
}

/*
 * Keeps the values of an observation. Its time is that at which the processor times were
 * read: this thread may have had to wait for a processor until then.
 */
static void keep_sums(struct process_monitor *w, const struct process_tree_sums *sums)
{
	const struct process_tree_sums *last = &w->last;
	const int64_t at = sums->at_ns;
	double cpu_ns = last->cpu_ns, read = last->read_bytes, written = last->write_bytes;
	double elapsed = (double)(at - w->io_ns);

	keep_value(w, at, METRIC_RSS, sums->rss_bytes);
	keep_value(w, at, METRIC_PSS, sums->pss_bytes);
	keep_value(w, at, METRIC_CPU_UTILISATION,
	    rate(sums->cpu_ns, cpu_ns, (double)(at - w->cpu_ns)) / 1e9);
	keep_value(w, at, METRIC_THREADS, (double)sums->threads);
	keep_value(w, at, METRIC_PROCESSES, (double)sums->processes);
	keep_value(w, at, METRIC_READ_RATE, rate(sums->read_bytes, read, elapsed));
	keep_value(w, at, METRIC_WRITE_RATE, rate(sums->write_bytes, written, elapsed));
	keep_value(w, at, METRIC_SWITCH_RATE,
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
}

/* Takes one observation; see interval_thread.h. */
static double look_at_processes(void *ctx)
{
	struct process_monitor *w = ctx;
	int64_t at = clock_monotonic_ns(), cpu_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
	struct process_tree_depth depth = { due(&w->pss, at), due(&w->tasks, at) };
	struct process_tree_sums sums;

	if (process_tree_look(w->family, depth, &sums))
		keep_sums(w, &sums);
	cpu_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	/*
	 * The cost of an observation of both is charged to both, in favor of the
	 * command.
	 */
	if (depth.pss)
		w->pss = (struct ration){ at, cpu_ns };
	if (depth.tasks)
		w->tasks = (struct ration){ at, cpu_ns };
	return depth.pss || depth.tasks ? 0 : SHARE_ALL;
}

struct process_monitor *process_monitor_open(
    pid_t helper, bool with_helper, double interval_ns, struct fault *f)
{
	struct process_monitor *w = mem_zero(1, sizeof(*w));
	struct fault why;

	w->family = process_tree_open(helper, with_helper, f);
	if (!w->family) {
		free(w);
		return NULL;
	}
	w->thread = interval_thread_open(
	    (int64_t)interval_ns, INT64_MAX, look_at_processes, w, &why);
	if (w->thread)
		return w;
	fault_set(f, "--interval: %s", why.text);
	process_monitor_close(w);
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
	w->cpu_ns = w->io_ns = w->switches_ns = clock_monotonic_ns();
	interval_thread_start(w->thread, w->cpu_ns);
}

void process_monitor_stop(struct process_monitor *w)
{
	if (w)
		interval_thread_stop(w->thread);
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
	interval_thread_close(w->thread);
	process_tree_close(w->family);
	free(w->value);
	free(w);
}
