/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of the whole machine; see window_priv.h.
 *
 * Times of processors are clock ticks, so short windows have none of them. If a processor
 * went offline or online in a window, the times of idle processors and the counters have no
 * value: the kernel adds up the former differently, and ends the latter.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "counters/cpu_counters.h"
#include "subject/machine_subject.h"
#include "sys/machine_reading.h"
#include "window/cpu_parts.h"
#include "window/window_priv.h"

struct machine_use {
	const struct machine_subject *of;
	struct kernel_files files;
	bool files_open;
	struct machine_reading reading[WINDOW_SIDES];
	struct cpu_numbers cpus;                 /* online at the beginning of the window */
	struct cpu_counters *counters;           /* NULL: no event can be counted */
	bool shares;                             /* they belong to another window */
	struct wire_count *of_cpu[WINDOW_SIDES]; /* by processor, by event */
	bool counted;           /* all processors counted during the whole window */
	struct cpu_parts parts; /* with --per */
	/* windows without some values */
	uint64_t cpus_changed, uncounted, went_back, links_changed, few_ticks;
	struct buf absent; /* metrics that this machine lacks */
};

static void machine_try_events(struct window_means *means, const struct subjects *subjects)
{
	struct machine_reading now = { 0 };
	struct cpu_numbers cpus = { .group = -1 };
	struct kernel_files files;
	struct fault ignored;

	/* All subjects are the same processors. */
	if (kernel_files_open(&files, kernel_files_root(), &ignored) < 0)
		return; /* window_open() reports it */
	if (machine_reading_take(&files, &now, &ignored) == 0) {
		if (subjects->subject[0].from->machine->cpus)
			machine_reading_keep(
			    &now, subjects->subject[0].from->machine->cpus);
		cpu_numbers_of(&cpus, &now);
		cpu_counters_try(means->set, &means->groups, cpus);
	}
	kernel_files_close(&files);
	machine_reading_free(&now);
	free(cpus.number);
}

/* Reads the machine, or the chosen processors of it. Returns 0, or -1 and the message. */
static int take_reading(struct machine_use *m, enum window_side side, struct fault *f)
{
	if (machine_reading_take(&m->files, &m->reading[side], f) < 0)
		return -1;
	if (m->of->cpus)
		machine_reading_keep(&m->reading[side], m->of->cpus);
	return 0;
}

static int machine_open(
    struct time_window *w, const struct time_window *twin, struct fault *f)
{
	const struct machine_use *other = twin ? twin->state : NULL;
	struct machine_use *m = mem_zero(1, sizeof(*m));

	w->state = m;
	m->cpus.group = -1;
	m->of = w->subject->from->machine;
	w->window_ns = m->of->window_ns;
	if (kernel_files_open(&m->files, kernel_files_root(), f) < 0)
		return -1;
	m->files_open = true;
	if (take_reading(m, WINDOW_FROM, f) < 0)
		return -1;
	cpu_parts_learn(&m->parts, m->of->per, &m->files, &m->reading[WINDOW_FROM]);
	cpu_numbers_of(&m->cpus, &m->reading[WINDOW_FROM]);
	m->shares = other != NULL;
	if (other)
		m->counters = other->counters;
	if (other || !window_has_events(w))
		return 0;
	m->counters = cpu_counters_open(w->means->set, &w->means->groups, m->cpus, f);
	return m->counters ? 0 : -1;
}

static void machine_close(struct time_window *w)
{
	struct machine_use *m = w->state;

	if (!m->shares)
		cpu_counters_close(m->counters);
	for (int i = 0; i < WINDOW_SIDES; i++) {
		machine_reading_free(&m->reading[i]);
		free(m->of_cpu[i]);
	}
	cpu_parts_free(&m->parts);
	free(m->cpus.number);
	buf_free(&m->absent);
	if (m->files_open)
		kernel_files_close(&m->files);
	free(m);
}

/* Reads the counters of each processor. */
static void read_counters(struct time_window *w, enum window_side side)
{
	struct machine_use *m = w->state;
	const size_t cells = m->cpus.count * w->means->set->count;

	w->counted_at_ns[side] = clock_monotonic_ns();
	if (!m->counters)
		return;
	m->of_cpu[side] = mem_resize(m->of_cpu[side], cells, sizeof(**m->of_cpu));
	cpu_counters_read(m->counters, m->of_cpu[side]);
}

static bool machine_read(struct time_window *w, enum window_side side)
{
	struct machine_use *m = w->state;
	struct machine_reading *r = &m->reading[side];

	if (side == WINDOW_TO)
		read_counters(w, side);
	if (take_reading(m, side, &w->ended) < 0)
		return false;
	cpu_parts_learn(&m->parts, m->of->per, &m->files, r);
	w->at_ns[side] = r->at_ns;
	if (side == WINDOW_TO)
		return true;
	cpu_numbers_of(&m->cpus, r);
	if (m->counters)
		cpu_counters_follow(m->counters, m->cpus);
	read_counters(w, side);
	return true;
}

double window_least_ns(void)
{
	return TICKS_LEAST * machine_reading_tick_ns();
}

static bool has_ticks(const struct time_window *w)
{
	return window_length_of(w) >= window_least_ns();
}

static bool same_cpus(const struct machine_use *m)
{
	return machine_reading_same_cpus(&m->reading[WINDOW_FROM], &m->reading[WINDOW_TO]);
}

/* Returns the times in a window of its nominal length. */
static struct cpu_times scaled_times(const struct time_window *w, struct cpu_times t)
{
	const double scale =
	    has_ticks(w) ? window_scale(w, w->at_ns[WINDOW_FROM], w->at_ns[WINDOW_TO])
	                 : (double)NAN;

	return (struct cpu_times){ t.user * scale, t.sys * scale, t.idle * scale,
		t.iowait * scale, t.steal * scale };
}

static struct cpu_times whole_times(const struct time_window *w)
{
	const struct machine_use *m = w->state;
	struct cpu_times t =
	    cpu_times_between(&m->reading[WINDOW_FROM].time, &m->reading[WINDOW_TO].time);

	if (!same_cpus(m))
		t.idle = t.iowait = NAN;
	/* The kernel adds up the times of all processors, even of those that are offline,
	 * but those of the chosen ones are added here. */
	if (m->of->cpus && !same_cpus(m))
		t.user = t.sys = t.steal = NAN;
	return scaled_times(w, t);
}

static double machine_cpu_ns(const struct time_window *w)
{
	const struct cpu_times t = whole_times(w);

	return t.user + t.sys;
}

static void put_times(
    struct time_window *w, struct run_sample *s, const struct cpu_times *t)
{
	const double busy_ns = t->user + t->sys;

	window_put_value(w, s, METRIC_CPU_TIME, busy_ns);
	window_put_value(w, s, METRIC_CPU_UTILISATION, busy_ns / window_length_of(w));
	window_put_value(w, s, METRIC_USER, t->user);
	window_put_value(w, s, METRIC_SYS, t->sys);
	window_put_value(w, s, METRIC_IDLE, t->idle);
	window_put_value(w, s, METRIC_IOWAIT, t->iowait);
	window_put_value(w, s, METRIC_STEAL, t->steal);
}

/* Adds once that the machine lacks a metric. */
static void put_absent(struct time_window *w, struct run_sample *s, enum run_metric metric)
{
	struct machine_use *m = w->state;

	if (s->number != 0 || run_sample_counts(w->means->set, run_metric_name(metric)))
		return;
	run_sample_add(s, metric, NAN)->status.outcome = RUN_UNSUPPORTED;
	buf_printf(&m->absent, "%s%s", m->absent.len ? ", " : "", run_metric_name(metric));
}

/* A count of a window of its nominal length. */
static double window_count(const struct time_window *w, double from, double to, bool more)
{
	const struct machine_use *m = w->state;
	const struct machine_reading *a = &m->reading[WINDOW_FROM],
	                             *b = &m->reading[WINDOW_TO];
	const double scale = more ? window_scale(w, a->more_at_ns, b->more_at_ns)
	                          : window_scale(w, a->at_ns, b->at_ns);

	return to >= from ? (to - from) * scale : (double)NAN;
}

/* Adds the counts of the kernel, and fills in usage. */
static void put_kernel_counts(
    struct time_window *w, struct run_sample *s, double usage[USAGES])
{
	const struct machine_use *m = w->state;
	const struct machine_reading *a = &m->reading[WINDOW_FROM],
	                             *b = &m->reading[WINDOW_TO];
	const struct {
		enum run_metric metric;
		double from, to;
		bool more; /* was read later */
	} counts[] = {
		{ METRIC_CONTEXT_SWITCHES, a->switches, b->switches, false },
		{ METRIC_FORKS, a->forks, b->forks, false },
		{ METRIC_PAGE_FAULTS, a->faults, b->faults, true },
		{ METRIC_MAJOR_FAULTS, a->major_faults, b->major_faults, true },
		{ METRIC_BLOCK_IN, a->read_bytes, b->read_bytes, true },
		{ METRIC_BLOCK_OUT, a->written_bytes, b->written_bytes, true },
	};

	for (size_t i = 0; i < COUNT(counts); i++) {
		const double count =
		    window_count(w, counts[i].from, counts[i].to, counts[i].more);
		const size_t input = usage_find(run_metric_name(counts[i].metric));

		if (isnan(counts[i].to))
			put_absent(w, s, counts[i].metric);
		else
			window_put_value(w, s, counts[i].metric, count);
		if (input < USAGES)
			usage[input] = count;
	}
}

static void put_network(struct time_window *w, struct run_sample *s)
{
	struct machine_use *m = w->state;
	const struct machine_reading *a = &m->reading[WINDOW_FROM],
	                             *b = &m->reading[WINDOW_TO];
	double in, out;

	if (!a->links && !b->links) {
		put_absent(w, s, METRIC_NET_IN);
		put_absent(w, s, METRIC_NET_OUT);
		return;
	}
	machine_reading_network(a, b, &in, &out);
	m->links_changed +=
	    !window_put_value(w, s, METRIC_NET_IN, window_count(w, 0, in, true));
	window_put_value(w, s, METRIC_NET_OUT, window_count(w, 0, out, true));
}

/* Returns whether all processors counted until the end of the window. Counters of one that
 * was offline in between are enabled for a part of it only. */
static bool all_counted(const struct time_window *w)
{
	const struct machine_use *m = w->state;
	const int64_t took_ns = w->counted_at_ns[WINDOW_TO] - w->counted_at_ns[WINDOW_FROM];
	const size_t events = w->means->set->count;

	for (size_t i = 0; i < m->cpus.count * events; i++) {
		const struct wire_count *a = &m->of_cpu[WINDOW_FROM][i],
		                        *b = &m->of_cpu[WINDOW_TO][i];

		if (b->enabled_ns && b->enabled_ns - a->enabled_ns < (uint64_t)took_ns / 2)
			return false;
	}
	return same_cpus(m);
}

/* Adds the counters of the processors of a part, or of all if part is NULL. */
static void put_counters(struct time_window *w, struct run_sample *s, const size_t *part,
    const double usage[USAGES])
{
	const struct machine_use *m = w->state;
	const size_t events = w->means->set->count;
	struct wire_count *sum[WINDOW_SIDES];

	for (int side = 0; side < WINDOW_SIDES; side++) {
		sum[side] = mem_zero(events, sizeof(**sum));
		for (size_t c = 0; m->counted && c < m->cpus.count; c++) {
			const struct known_cpu *cpu =
			    part ? cpu_parts_find(&m->parts, m->cpus.number[c]) : NULL;

			if (part && (!cpu || cpu->part != *part))
				continue;
			for (size_t i = 0; i < events; i++) {
				const struct wire_count *n =
				    &m->of_cpu[side][c * events + i];

				sum[side][i].value += n->value;
				sum[side][i].enabled_ns += n->enabled_ns;
				sum[side][i].running_ns += n->running_ns;
			}
		}
	}
	window_put_counts(w, s, sum[WINDOW_FROM], sum[WINDOW_TO], true, usage);
	free(sum[WINDOW_FROM]);
	free(sum[WINDOW_TO]);
}

static void add_times(struct cpu_times *sum, const struct cpu_times *t)
{
	sum->user += t->user;
	sum->sys += t->sys;
	sum->idle += t->idle;
	sum->iowait += t->iowait;
	sum->steal += t->steal;
}

/* Computes the times of the processors of a part; NAN unless all of them were online all
 * the time. Returns their number. */
static size_t part_times(const struct time_window *w, size_t part, struct cpu_times *sum)
{
	static const struct cpu_times unknown = { NAN, NAN, NAN, NAN, NAN };
	const struct machine_use *m = w->state;
	size_t cpus = 0;

	*sum = (struct cpu_times){ 0 };
	for (size_t i = 0; i < m->parts.cpus; i++) {
		const struct known_cpu *cpu = &m->parts.cpu[i];
		const struct machine_cpu *a = machine_reading_cpu(
		                             &m->reading[WINDOW_FROM], cpu->number),
		                         *b = machine_reading_cpu(
		                             &m->reading[WINDOW_TO], cpu->number);
		struct cpu_times t = unknown;

		if (cpu->part != part || (!a && !b))
			continue;
		if (a && b)
			t = cpu_times_between(&a->time, &b->time);
		add_times(sum, &t);
		cpus++;
	}
	return cpus;
}

/* Adds the values of each part of the machine. */
static void put_parts(struct time_window *w, struct run_sample *s)
{
	const struct machine_use *m = w->state;

	for (size_t i = 0; i < m->parts.count; i++) {
		const size_t before = s->values;
		double usage[USAGES];
		struct cpu_times t;

		if (!part_times(w, i, &t))
			continue;
		t = scaled_times(w, t);
		put_times(w, s, &t);
		usage_of_wall(window_length_of(w), usage);
		usage[usage_find("user")] = t.user;
		usage[usage_find("sys")] = t.sys;
		if (m->counters)
			put_counters(w, s, &i, usage);
		for (size_t k = before; k < s->values; k++)
			s->value[k].part = m->parts.number[i];
	}
}

/* Adds the values of what all processors share, and fills in usage. */
static void put_shared(struct time_window *w, struct run_sample *s, double usage[USAGES])
{
	const struct machine_use *m = w->state;

	if (isnan(m->reading[WINDOW_TO].memory_bytes))
		put_absent(w, s, METRIC_MEMORY_USED);
	else
		window_put_value(
		    w, s, METRIC_MEMORY_USED, m->reading[WINDOW_TO].memory_bytes);
	put_kernel_counts(w, s, usage);
	put_network(w, s);
}

static void machine_put(struct time_window *w, struct run_sample *s)
{
	struct machine_use *m = w->state;
	const struct cpu_times t = whole_times(w);
	double usage[USAGES];

	usage_of_wall(window_length_of(w), usage);
	usage[usage_find("user")] = t.user;
	usage[usage_find("sys")] = t.sys;
	put_times(w, s, &t);
	m->few_ticks += !has_ticks(w);
	m->went_back += has_ticks(w) && same_cpus(m) &&
	                isnan(t.user + t.sys + t.idle + t.iowait + t.steal);
	window_put_value(w, s, METRIC_CPUS, (double)m->reading[WINDOW_TO].cpus);
	if (!m->of->cpus)
		put_shared(w, s, usage);
	m->cpus_changed += !same_cpus(m);
	if (m->counters) {
		m->counted = all_counted(w);
		m->uncounted += !m->counted;
		if (!m->counted)
			cpu_counters_expire(m->counters);
		put_counters(w, s, NULL, usage);
	}
	put_parts(w, s);
}

static void machine_explain(
    const struct time_window *w, const char *name, struct buf *lines)
{
	const struct machine_use *m = w->state;

	char *ticks =
	    str_format(", which the kernel counts in ticks of %g ms: they need %s "
	               "at least %g ms",
	        machine_reading_tick_ns() / 1e6,
	        w->window_ns > 0 ? "a --window of" : "a command that runs for",
	        window_least_ns() / 1e6);

	window_put_lack(w, lines, name, "processor times", m->few_ticks, ticks);
	free(ticks);
	window_put_lack(w, lines, name, "idle and iowait", m->cpus_changed,
	    ", because processors went online or offline in them");
	window_put_lack(w, lines, name, "events", m->uncounted,
	    ", because processors went online or offline in them");
	window_put_lack(w, lines, name, "complete processor times", m->went_back,
	    ", because clocks of the kernel went back in them");
	window_put_lack(w, lines, name, "net_in and net_out", m->links_changed,
	    ", because network interfaces came or went in them");
	if (m->absent.len)
		buf_printf(lines,
		    "%s: %.*s: not available on this machine (no such count in /proc, or "
		    "no network interface of a device)\n",
		    name, (int)m->absent.len, m->absent.ptr);
	if (m->of->per && m->parts.cpus < m->reading[WINDOW_TO].cpus)
		buf_printf(lines,
		    "%s: --per %s: /sys does not say to which %s some processors belong\n",
		    name, m->of->per->name, m->of->per->name);
}

const struct window_kind machine_window = { .try_events = machine_try_events,
	.open = machine_open,
	.close = machine_close,
	.read = machine_read,
	.cpu_ns = machine_cpu_ns,
	.put = machine_put,
	.explain = machine_explain };
