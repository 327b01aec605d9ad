/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of running processes; see process_window.h.
 *
 * A window is never shorter than its nominal length, and longer by the time that this
 * program waits for a processor. The values are those of a window of exactly the nominal
 * length: what was read, times the nominal length, divided by the time between the two
 * readings. Clocks, counters and files are read one after the other, and this program may
 * lose its processor in between, so each of them has its own time.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "counters/thread_counters.h"
#include "run/process_window.h"
#include "subject/process_subject.h"
#include "sys/interrupt.h"

/* With fewer ticks, the parts of user mode and of the kernel are not known: with ten, the
 * standard error is up to 16% of the processor time. Idle windows have no parts either: the
 * zeros of idle windows alone would be the mean of all. */
enum { TICKS_LEAST = 10 };

/* The state of the processes at one moment. */
struct window_edge {
	struct process_reading *reading; /* by process */
	struct wire_count *count;        /* by event */
	int64_t counted_at_ns;           /* CLOCK_MONOTONIC, when the counters were read */
};

struct process_window {
	const struct subject *subject;
	const struct process_subject *of;
	const struct counter_set *set;
	struct placed_counters *counters; /* NULL: no event can be counted */
	bool shares;                      /* they belong to another window */
	bool incomplete;                  /* they may lack threads */
	struct window_edge from, to;
	struct pollfd *end; /* of each process */
	bool switches;      /* no counter has them */
	double tick_ns;
	int64_t begin_ns; /* CLOCK_REALTIME */
	pid_t ended;
	bool stopped; /* a process was stopped at the beginning */
	/* windows: all, and those without some values */
	uint64_t windows, few_ticks, threads_ended, children_ended;
	bool io_denied;
};

/* The sums over all processes, for a window of its nominal length; NAN: unknown. */
struct window_sums {
	double cpu_ns, ticked_ns, ticked_user_ns, rss, threads, faults, switches, read,
	    written;
	bool io_denied, children_ended;
};

static bool any_ready(const struct counter_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->counter[i].state == COUNTER_READY)
			return true;
	return false;
}

static struct window_edge new_edge(const struct process_window *w)
{
	return (struct window_edge){ mem_zero(w->of->count, sizeof(struct process_reading)),
		mem_zero(w->set->count, sizeof(struct wire_count)), 0 };
}

struct process_window *process_window_open(const struct subject *subject,
    const struct counter_set *set, const struct counter_groups *groups,
    const struct process_window *twin, struct fault *f)
{
	struct process_window *w = mem_zero(1, sizeof(*w));

	w->subject = subject;
	w->of = subject->from->processes;
	w->set = set;
	w->from = new_edge(w);
	w->to = new_edge(w);
	w->end = mem_zero(w->of->count, sizeof(*w->end));
	w->switches = !run_sample_counts(set, run_metric_name(METRIC_CONTEXT_SWITCHES));
	w->tick_ns = process_reading_tick_ns();
	for (size_t i = 0; i < w->of->count; i++) {
		w->end[i] =
		    (struct pollfd){ running_process_fd(w->of->process[i]), POLLIN, 0 };
		w->stopped = w->stopped || running_process_is_stopped(w->of->process[i]);
	}
	w->shares = twin != NULL;
	if (twin)
		w->counters = twin->counters;
	else if (any_ready(set))
		w->counters = thread_counters_open(
		    set, groups, w->of->process, w->of->count, &w->incomplete, f);
	if (w->shares || w->counters || !any_ready(set))
		return w;
	process_window_close(w);
	return NULL;
}

static void free_edge(struct window_edge *e, size_t processes)
{
	for (size_t i = 0; i < processes; i++)
		process_reading_free(&e->reading[i]);
	free(e->reading);
	free(e->count);
}

void process_window_close(struct process_window *w)
{
	if (!w)
		return;
	if (!w->shares)
		placed_counters_close(w->counters);
	free_edge(&w->from, w->of->count);
	free_edge(&w->to, w->of->count);
	free(w->end);
	free(w);
}

/* Reads the sums of all threads. */
static void read_counters(const struct process_window *w, struct window_edge *e)
{
	const size_t threads = w->counters ? placed_counters_places(w->counters) : 0;

	memset(e->count, 0, w->set->count * sizeof(*e->count));
	for (size_t i = 0; i < threads; i++)
		placed_counters_read(w->counters, i, e->count);
}

/* Reads the state of all processes. Returns false if one has ended. */
static bool read_edge(struct process_window *w, struct window_edge *e)
{
	for (size_t i = 0; i < w->of->count; i++)
		if (!running_process_read(w->of->process[i], &e->reading[i])) {
			w->ended = running_process_pid(w->of->process[i]);
			return false;
		}
	e->counted_at_ns = clock_monotonic_ns();
	read_counters(w, e);
	for (size_t i = 0; i < w->of->count; i++)
		running_process_read_more(w->of->process[i], w->switches, &e->reading[i]);
	return true;
}

/* Waits until a time of CLOCK_MONOTONIC, or until a process ends. A signal that comes just
 * before the wait also ends it. Returns false after a signal. */
static bool wait_until(struct process_window *w, int64_t at_ns)
{
	sigset_t ends, before;
	int ready = 0;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, &before);
	while (!interrupt_seen() && ready <= 0) {
		const int64_t left_ns = at_ns - clock_monotonic_ns();
		const struct timespec left = { .tv_sec = (time_t)(left_ns / 1000000000),
			.tv_nsec = (long)(left_ns % 1000000000) };

		if (left_ns <= 0)
			break;
		ready = ppoll(w->end, (nfds_t)w->of->count, &left, &before);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return !interrupt_seen();
}

enum window_end process_window_take(struct process_window *w)
{
	const int64_t begin_ns = clock_realtime_ns();

	if (!read_edge(w, &w->from))
		return WINDOW_CUT;
	if (!wait_until(w, w->from.reading[0].at_ns + (int64_t)w->of->window_ns))
		return WINDOW_INTERRUPTED;
	if (!read_edge(w, &w->to))
		return WINDOW_CUT;
	w->begin_ns = begin_ns;
	return WINDOW_WHOLE;
}

int process_window_ended(const struct process_window *w)
{
	return (int)w->ended;
}

double process_window_wall_ns(const struct process_window *w)
{
	return (double)(w->to.reading[0].at_ns - w->from.reading[0].at_ns);
}

/* Adds what one process used. */
static void add_process(const struct process_window *w, size_t i, struct window_sums *sum)
{
	const struct process_reading *a = &w->from.reading[i], *b = &w->to.reading[i];

	const double scale = w->of->window_ns / (double)(b->at_ns - a->at_ns),
	             more = w->of->window_ns / (double)(b->more_at_ns - a->more_at_ns);

	sum->cpu_ns += (b->cpu_ns - a->cpu_ns) * scale;
	sum->ticked_ns += b->ticked_ns - a->ticked_ns;
	sum->ticked_user_ns += b->ticked_user_ns - a->ticked_user_ns;
	sum->rss += b->rss_bytes;
	sum->threads += (double)b->threads;
	sum->faults += (double)(b->faults - a->faults) * scale;
	sum->switches += w->switches ? process_reading_switches(a, b) * more : NAN;
	sum->io_denied = sum->io_denied || a->io_denied || b->io_denied;
	/* The kernel adds all that a child has read and written to the process that waits
	 * for it. */
	sum->children_ended = sum->children_ended || a->reaped_faults != b->reaped_faults ||
	                      a->reaped_ticks != b->reaped_ticks;
	sum->read += (b->read_bytes - a->read_bytes) * more;
	sum->written += (b->write_bytes - a->write_bytes) * more;
}

static struct window_sums sum_processes(const struct process_window *w)
{
	struct window_sums sum = { 0 };

	for (size_t i = 0; i < w->of->count; i++)
		add_process(w, i, &sum);
	if (sum.children_ended)
		sum.read = sum.written = NAN;
	return sum;
}

double process_window_cpu_ns(const struct process_window *w)
{
	return sum_processes(w).cpu_ns;
}

/* Adds a value unless a counter measures it. Returns whether it is known. */
static bool put_value(
    struct process_window *w, struct run_sample *s, enum run_metric m, double value)
{
	if (run_sample_counts(w->set, run_metric_name(m)))
		return true;
	struct sample_value *v = run_sample_add(s, m, value);

	if (isnan(value))
		v->status.outcome = RUN_SKIPPED;
	return !isnan(value);
}

/* Adds the bytes of storage, or once that they may not be read. */
static void put_io(
    struct process_window *w, struct run_sample *s, const struct window_sums *sum)
{
	if (!sum->io_denied) {
		put_value(w, s, METRIC_BLOCK_IN, sum->read);
		put_value(w, s, METRIC_BLOCK_OUT, sum->written);
		w->children_ended += sum->children_ended;
		return;
	}
	w->io_denied = true;
	if (s->number != 0)
		return;
	run_sample_add(s, METRIC_BLOCK_IN, NAN)->status.outcome = RUN_DENIED;
	run_sample_add(s, METRIC_BLOCK_OUT, NAN)->status.outcome = RUN_DENIED;
}

/* Adds the counts, as if the window had its nominal length. */
static void put_counts(
    struct process_window *w, struct run_sample *s, const double usage[USAGES])
{
	const double scale =
	    w->of->window_ns / (double)(w->to.counted_at_ns - w->from.counted_at_ns);
	struct wire_count *n = mem_zero(w->set->count, sizeof(*n));

	for (size_t i = 0; i < w->set->count; i++) {
		const struct wire_count *a = &w->from.count[i], *b = &w->to.count[i];

		n[i] = (struct wire_count){ (uint64_t)llround(
			                        (double)(b->value - a->value) * scale),
			b->enabled_ns - a->enabled_ns, b->running_ns - a->running_ns };
		/* Counters of a process are enabled only while it runs. */
		if (!n[i].enabled_ns)
			n[i].enabled_ns = n[i].running_ns = 1;
	}
	run_sample_add_counts(s, w->set, n, usage);
	free(n);
}

void process_window_put(struct process_window *w, int64_t number, struct run_sample *s)
{
	const struct window_sums sum = sum_processes(w);
	double usage[USAGES], user_ns = NAN;

	run_sample_begin(s, w->subject);
	s->number = number;
	s->begin_ns = w->begin_ns;
	w->windows++;
	if (sum.ticked_ns >= TICKS_LEAST * w->tick_ns)
		user_ns = sum.cpu_ns * sum.ticked_user_ns / sum.ticked_ns;
	put_value(w, s, METRIC_CPU_TIME, sum.cpu_ns);
	put_value(w, s, METRIC_CPU_UTILISATION, sum.cpu_ns / w->of->window_ns);
	w->few_ticks += !put_value(w, s, METRIC_USER, user_ns);
	put_value(w, s, METRIC_SYS, sum.cpu_ns - user_ns);
	put_value(w, s, METRIC_RSS, sum.rss);
	put_value(w, s, METRIC_THREADS, sum.threads);
	put_value(w, s, METRIC_PAGE_FAULTS, sum.faults);
	w->threads_ended += !put_value(w, s, METRIC_CONTEXT_SWITCHES, sum.switches);
	put_io(w, s, &sum);
	usage_of_wall(w->of->window_ns, usage);
	usage[usage_find("user")] = user_ns;
	usage[usage_find("sys")] = sum.cpu_ns - user_ns;
	usage[usage_find("page-faults")] = sum.faults;
	usage[usage_find("context-switches")] = sum.switches;
	put_counts(w, s, usage);
}

/* Appends how many windows lack values, if any do. */
static void put_lack(const struct process_window *w, struct buf *lines, const char *name,
    const char *what, uint64_t windows, const char *why)
{
	if (windows)
		buf_printf(lines, "%s: no %s in %llu of %llu windows%s\n", name, what,
		    (unsigned long long)windows, (unsigned long long)w->windows, why);
}

void process_window_explain(const struct process_window *w, struct buf *lines)
{
	char *name = w->subject->aa
	                 ? str_format("%s (aa=%c)", w->subject->from->bench, w->subject->aa)
	                 : str_copy(w->subject->from->bench);
	char *ticks = str_format(", which had fewer than %d clock ticks of %g ms of "
	                         "processor time (a longer --window has more)",
	    TICKS_LEAST, w->tick_ns / 1e6);

	if (w->stopped)
		buf_printf(lines, "%s: a process was stopped when the run began\n", name);
	put_lack(w, lines, name, "user and sys", w->few_ticks, ticks);
	put_lack(w, lines, name, "context-switches", w->threads_ended,
	    ", because threads ended in them (-e context-switches counts them)");
	put_lack(w, lines, name, "block_in and block_out", w->children_ended,
	    ", because child processes ended in them, whose bytes the kernel adds to those "
	    "of the process");
	if (w->io_denied)
		buf_printf(lines,
		    "%s: block_in and block_out: permission denied (/proc/PID/io of a "
		    "process of another user needs root)\n",
		    name);
	if (w->incomplete)
		buf_printf(lines,
		    "%s: threads started while the counters were opened, so the counters "
		    "may lack some of them\n",
		    name);
	free(ticks);
	free(name);
}
