/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of processors; see cpu_counters.h.
 */
#include <stdlib.h>
#include <string.h>

#include "counters/cpu_counters.h"
#include "counters/pmu.h"
#include "text/number_set.h"

struct cpu_counters {
	const struct counter_set *set;
	struct placed_counters *placed;
	struct cpu_numbers cpus;
	bool expired;
};

/* The processors on which each event is counted. */
struct event_cpus {
	bool **of; /* by event: CPUS_MAX places; NULL: all */
	struct cpu_numbers cpus;
};

/* Returns the type of the PMU of an event. That of a generic event of one kind of
 * processors is in the upper half of its configuration. */
static uint32_t pmu_type_of(const struct counter *c)
{
	const uint32_t kind = (uint32_t)(c->attr.config >> 32);

	return (c->attr.type == PERF_TYPE_HARDWARE || c->attr.type == PERF_TYPE_HW_CACHE) &&
	               kind
	           ? kind
		   : c->attr.type;
}

static struct event_cpus event_cpus_find(
    const struct counter_set *set, struct cpu_numbers cpus)
{
	struct event_cpus e = { .of = mem_zero(set->count, sizeof(*e.of)), .cpus = cpus };

	for (size_t i = 0; i < set->count && set->files_open; i++) {
		e.of[i] = mem_zero(CPUS_MAX, sizeof(**e.of));
		if (pmu_cpus(&set->files, pmu_type_of(&set->counter[i]), e.of[i]))
			continue;
		free(e.of[i]);
		e.of[i] = NULL;
	}
	return e;
}

static void event_cpus_free(struct event_cpus *e, size_t events)
{
	for (size_t i = 0; i < events; i++)
		free(e->of[i]);
	free(e->of);
}

/* Returns whether an event is counted on a processor. */
static bool has_event(const void *ctx, size_t event, size_t place)
{
	const struct event_cpus *e = ctx;

	const unsigned cpu = e->cpus.number[place % e->cpus.count];

	return !e->of[event] || e->of[event][cpu];
}

static struct counter_place cpu_place(unsigned number, int group)
{
	return (struct counter_place){
		.tid = group, .cpu = (int)number, .in_group = group >= 0
	};
}

void cpu_counters_try(
    struct counter_set *set, struct counter_groups *groups, struct cpu_numbers cpus)
{
	struct counter_place *place = mem_zero(cpus.count + 1, sizeof(*place));
	struct event_cpus on = event_cpus_find(set, cpus);

	for (size_t i = 0; i < cpus.count; i++)
		place[i] = cpu_place(cpus.number[i], cpus.group);
	/* A group may be idle, so the whole processor is the quiet place. */
	place[cpus.count] = cpu_place(cpus.number[0], -1);
	placed_counters_try(set,
	    &(struct counter_trials){ .place = place,
	        .count = cpus.count + (cpus.group >= 0),
	        .quiet = cpus.group >= 0 ? cpus.count : 0,
	        .has = has_event,
	        .ctx = &on },
	    groups);
	event_cpus_free(&on, set->count);
	free(place);
}

/* Opens the counters on the processors. Returns 0 or an errno. */
static int open_cpus(struct cpu_counters *c, struct cpu_numbers cpus)
{
	struct event_cpus on = event_cpus_find(c->set, cpus);
	bool *lacks = mem_zero(c->set->count, sizeof(*lacks));
	int error = 0;

	c->cpus.number = mem_resize(c->cpus.number, cpus.count, sizeof(*c->cpus.number));
	memcpy(c->cpus.number, cpus.number, cpus.count * sizeof(*cpus.number));
	c->cpus.count = cpus.count;
	c->cpus.group = cpus.group;
	c->expired = false;
	placed_counters_keep(c->placed, 0);
	for (size_t i = 0; i < cpus.count && !error; i++) {
		for (size_t k = 0; k < c->set->count; k++)
			lacks[k] = !has_event(&on, k, i);
		error = placed_counters_add(
		    c->placed, cpu_place(cpus.number[i], cpus.group), lacks);
	}
	free(lacks);
	event_cpus_free(&on, c->set->count);
	return error;
}

struct cpu_counters *cpu_counters_open(const struct counter_set *set,
    const struct counter_groups *groups, struct cpu_numbers cpus, struct fault *f)
{
	struct cpu_counters *c = mem_zero(1, sizeof(*c));
	int error;

	c->set = set;
	c->placed = placed_counters_new(set, groups);
	error = open_cpus(c, cpus);
	if (!error)
		return c;
	placed_counters_fail(c->placed, "processors", error, f);
	cpu_counters_close(c);
	return NULL;
}

void cpu_counters_close(struct cpu_counters *c)
{
	if (!c)
		return;
	placed_counters_close(c->placed);
	free(c->cpus.number);
	free(c);
}

void cpu_counters_follow(struct cpu_counters *c, struct cpu_numbers cpus)
{
	if (!c->expired && cpus.count == c->cpus.count &&
	    memcmp(cpus.number, c->cpus.number, cpus.count * sizeof(*cpus.number)) == 0)
		return;
	if (open_cpus(c, cpus))
		placed_counters_keep(c->placed, 0);
}

void cpu_counters_expire(struct cpu_counters *c)
{
	c->expired = true;
}

void cpu_counters_read(const struct cpu_counters *c, struct wire_count *out)
{
	const size_t places = placed_counters_places(c->placed), events = c->set->count;

	memset(out, 0, c->cpus.count * events * sizeof(*out));
	for (size_t i = 0; i < places; i++)
		placed_counters_read(c->placed, i, &out[i * events]);
}
