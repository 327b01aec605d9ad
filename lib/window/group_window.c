/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of control groups; see window_priv.h.
 *
 * Counters of a group are opened on each processor, and count there while one of its tasks
 * runs. If a processor goes offline or online in a window, they have no value.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "counters/cpu_counters.h"
#include "subject/group_subject.h"
#include "sys/group_reading.h"
#include "sys/machine_reading.h"
#include "window/window_priv.h"

struct group_use {
	const struct group_subject *of;
	struct group_reading reading[WINDOW_SIDES];
	struct cpu_counters *counters; /* NULL: no event can be counted */
	bool shares;                   /* they belong to another window */
	struct kernel_files machine;
	bool machine_open;
	struct machine_reading cpus[WINDOW_SIDES]; /* that are online */
	/* windows without some values */
	uint64_t uncounted, went_back;
	struct buf absent, denied; /* metrics that the kernel does not account or show */
};

/* The metrics of groups, in the order of their rows. */
static const struct {
	enum run_metric metric;
	enum group_value value;
	bool now; /* at the end of the window; otherwise in the window */
} metrics[] = {
	{ METRIC_CPU_TIME, GROUP_CPU, false },
	{ METRIC_USER, GROUP_USER, false },
	{ METRIC_SYS, GROUP_SYS, false },
	{ METRIC_THROTTLED, GROUP_THROTTLED, false },
	{ METRIC_CPU_PRESSURE, GROUP_CPU_PRESSURE, false },
	{ METRIC_CPU_PRESSURE_FULL, GROUP_CPU_PRESSURE_FULL, false },
	{ METRIC_MEMORY_PRESSURE, GROUP_MEMORY_PRESSURE, false },
	{ METRIC_MEMORY_PRESSURE_FULL, GROUP_MEMORY_PRESSURE_FULL, false },
	{ METRIC_IO_PRESSURE, GROUP_IO_PRESSURE, false },
	{ METRIC_IO_PRESSURE_FULL, GROUP_IO_PRESSURE_FULL, false },
	{ METRIC_MEMORY_CURRENT, GROUP_MEMORY, true },
	{ METRIC_MEMORY_PEAK, GROUP_MEMORY_PEAK, true },
	{ METRIC_SWAP_CURRENT, GROUP_SWAP, true },
	{ METRIC_THREADS, GROUP_TASKS, true },
	{ METRIC_PAGE_FAULTS, GROUP_FAULTS, false },
	{ METRIC_MAJOR_FAULTS, GROUP_MAJOR_FAULTS, false },
	{ METRIC_BLOCK_IN, GROUP_READ, false },
	{ METRIC_BLOCK_OUT, GROUP_WRITTEN, false },
};

static void group_try_events(struct window_means *means, const struct subjects *subjects)
{
	struct machine_reading now = { 0 };
	struct cpu_numbers cpus = { .group = -1 };
	struct kernel_files files;
	struct fault ignored;

	for (size_t i = 0; i < subjects->count && cpus.group < 0; i++)
		if (window_measures(&subjects->subject[i]))
			cpus.group = subjects->subject[i].from->group->files.root;
	means->set->in_groups = true;
	if (kernel_files_open(&files, kernel_files_root(), &ignored) < 0)
		return; /* window_open() reports it */
	if (machine_reading_take(&files, &now, &ignored) == 0) {
		cpu_numbers_of(&cpus, &now);
		cpu_counters_try(means->set, &means->groups, cpus);
	}
	kernel_files_close(&files);
	machine_reading_free(&now);
	free(cpus.number);
}

/* Opens the counters. Returns 0, or -1 and the message. */
static int open_counters(
    struct time_window *w, const struct group_use *twin, struct fault *f)
{
	struct group_use *g = w->state;
	struct cpu_numbers cpus = { .group = g->of->files.root };

	g->shares = twin != NULL;
	if (twin)
		g->counters = twin->counters;
	if (!window_has_events(w))
		return 0;
	if (kernel_files_open(&g->machine, kernel_files_root(), f) < 0)
		return -1;
	g->machine_open = true;
	if (twin)
		return 0;
	if (machine_reading_take(&g->machine, &g->cpus[WINDOW_FROM], f) < 0)
		return -1;
	cpu_numbers_of(&cpus, &g->cpus[WINDOW_FROM]);
	g->counters = cpu_counters_open(w->means->set, &w->means->groups, cpus, f);
	free(cpus.number);
	return g->counters ? 0 : -1;
}

static int group_open(
    struct time_window *w, const struct time_window *twin, struct fault *f)
{
	struct group_use *g = mem_zero(1, sizeof(*g));

	w->state = g;
	g->of = w->subject->from->group;
	w->window_ns = g->of->window_ns;
	return open_counters(w, twin ? twin->state : NULL, f);
}

static void group_close(struct time_window *w)
{
	struct group_use *g = w->state;

	if (!g->shares)
		cpu_counters_close(g->counters);
	for (int i = 0; i < WINDOW_SIDES; i++)
		machine_reading_free(&g->cpus[i]);
	if (g->machine_open)
		kernel_files_close(&g->machine);
	buf_free(&g->absent);
	buf_free(&g->denied);
	free(g);
}

/* Reads the sums of the counters on all processors. */
static void read_counters(struct time_window *w, enum window_side side)
{
	struct group_use *g = w->state;
	const size_t events = w->means->set->count, cpus = g->cpus[WINDOW_FROM].cpus;
	struct wire_count *of_cpu;

	w->counted_at_ns[side] = clock_monotonic_ns();
	memset(w->count[side], 0, events * sizeof(**w->count));
	if (!g->counters)
		return;
	of_cpu = mem_zero(cpus * events, sizeof(*of_cpu));
	cpu_counters_read(g->counters, of_cpu);
	for (size_t i = 0; i < cpus * events; i++) {
		struct wire_count *sum = &w->count[side][i % events];

		sum->value += of_cpu[i].value;
		sum->enabled_ns += of_cpu[i].enabled_ns;
		sum->running_ns += of_cpu[i].running_ns;
	}
	free(of_cpu);
}

/* Lets the counters follow the processors. Returns false and the message if these cannot be
 * listed. */
static bool follow_cpus(struct time_window *w)
{
	struct group_use *g = w->state;
	struct cpu_numbers cpus = { .group = g->of->files.root };

	if (!g->counters)
		return true;
	if (machine_reading_take(&g->machine, &g->cpus[WINDOW_FROM], &w->ended) < 0)
		return false;
	cpu_numbers_of(&cpus, &g->cpus[WINDOW_FROM]);
	cpu_counters_follow(g->counters, cpus);
	free(cpus.number);
	return true;
}

static bool group_read(struct time_window *w, enum window_side side)
{
	struct group_use *g = w->state;

	if (side == WINDOW_TO)
		read_counters(w, side);
	if (!group_reading_take(&g->of->files, &g->reading[side])) {
		fault_set(&w->ended, "the control group was removed");
		return false;
	}
	w->at_ns[side] = g->reading[side].at_ns[GROUP_CPU];
	if (side == WINDOW_FROM) {
		if (!follow_cpus(w))
			return false;
		read_counters(w, side);
	} else if (g->counters &&
	           machine_reading_take(&g->machine, &g->cpus[side], &w->ended) < 0)
		return false;
	return true;
}

/* Returns a value of the last window; NAN: unknown. */
static double window_value(const struct time_window *w, size_t i)
{
	const struct group_use *g = w->state;
	const struct group_reading *a = &g->reading[WINDOW_FROM],
	                           *b = &g->reading[WINDOW_TO];
	const enum group_value v = metrics[i].value;

	if (metrics[i].now)
		return b->value[v];
	return b->value[v] >= a->value[v]
	           ? (b->value[v] - a->value[v]) * window_scale(w, a->at_ns[v], b->at_ns[v])
		   : (double)NAN;
}

static double group_cpu_ns(const struct time_window *w)
{
	return window_value(w, 0);
}

/* Adds once that a metric is not there. */
static void put_absent(
    struct time_window *w, struct run_sample *s, enum run_metric metric, bool denied)
{
	struct group_use *g = w->state;
	struct buf *names = denied ? &g->denied : &g->absent;

	if (s->number != 0 || run_sample_counts(w->means->set, run_metric_name(metric)))
		return;
	run_sample_add(s, metric, NAN)->status.outcome =
	    denied ? RUN_DENIED : RUN_UNSUPPORTED;
	buf_printf(names, "%s%s", names->len ? ", " : "", run_metric_name(metric));
}

/* Returns whether all counters counted on the same processors during the whole window. */
static bool all_counted(const struct group_use *g)
{
	return machine_reading_same_cpus(&g->cpus[WINDOW_FROM], &g->cpus[WINDOW_TO]);
}

static void put_counters(
    struct time_window *w, struct run_sample *s, const double usage[USAGES])
{
	struct group_use *g = w->state;
	const bool counted = all_counted(g);

	if (!g->counters)
		return;
	g->uncounted += !counted;
	if (!counted)
		cpu_counters_expire(g->counters);
	/* Those that did not count have no value. */
	window_put_counts(w, s, w->count[WINDOW_FROM],
	    w->count[counted ? WINDOW_TO : WINDOW_FROM], !counted, usage);
}

static void group_put(struct time_window *w, struct run_sample *s)
{
	struct group_use *g = w->state;
	const struct group_reading *b = &g->reading[WINDOW_TO];
	double usage[USAGES];
	bool back = false;

	usage_of_wall(window_length_of(w), usage);
	for (size_t i = 0; i < COUNT(metrics); i++) {
		const double value = window_value(w, i);
		const size_t input = usage_find(run_metric_name(metrics[i].metric));

		if (input < USAGES)
			usage[input] = value;
		if (isnan(b->value[metrics[i].value])) {
			put_absent(w, s, metrics[i].metric, b->denied[metrics[i].value]);
			continue;
		}
		back = !window_put_value(w, s, metrics[i].metric, value) || back;
		if (metrics[i].metric == METRIC_CPU_TIME)
			window_put_value(
			    w, s, METRIC_CPU_UTILISATION, value / window_length_of(w));
	}
	g->went_back += back;
	put_counters(w, s, usage);
}

static void group_explain(const struct time_window *w, const char *name, struct buf *lines)
{
	const struct group_use *g = w->state;

	window_put_lack(w, lines, name, "events", g->uncounted,
	    ", because processors went online or offline in them");
	window_put_lack(w, lines, name, "complete values", g->went_back,
	    ", because counts of the kernel went back, or had not begun");
	if (g->absent.len)
		buf_printf(lines,
		    "%s: %.*s: the kernel has no such value of this control group "
		    "(cgroup.controllers lists the controllers that count there)\n",
		    name, (int)g->absent.len, g->absent.ptr);
	if (g->denied.len)
		buf_printf(lines, "%s: %.*s: permission denied\n", name, (int)g->denied.len,
		    g->denied.ptr);
}

const struct window_kind group_window = { .try_events = group_try_events,
	.open = group_open,
	.close = group_close,
	.read = group_read,
	.cpu_ns = group_cpu_ns,
	.put = group_put,
	.explain = group_explain };
