/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of running processes; see window_priv.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "counters/thread_counters.h"
#include "subject/process_subject.h"
#include "window/window_priv.h"

struct process_state {
	const struct process_subject *of;
	struct placed_counters *counters;              /* NULL: no event can be counted */
	bool shares;                                   /* they belong to another window */
	bool incomplete;                               /* they may lack threads */
	struct process_reading *reading[WINDOW_SIDES]; /* by process */
	struct pollfd *end;                            /* of each process */
	bool switches;                                 /* no counter has them */
	double tick_ns;
	bool stopped; /* a process was stopped at the beginning */
	/* windows without some values */
	uint64_t few_ticks, threads_ended, children_ended;
	bool io_denied;
};

/* The sums over all processes, for a window of its nominal length; NAN: unknown. */
struct process_sums {
	double cpu_ns, ticked_ns, ticked_user_ns, rss, threads, faults, switches, read,
	    written;
	bool io_denied, children_ended;
};

static void process_try_events(struct window_means *means, const struct subjects *subjects)
{
	struct counter_set *set = means->set;
	struct running_process **all = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < subjects->count; i++) {
		const struct process_subject *of = subjects->subject[i].from->processes;

		for (size_t k = 0; window_measures(&subjects->subject[i]) && k < of->count;
		    k++)
			*VEC_ADD(all, count, cap) = of->process[k];
	}
	for (size_t k = 0; k < count; k++)
		set->foreign = set->foreign || running_process_is_foreign(all[k]);
	set->attached = true;
	thread_counters_try(set, &means->groups, all, count);
	free(all);
}

/* Opens the counters. Returns 0, or -1 and the message. */
static int open_counters(
    struct time_window *w, const struct process_state *twin, struct fault *f)
{
	struct process_state *p = w->state;

	p->shares = twin != NULL;
	if (twin)
		p->counters = twin->counters;
	if (twin || !window_has_events(w))
		return 0;
	p->counters = thread_counters_open(w->means->set, &w->means->groups, p->of->process,
	    p->of->count, &p->incomplete, f);
	return p->counters ? 0 : -1;
}

static int process_open(
    struct time_window *w, const struct time_window *twin, struct fault *f)
{
	struct process_state *p = mem_zero(1, sizeof(*p));

	w->state = p;
	p->of = w->subject->from->processes;
	w->window_ns = p->of->window_ns;
	for (int i = 0; i < WINDOW_SIDES; i++)
		p->reading[i] = mem_zero(p->of->count, sizeof(**p->reading));
	p->end = mem_zero(p->of->count, sizeof(*p->end));
	p->switches =
	    !run_sample_counts(w->means->set, run_metric_name(METRIC_CONTEXT_SWITCHES));
	p->tick_ns = process_reading_tick_ns();
	for (size_t i = 0; i < p->of->count; i++) {
		p->end[i] =
		    (struct pollfd){ running_process_fd(p->of->process[i]), POLLIN, 0 };
		p->stopped = p->stopped || running_process_is_stopped(p->of->process[i]);
	}
	return open_counters(w, twin ? twin->state : NULL, f);
}

static void process_close(struct time_window *w)
{
	struct process_state *p = w->state;

	if (!p->shares)
		placed_counters_close(p->counters);
	for (int i = 0; i < WINDOW_SIDES; i++) {
		for (size_t k = 0; k < p->of->count; k++)
			process_reading_free(&p->reading[i][k]);
		free(p->reading[i]);
	}
	free(p->end);
	free(p);
}

/* Reads the sums of all threads. */
static void read_counters(struct time_window *w, enum window_side side)
{
	const struct process_state *p = w->state;
	const size_t threads = p->counters ? placed_counters_places(p->counters) : 0;

	w->counted_at_ns[side] = clock_monotonic_ns();
	memset(w->count[side], 0, w->means->set->count * sizeof(**w->count));
	for (size_t i = 0; i < threads; i++)
		placed_counters_read(p->counters, i, w->count[side]);
}

static bool process_read(struct time_window *w, enum window_side side)
{
	struct process_state *p = w->state;

	if (side == WINDOW_TO)
		read_counters(w, side);
	for (size_t i = 0; i < p->of->count; i++)
		if (!running_process_read(p->of->process[i], &p->reading[side][i])) {
			fault_set(&w->ended, "process %d ended",
			    (int)running_process_pid(p->of->process[i]));
			return false;
		}
	w->at_ns[side] = p->reading[side][0].at_ns;
	for (size_t i = 0; i < p->of->count; i++)
		running_process_read_more(
		    p->of->process[i], p->switches, &p->reading[side][i]);
	if (side == WINDOW_FROM)
		read_counters(w, side);
	return true;
}

static size_t process_ends(struct time_window *w, struct pollfd **end)
{
	struct process_state *p = w->state;

	*end = p->end;
	return p->of->count;
}

/* Adds what one process used. */
static void add_process(const struct time_window *w, size_t i, struct process_sums *sum)
{
	const struct process_state *p = w->state;
	const struct process_reading *a = &p->reading[WINDOW_FROM][i],
	                             *b = &p->reading[WINDOW_TO][i];
	const double scale = window_scale(w, a->at_ns, b->at_ns),
	             more = window_scale(w, a->more_at_ns, b->more_at_ns);

	sum->cpu_ns += (b->cpu_ns - a->cpu_ns) * scale;
	sum->ticked_ns += b->ticked_ns - a->ticked_ns;
	sum->ticked_user_ns += b->ticked_user_ns - a->ticked_user_ns;
	sum->rss += b->rss_bytes;
	sum->threads += (double)b->threads;
	sum->faults += (double)(b->faults - a->faults) * scale;
	sum->switches += p->switches ? process_reading_switches(a, b) * more : NAN;
	sum->io_denied = sum->io_denied || a->io_denied || b->io_denied;
	/* The kernel adds all that a child has read and written to the process that waits
	 * for it. */
	sum->children_ended = sum->children_ended || a->reaped_faults != b->reaped_faults ||
	                      a->reaped_ticks != b->reaped_ticks;
	sum->read += (b->read_bytes - a->read_bytes) * more;
	sum->written += (b->write_bytes - a->write_bytes) * more;
}

static struct process_sums sum_processes(const struct time_window *w)
{
	const struct process_state *p = w->state;
	struct process_sums sum = { 0 };

	for (size_t i = 0; i < p->of->count; i++)
		add_process(w, i, &sum);
	if (sum.children_ended)
		sum.read = sum.written = NAN;
	return sum;
}

static double process_cpu_ns(const struct time_window *w)
{
	return sum_processes(w).cpu_ns;
}

/* Adds the bytes of storage, or once that they may not be read. */
static void put_io(
    struct time_window *w, struct run_sample *s, const struct process_sums *sum)
{
	struct process_state *p = w->state;

	if (!sum->io_denied) {
		window_put_value(w, s, METRIC_BLOCK_IN, sum->read);
		window_put_value(w, s, METRIC_BLOCK_OUT, sum->written);
		p->children_ended += sum->children_ended;
		return;
	}
	p->io_denied = true;
	if (s->number != 0)
		return;
	run_sample_add(s, METRIC_BLOCK_IN, NAN)->status.outcome = RUN_DENIED;
	run_sample_add(s, METRIC_BLOCK_OUT, NAN)->status.outcome = RUN_DENIED;
}

/* Idle windows have no user and sys either: the zeros of idle windows alone would be the
 * mean of all. */
static void process_put(struct time_window *w, struct run_sample *s)
{
	const struct process_sums sum = sum_processes(w);
	struct process_state *p = w->state;
	double usage[USAGES], user_ns = NAN;

	if (sum.ticked_ns >= TICKS_LEAST * p->tick_ns)
		user_ns = sum.cpu_ns * sum.ticked_user_ns / sum.ticked_ns;
	window_put_value(w, s, METRIC_CPU_TIME, sum.cpu_ns);
	window_put_value(w, s, METRIC_CPU_UTILISATION, sum.cpu_ns / window_length_of(w));
	p->few_ticks += !window_put_value(w, s, METRIC_USER, user_ns);
	window_put_value(w, s, METRIC_SYS, sum.cpu_ns - user_ns);
	window_put_value(w, s, METRIC_RSS, sum.rss);
	window_put_value(w, s, METRIC_THREADS, sum.threads);
	window_put_value(w, s, METRIC_PAGE_FAULTS, sum.faults);
	p->threads_ended += !window_put_value(w, s, METRIC_CONTEXT_SWITCHES, sum.switches);
	put_io(w, s, &sum);
	usage_of_wall(window_length_of(w), usage);
	usage[usage_find("user")] = user_ns;
	usage[usage_find("sys")] = sum.cpu_ns - user_ns;
	usage[usage_find("page-faults")] = sum.faults;
	usage[usage_find("context-switches")] = sum.switches;
	window_put_counts(w, s, w->count[WINDOW_FROM], w->count[WINDOW_TO], false, usage);
}

static void process_explain(
    const struct time_window *w, const char *name, struct buf *lines)
{
	const struct process_state *p = w->state;
	char *ticks = str_format(", which had fewer than %d clock ticks of %g ms of "
	                         "processor time (a longer %s has more)",
	    TICKS_LEAST, p->tick_ns / 1e6, w->window_ns > 0 ? "--window" : "command");

	if (p->stopped)
		buf_printf(lines, "%s: a process was stopped when the run began\n", name);
	window_put_lack(w, lines, name, "user and sys", p->few_ticks, ticks);
	window_put_lack(w, lines, name, "context-switches", p->threads_ended,
	    ", because threads ended in them (-e context-switches counts them)");
	window_put_lack(w, lines, name, "block_in and block_out", p->children_ended,
	    ", because child processes ended in them, whose bytes the kernel adds to those "
	    "of the process");
	if (p->io_denied)
		buf_printf(lines,
		    "%s: block_in and block_out: permission denied (/proc/PID/io of a "
		    "process of another user needs root)\n",
		    name);
	if (p->incomplete)
		buf_printf(lines,
		    "%s: threads started while the counters were opened, so the counters "
		    "may lack some of them\n",
		    name);
	free(ticks);
}

const struct window_kind process_window = { .try_events = process_try_events,
	.open = process_open,
	.close = process_close,
	.read = process_read,
	.ends = process_ends,
	.cpu_ns = process_cpu_ns,
	.put = process_put,
	.explain = process_explain };
