/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports operations; see whole_ops.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/clock.h"
#include "helper_io.h"
#include "helper_job.h"
#include "helper_spans.h"
#include "whole_ops.h"

enum { NAME_SHOWN = 60 };

/* The operations that an engine has reported. */
struct whole_ops {
	struct helper_span *op; /* with the mean times */
	size_t count, cap;
	bool rows;
	bool timed; /* whether the engine reported when an operation ran */
};

/* Adds an operation. */
static void add_mean(void *context, const char *node, const char *type, double ns)
{
	struct whole_ops *ops = context;
	struct helper_span s = { .category = HELPER_SPAN_OPERATION,
		.clock = HELPER_CLOCK_ENGINE,
		.duration_ns = ns };

	snprintf(s.name, sizeof(s.name), "%03zu %.*s", ops->count, NAME_SHOWN,
	    node && *node ? node : type);
	snprintf(s.detail, sizeof(s.detail), "%s", type ? type : "");
	if (ops->rows)
		helper_tell(METRIC_WALL, s.name, ns);
	*VEC_ADD(ops->op, ops->count, ops->cap) = s;
}

/* Adds the span of an operation that was reported before. */
static void add_span(void *context, const struct backend_op_span *when)
{
	struct whole_ops *ops = context;
	struct helper_span s;

	if (when->op >= ops->count)
		return;
	s = ops->op[when->op];
	s.start_ns = when->start_ns;
	s.duration_ns = when->ns;
	s.thread = when->thread;
	helper_spans_add(&s);
	ops->timed = true;
}

/* Adds the operations end to end, in their order, for an engine that does not report when
 * they ran. The last one ends now, unless that is too short a time for them. */
static void add_in_order(const struct whole_ops *ops, int64_t earliest_ns)
{
	double after_ns = 0, sum_ns = 0;
	int64_t start_ns;

	for (size_t i = 0; i < ops->count; i++)
		sum_ns += ops->op[i].duration_ns;
	start_ns = clock_monotonic_ns() - (int64_t)sum_ns;
	if (start_ns < earliest_ns)
		start_ns = earliest_ns;
	for (size_t i = 0; i < ops->count; i++) {
		struct helper_span s = ops->op[i];

		s.clock = HELPER_CLOCK_DERIVED;
		s.start_ns = start_ns + (int64_t)after_ns;
		after_ns += s.duration_ns;
		helper_spans_add(&s);
	}
}

void whole_ops_report(
    const struct backend_engine *engine, struct backend_model *m, bool rows)
{
	struct whole_ops ops = { .rows = rows };
	const struct backend_op_report to = { &ops, add_mean, add_span };
	char why[BACKEND_WHY + 1] = "";
	const int64_t start_ns = clock_monotonic_ns();
	int status = engine->time_ops ? engine->time_ops(m, &to, why) : 1;

	if (status < 0 || (status && rows))
		helper_give_up(HELPER_FAILED, "%s: %s", rows ? "--ops" : "--timeline",
		    status < 0 ? why : "the engine cannot measure operations");
	if (!ops.timed)
		add_in_order(&ops, start_ns);
	free(ops.op);
}
