/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scenarios of MLPerf Inference, as settings of a load (MLCommons, "MLPerf Inference
 * Rules", chapter "Scenarios"; V. J. Reddi and others, "MLPerf Inference Benchmark", ISCA
 * 2020, section III-D). The rules call a request a query, and its inputs samples. Pure.
 */
#ifndef LOAD_SCENARIO_H
#define LOAD_SCENARIO_H

#include "load/arrivals.h"

/* The number of inputs of a request. */
enum scenario_inputs { INPUTS_ONE, INPUTS_SEVERAL, INPUTS_ANY };

struct scenario {
	const char *name;
	enum arrivals_kind arrivals;
	bool one_server;  /* excludes several servers */
	bool needs_level; /* requires a service level */
	enum scenario_inputs inputs;
	/* The result: this quantile of a metric, or with 0 its median over the periods. A
	 * search has another metric, or NULL. */
	const char *metric, *search_metric;
	double quantile;
};

extern const struct scenario scenarios[];
extern const size_t scenarios_count;

/* The options that are given; NULL or false: not given. */
struct scenario_given {
	const char *arrivals;
	bool rate, level, requests, window;
};

/* Returns the scenario of this name; NULL and the message if there is none. */
const struct scenario *scenario_find(const char *name, struct fault *f);
/* Checks that no option contradicts a scenario and none is missing. Returns 0, or -1 and
 * the message. */
int scenario_check(
    const struct scenario *s, const struct scenario_given *given, struct fault *f);
/* Checks the number of servers of a subject, and of the inputs in its batch; window: it has
 * a --batch-window. Returns 0, or -1 and the message. */
int scenario_check_subject(const struct scenario *s, uint32_t servers, uint32_t batch,
    bool window, struct fault *f);

#endif
