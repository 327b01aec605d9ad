/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See scenario.h.
 */
#include "load/scenario.h"
#include "text/near_name.h"

const struct scenario scenarios[] = {
	{ "single-stream", ARRIVALS_CLOSED, true, false, "latency", "p90" },
	{ "multi-stream", ARRIVALS_CLOSED, true, true, "latency", "p99" },
	{ "offline", ARRIVALS_BURST, false, false, "throughput", "median" },
	{ "server", ARRIVALS_POISSON, false, false, "latency", "p99" },
};
const size_t scenarios_count = COUNT(scenarios);

const struct scenario *scenario_find(const char *name, struct fault *f)
{
	struct known_names known = { 0 };

	for (size_t i = 0; i < scenarios_count; i++)
		if (strcmp(name, scenarios[i].name) == 0)
			return &scenarios[i];
	known_names_add_all(
	    &known, &scenarios[0].name, sizeof(*scenarios), scenarios_count);
	unknown_name(f, "unknown scenario", text_of(name), &known);
	return NULL;
}
