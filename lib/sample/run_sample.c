/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples; see run_sample.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "counters/counter_scale.h"
#include "sample/run_sample.h"

void run_sample_begin(struct run_sample *s, const struct subject *subject)
{
	*s = (struct run_sample){ .subject = subject,
		.process = ROW_NONE,
		.iterations = 1,
		.value = s->value,
		.cap = s->cap };
}

void run_sample_skip(struct run_sample *s, const struct subject *subject)
{
	run_sample_begin(s, subject);
	s->number = ROW_NONE;
	s->iterations = 0;
	s->begin_ns = clock_realtime_ns();
	s->status.outcome = subject->unsupported ? RUN_UNSUPPORTED : RUN_SKIPPED;
	run_sample_add(s, METRIC_WALL, NAN);
}

void run_sample_free(struct run_sample *s)
{
	free(s->value);
	*s = (struct run_sample){ 0 };
}

struct sample_value *run_sample_add_named(
    struct run_sample *s, const char *metric, const char *unit, double value)
{
	struct sample_value *v = VEC_ADD(s->value, s->values, s->cap);

	*v = (struct sample_value){ .metric = metric,
		.unit = unit,
		.value = value,
		.status = s->status,
		.iterations = s->iterations,
		.running_pct = 100,
		.t_ns = ROW_NONE,
		.worker = ROW_NONE };
	return v;
}

struct sample_value *run_sample_add(struct run_sample *s, enum run_metric m, double value)
{
	return run_sample_add_named(s, run_metric_name(m), run_metric_unit(m), value);
}

bool run_sample_counts(const struct counter_set *set, const char *metric)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->counter[i].state == COUNTER_READY &&
		    strcmp(set->counter[i].name, metric) == 0)
			return true;
	return false;
}

void run_sample_add_usage(struct run_sample *s, const struct counter_set *set,
    const double usage[USAGES], bool wall)
{
	for (size_t i = 0; i < USAGES; i++)
		if ((wall || usages[i].metric != METRIC_WALL) &&
		    !run_sample_counts(set, run_metric_name(usages[i].metric)))
			run_sample_add(s, usages[i].metric, usage[i]);
}

static void add_count(
    struct run_sample *s, const char *name, const char *unit, struct scaled_count count)
{
	struct sample_value *v = run_sample_add_named(s, name, unit, count.value);

	if (isnan(count.value))
		v->status = (struct run_status){ RUN_SKIPPED, 0 };
	else
		v->running_pct = count.running_pct;
}

void run_sample_add_counts(struct run_sample *s, const struct counter_set *set,
    const struct wire_count *counts, const double usage[USAGES])
{
	double per = (double)s->iterations;

	for (size_t i = 0; i < set->count; i++) {
		const struct counter *c = &set->counter[i];

		if (c->state == COUNTER_READY && !c->hidden)
			add_count(s, c->name, c->unit, counter_scale(c, &counts[i], per));
	}
	for (size_t i = 0; i < set->deriveds; i++) {
		const struct derived *d = &set->derived[i];

		if (derived_ready(set, d))
			add_count(
			    s, d->name, d->unit, derived_of(set, d, counts, usage, per));
	}
}

static struct run_status status_of(const struct counter *c)
{
	static const enum run_outcome outcomes[] = { [COUNTER_READY] = RUN_OK,
		[COUNTER_UNSUPPORTED] = RUN_UNSUPPORTED,
		[COUNTER_DENIED] = RUN_DENIED };

	return (struct run_status){ outcomes[c->state], 0 };
}

void run_sample_add_absent(
    struct run_sample *s, const struct counter_set *set, bool gpu_absent)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct counter *c = &set->counter[i];

		if (c->state != COUNTER_READY && c->asked && !c->hidden &&
		    !usage_has(c->name))
			run_sample_add_named(s, c->name, c->unit, NAN)->status =
			    status_of(c);
	}
	for (unsigned m = METRIC_GPU_POWER; gpu_absent && m <= METRIC_GPU_THROTTLE_OTHER;
	    m++)
		run_sample_add(s, (enum run_metric)m, NAN)->status.outcome =
		    RUN_UNSUPPORTED;
}

void run_sample_add_ok(struct run_sample *s)
{
	run_sample_add(s, METRIC_OK, run_is_ok(s->status))->status =
	    (struct run_status){ RUN_OK, 0 };
}
