/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines that bench-run prints for people. Pure.
 */
#ifndef BRIEF_BRIEF_H
#define BRIEF_BRIEF_H

#include "compare/noise_floor.h"
#include "load/scenario.h"
#include "record/collect.h"
#include "record/metric.h"

struct brief_opts {
	struct inference_opts inference;
	double threshold;                /* largest relative difference treated as none */
	struct noise_floor *floors;      /* of the groups; NULL: none */
	const struct scenario *scenario; /* of the load; its result is in the lines of each
	                                    subject; NULL: none */
	double level; /* the share of requests that must keep its service level */
	size_t width; /* columns of the terminal */
	bool utf8, color;
	/* The run compared the subjects after each block: no comparison is printed, because
	 * its interval would assume that the number of samples did not depend on them. */
	bool decided;
	bool verbose; /* all lines about all subjects, and findings with advice */
};

/*
 * Appends the lines about all subjects. The values were collected with COLLECT_IDENTITY,
 * are in the order of the input, and stay so; collect_finish() has been called.
 */
void brief_put(struct buf *b, const struct groups *groups, struct collect *collect,
    const struct metrics *metrics, const struct brief_opts *opts);

#endif
