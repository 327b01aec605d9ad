/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scenarios of MLPerf Inference, as settings of a load (V. J. Reddi and others, "MLPerf
 * Inference Benchmark", ISCA 2020, section III-D). Pure.
 */
#ifndef LOAD_SCENARIO_H
#define LOAD_SCENARIO_H

#include "load/arrivals.h"

/* The statistic that is the result of a scenario. */
struct scenario {
	const char *name;
	enum arrivals_kind arrivals;
	bool one_server;       /* has exactly one server */
	bool needs_batch;      /* a request is a batch of several queries */
	const char *metric;    /* of the result ... */
	const char *statistic; /* ... and its statistic */
};

extern const struct scenario scenarios[];
extern const size_t scenarios_count;

/* Returns the scenario of this name; NULL and the message if there is none. */
const struct scenario *scenario_find(const char *name, struct fault *f);

#endif
