/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of all kinds; see window.h.
 */
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "sys/interrupt.h"
#include "window/window_priv.h"

/* By kind of subject; NULL: bench-run starts it. */
static const struct window_kind *const kinds[KINDS] = { [KIND_PROCESS] = &process_window,
	[KIND_MACHINE] = &machine_window,
	[KIND_GROUP] = &group_window };

bool window_measures(const struct subject *subject)
{
	return kinds[subject->from->kind] && !subject->skipped;
}

void window_try_events(struct window_means *means, const struct subjects *subjects)
{
	bool tried[KINDS] = { 0 };

	for (size_t i = 0; i < subjects->count; i++) {
		const enum subject_kind kind = subjects->subject[i].from->kind;

		if (!window_measures(&subjects->subject[i]) || tried[kind])
			continue;
		tried[kind] = true;
		kinds[kind]->try_events(means, subjects);
	}
}

void cpu_numbers_of(struct cpu_numbers *out, const struct machine_reading *r)
{
	out->number = mem_resize(out->number, r->cpus, sizeof(*out->number));
	out->count = r->cpus;
	for (size_t i = 0; i < r->cpus; i++)
		out->number[i] = r->cpu[i].number;
}

bool window_has_events(const struct time_window *w)
{
	const struct counter_set *set = w->means->set;

	for (size_t i = 0; i < set->count; i++)
		if (set->counter[i].state == COUNTER_READY)
			return true;
	return false;
}

struct time_window *window_open(const struct subject *subject, size_t number,
    struct window_means *means, const struct time_window *twin, struct fault *f)
{
	struct time_window *w = mem_zero(1, sizeof(*w));

	*w = (struct time_window){ .kind = kinds[subject->from->kind],
		.subject = subject,
		.number = number,
		.means = means };
	for (int i = 0; i < WINDOW_SIDES; i++)
		w->count[i] = mem_zero(means->set->count, sizeof(**w->count));
	if (w->kind->open(w, twin, f) == 0)
		return w;
	window_close(w);
	return NULL;
}

void window_close(struct time_window *w)
{
	if (!w)
		return;
	w->kind->close(w);
	for (int i = 0; i < WINDOW_SIDES; i++)
		free(w->count[i]);
	free(w);
}

/* Waits until a time of CLOCK_MONOTONIC, or until the subject ends. A signal that comes
 * just before the wait also ends it. Returns false after a signal. */
static bool wait_until(struct time_window *w, int64_t at_ns)
{
	struct pollfd *end = NULL;
	const size_t ends = w->kind->ends ? w->kind->ends(w, &end) : 0;
	sigset_t signals, before;
	int ready = 0;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &before);
	while (!interrupt_seen() && ready <= 0) {
		const int64_t left_ns = at_ns - clock_monotonic_ns();
		const struct timespec left = { .tv_sec = (time_t)(left_ns / 1000000000),
			.tv_nsec = (long)(left_ns % 1000000000) };

		if (left_ns <= 0)
			break;
		ready = ppoll(end, (nfds_t)ends, &left, &before);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return !interrupt_seen();
}

bool window_start(struct time_window *w)
{
	w->begin_ns = clock_realtime_ns();
	return w->kind->read(w, WINDOW_FROM);
}

bool window_stop(struct time_window *w)
{
	return w->kind->read(w, WINDOW_TO);
}

enum window_end window_take(struct time_window *w)
{
	struct energy_meter *meter = w->means->meter;
	bool whole;

	if (!window_start(w))
		return WINDOW_CUT;
	energy_meter_start(meter);
	whole = wait_until(w, w->at_ns[WINDOW_FROM] + (int64_t)w->window_ns);
	energy_meter_stop_window(meter, w->number, w->window_ns);
	if (!whole)
		return WINDOW_INTERRUPTED;
	return window_stop(w) ? WINDOW_WHOLE : WINDOW_CUT;
}

const char *window_ended(const struct time_window *w)
{
	return w->ended.text;
}

double window_wall_ns(const struct time_window *w)
{
	return (double)(w->at_ns[WINDOW_TO] - w->at_ns[WINDOW_FROM]);
}

double window_cpu_ns(const struct time_window *w)
{
	return w->kind->cpu_ns(w);
}

/* Returns the nominal length; without one, the time between two readings. */
static double span_ns(const struct time_window *w, int64_t from_ns, int64_t to_ns)
{
	return w->window_ns > 0 ? w->window_ns : (double)(to_ns - from_ns);
}

double window_scale(const struct time_window *w, int64_t from_ns, int64_t to_ns)
{
	return span_ns(w, from_ns, to_ns) / (double)(to_ns - from_ns);
}

double window_length_of(const struct time_window *w)
{
	return span_ns(w, w->at_ns[WINDOW_FROM], w->at_ns[WINDOW_TO]);
}

int64_t window_begin_ns(const struct time_window *w)
{
	return w->begin_ns;
}

bool window_put_value(
    struct time_window *w, struct run_sample *s, enum run_metric m, double value)
{
	if (run_sample_counts(w->means->set, run_metric_name(m)))
		return true;
	struct sample_value *v = run_sample_add(s, m, value);

	if (isnan(value))
		v->status.outcome = RUN_SKIPPED;
	return !isnan(value);
}

void window_put_counts(struct time_window *w, struct run_sample *s,
    const struct wire_count *from, const struct wire_count *to, bool always,
    const double usage[USAGES])
{
	const struct counter_set *set = w->means->set;
	const double scale =
	    window_scale(w, w->counted_at_ns[WINDOW_FROM], w->counted_at_ns[WINDOW_TO]);
	struct wire_count *n = mem_zero(set->count, sizeof(*n));

	for (size_t i = 0; i < set->count; i++) {
		const struct wire_count *a = &from[i], *b = &to[i];

		if (b->value < a->value || b->enabled_ns < a->enabled_ns)
			continue;
		n[i] = (struct wire_count){ (uint64_t)llround(
			                        (double)(b->value - a->value) * scale),
			b->enabled_ns - a->enabled_ns, b->running_ns - a->running_ns };
		/* Counters of a process are enabled only while it runs. */
		if (!n[i].enabled_ns && !always)
			n[i].enabled_ns = n[i].running_ns = 1;
	}
	run_sample_add_counts(s, set, n, usage);
	free(n);
}

void window_put(struct time_window *w, struct run_sample *s)
{
	w->taken++;
	if (!(w->window_ns > 0))
		run_sample_add(s, METRIC_WALL,
		    span_ns(w, w->counted_at_ns[WINDOW_FROM], w->counted_at_ns[WINDOW_TO]));
	w->kind->put(w, s);
}

void window_put_lack(const struct time_window *w, struct buf *lines, const char *name,
    const char *what, uint64_t windows, const char *why)
{
	if (windows)
		buf_printf(lines, "%s: no %s in %llu of %llu windows%s\n", name, what,
		    (unsigned long long)windows, (unsigned long long)w->taken, why);
}

void window_explain(const struct time_window *w, struct buf *lines)
{
	char *name = w->subject->aa
	                 ? str_format("%s (aa=%c)", w->subject->from->bench, w->subject->aa)
	                 : str_copy(w->subject->from->bench);

	w->kind->explain(w, name, lines);
	free(name);
}
