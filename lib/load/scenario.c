/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the scenarios of MLPerf as settings of a load; see scenario.h.
 */
#include "load/scenario.h"
#include "text/near_name.h"

const struct scenario scenarios[] = {
	{ "single-stream", ARRIVALS_CLOSED, true, false, INPUTS_ONE, "latency", NULL, 0.9 },
	{ "multi-stream", ARRIVALS_CLOSED, true, false, INPUTS_SEVERAL, "latency", NULL,
	    0.99 },
	{ "offline", ARRIVALS_BURST, false, false, INPUTS_ANY, "throughput", NULL, 0 },
	{ "server", ARRIVALS_POISSON, false, true, INPUTS_ONE, "slo_share", "max_rate", 0 },
};
const size_t scenarios_count = COUNT(scenarios);

const struct scenario *scenario_find(const char *name, struct fault *f)
{
	struct known_names known = { 0 };

	for (size_t i = 0; i < scenarios_count; i++)
		if (strcmp(name, scenarios[i].name) == 0)
			return &scenarios[i];
	known_names_add_all(&known, scenarios, sizeof(*scenarios), scenarios_count);
	unknown_name(f, "--scenario: unknown scenario", text_of(name), &known);
	return NULL;
}

int scenario_check(
    const struct scenario *s, const struct scenario_given *given, struct fault *f)
{
	const char *arrivals = arrivals_names[s->arrivals];
	bool rated = arrivals_need_rate(s->arrivals);

	if (given->arrivals && strcmp(given->arrivals, arrivals) != 0)
		return fault_set(f,
		    "--scenario %s has the arrivals %s and cannot be combined with "
		    "--arrivals %s",
		    s->name, arrivals, given->arrivals);
	if (rated && !given->rate)
		return fault_set(
		    f, "--scenario %s requires --rate N, or --rate max", s->name);
	if (!rated && given->rate)
		return fault_set(
		    f, "--scenario %s cannot be combined with --rate", s->name);
	if (s->needs_level && !given->level)
		return fault_set(f, "--scenario %s requires --slo", s->name);
	if (s->arrivals == ARRIVALS_BURST && !given->requests)
		return fault_set(f,
		    "--scenario %s requires -r N: all N requests of a period arrive at its "
		    "beginning",
		    s->name);
	if (s->arrivals == ARRIVALS_CLOSED && given->window)
		return fault_set(
		    f, "--scenario %s cannot be combined with --batch-window", s->name);
	return 0;
}

int scenario_check_subject(const struct scenario *s, uint32_t servers, uint32_t batch,
    bool window, struct fault *f)
{
	if (s->one_server && servers > 1)
		return fault_set(f,
		    "--scenario %s has one server and cannot be combined with %u workers",
		    s->name, servers);
	if (s->inputs == INPUTS_ONE && batch > 1 && !window)
		return fault_set(f,
		    "--scenario %s has one input in a request and cannot be combined with "
		    "-P batch=%u%s",
		    s->name, batch, s->one_server ? "" : " without --batch-window");
	if (s->inputs == INPUTS_SEVERAL && batch < 2)
		return fault_set(f,
		    "--scenario %s requires -P batch=N, for an N above 1: a request has N "
		    "inputs, 8 in MLPerf",
		    s->name);
	return 0;
}
