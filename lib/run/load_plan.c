/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans a load from its options; see load_plan.h.
 */
#include <stdlib.h>
#include <unistd.h>

#include "run/load_plan.h"
#include "subject/compute.h"
#include "text/near_name.h"
#include "text/units.h"

/* The time of all periods, and how much longer they may take if the servers are too slow.
 */
static const double total_default_ns = 10e9, limit_factor = 3;

static int unknown_arrivals(const char *name, struct fault *f)
{
	struct known_names known = { .advice = "or a file" };

	known_names_add_all(
	    &known, arrivals_names, sizeof(*arrivals_names), arrivals_names_count);
	return unknown_name(f, "unknown value", text_of(name), &known);
}

/* Reads --arrivals: a name, or a file. */
static int read_arrivals(struct load_plan *l, const char *what, struct fault *f)
{
	struct buf contents = { 0 };
	int status;

	if (!what || arrivals_find(what, &l->arrivals.kind))
		return 0;
	if (!strchr(what, '/') && access(what, F_OK) < 0)
		return unknown_arrivals(what, f);
	status = file_read_up_to(what, ARRIVALS_FILE_MAX, &contents, f);
	if (status == 0)
		status = arrivals_parse(
		    text_in(&contents), what, &l->arrivals, f);
	buf_free(&contents);
	return status;
}

/* Checks that there is a rate if, and only if, the arrivals need one. */
static int check_rate(const struct load_plan *l, const struct load_opts *o, struct fault *f)
{
	bool needs = arrivals_need_rate(l->arrivals.kind);

	if (needs && !o->rate)
		return fault_set(f, "--arrivals %s requires --rate", o->arrivals);
	if (!needs && o->rate)
		return fault_set(f,
		    "--arrivals %s determines the rate and cannot be combined with --rate",
		    o->arrivals);
	if (l->arrivals.kind == ARRIVALS_FILE && o->min_ns)
		return fault_set(f, "-t: the file of --arrivals determines the time");
	return 0;
}

const char *load_plan_option(const char *rate, const char *scenario)
{
	return scenario ? "--scenario" : rate ? "--rate" : "--arrivals";
}

bool load_plan_searches(const char *rate)
{
	return rate && strcmp(rate, "max") == 0;
}

uint32_t load_plan_batch(const struct subject *s)
{
	double batch;

	for (size_t i = 0; i < s->factors; i++)
		if (strcmp(s->factor[i].name, "batch") == 0 &&
		    number_parse(text_of(s->factor[i].value), &batch) && batch >= 1 &&
		    batch <= ARRIVALS_MAX)
			return (uint32_t)batch;
	return 1;
}

/* Reads --scenario, which chooses the arrivals. */
static int read_scenario(struct load_plan *l, const struct load_opts *o,
    const struct subjects *subjects, struct fault *f)
{
	struct scenario_given given = { .arrivals = o->arrivals,
		.rate = o->rate,
		.level = o->slo,
		.requests = o->runs,
		.window = o->window_ns };

	if (!o->scenario)
		return 0;
	l->scenario = scenario_find(o->scenario, f);
	if (!l->scenario)
		return -1;
	for (size_t i = 0; i < subjects->count && !given.requests; i++)
		given.requests = subjects->subject[i].from->runs;
	if (scenario_check(l->scenario, &given, f) < 0)
		return -1;
	for (size_t i = 0; i < subjects->count; i++)
		if (scenario_check_subject(l->scenario, subjects->subject[i].workers,
		        load_plan_batch(&subjects->subject[i]), given.window, f) < 0)
			return -1;
	l->arrivals.kind = l->scenario->arrivals;
	return 0;
}

/* Checks the options of a search. */
static int check_search(const struct load_opts *o, struct fault *f)
{
	if (!o->slo)
		return fault_set(f, "--rate max requires --slo");
	if (o->runs || o->min_ns)
		return fault_set(f,
		    "--rate max chooses the number of requests and cannot be combined "
		    "with -r or -t; -T limits its time");
	return 0;
}

/* Reads the number of requests, the time of all periods and the window of batches. */
static int read_size(struct load_plan *l, const struct load_opts *o, struct fault *f)
{
	*l = (struct load_plan){ .requests = o->runs ? *o->runs : 0,
		.total_ns = o->min_ns ? *o->min_ns : total_default_ns,
		.window_ns = o->window_ns ? *o->window_ns : 0 };
	if (o->window_ns && !(l->window_ns > 0))
		return fault_set(f, "--batch-window must be above 0");
	if (!(l->total_ns > 0))
		return fault_set(f, "-t must be above 0 under load");
	return 0;
}

/* Sets how long all periods together may take; 0: without a limit. */
static void set_limit(struct load_plan *l, const struct load_opts *o)
{
	if (!o->min_ns && o->max_ns && *o->max_ns < l->total_ns)
		l->total_ns = *o->max_ns;
	if (o->max_ns)
		l->limit_ns = *o->max_ns;
	else if (l->search || o->runs || l->arrivals.kind == ARRIVALS_FILE)
		l->limit_ns = 0;
	else
		l->limit_ns = limit_factor * l->total_ns;
}

/* Reads --slo, whose limits all subjects must be able to keep. */
static int read_level(struct load_plan *l, const struct load_opts *o,
    const struct subjects *subjects, struct fault *f)
{
	l->has_slo = o->slo != NULL;
	if (!o->slo)
		return 0;
	if (slo_parse(o->slo, &l->slo, f) < 0)
		return fault_prefix(f, "--slo");
	for (size_t i = 0; slo_limits_tokens(&l->slo) && i < subjects->count; i++)
		if (!subjects->subject[i].work || !subjects->subject[i].work->new_tokens)
			return fault_set(f,
			    "--slo: %s generates no tokens, so it has no times of tokens",
			    subjects->subject[i].from->bench);
	return 0;
}

/* Checks that a subject can be run as planned. */
static int check_subject(const struct load_plan *l, const struct load_opts *o,
    const struct subject *s, struct load_periods periods, struct fault *f)
{
	struct arrivals_size size =
	    load_plan_size(l, s, s->work ? periods.of_lists : periods.of_others);

	if (l->window_ns > 0 && load_plan_batch(s) < 2)
		return fault_set(f, "--batch-window requires -P batch=N, for an N above 1");
	if (!l->search && arrivals_check(&l->arrivals, &size, f) < 0)
		return fault_prefix(f, "%s", load_plan_option(o->rate, o->scenario));
	return 0;
}

int load_plan_read(struct load_plan *l, const struct load_opts *o,
    const struct subjects *subjects, struct load_periods periods, struct fault *f)
{
	if (read_size(l, o, f) < 0 || read_scenario(l, o, subjects, f) < 0)
		return -1;
	if (read_arrivals(l, o->scenario ? NULL : o->arrivals, f) < 0)
		return fault_prefix(f, "--arrivals");
	if (o->window_ns && l->arrivals.kind == ARRIVALS_CLOSED)
		return fault_set(
		    f, "--arrivals closed cannot be combined with --batch-window");
	l->search = load_plan_searches(o->rate);
	set_limit(l, o);
	if (check_rate(l, o, f) < 0 || (l->search && check_search(o, f) < 0) ||
	    read_level(l, o, subjects, f) < 0)
		return -1;
	for (size_t i = 0; i < subjects->count; i++)
		if (check_subject(l, o, &subjects->subject[i], periods, f) < 0)
			return -1;
	return 0;
}

void load_plan_free(struct load_plan *l)
{
	arrivals_free(&l->arrivals);
}

struct arrivals_size load_plan_size(
    const struct load_plan *l, const struct subject *s, uint64_t periods)
{
	return (struct arrivals_size){ .rate = s->rate,
		.requests = s->from->runs ? s->from->runs : l->requests,
		.period_ns = l->total_ns / (double)periods };
}

double load_plan_limit_ns(const struct load_plan *l, uint64_t periods)
{
	return l->limit_ns / (double)periods;
}
