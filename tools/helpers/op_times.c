/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures operations; see op_times.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "helper_io.h"
#include "helper_spans.h"
#include "helper_worker.h"
#include "op_times.h"

enum { PASSES = 5 }; /* over all operations; the median is reported */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Adds the row of an operation. Sorts its times. */
static void add_row(const struct graph_node *node, const char *part, double *time_ns)
{
	double median_ns;

	qsort(time_ns, PASSES, sizeof(*time_ns), by_size);
	median_ns = time_ns[PASSES / 2];
	helper_tell(METRIC_WALL, part, median_ns);
	if (node->flops > 0 && median_ns > 0)
		helper_tell(METRIC_FLOP_RATE, part, node->flops / median_ns * 1e9);
}

static void add_span(const struct graph_node *node, const char *part,
    const struct backend_op_span *when, enum helper_span_clock clock)
{
	struct helper_span s = { .category = HELPER_SPAN_OPERATION,
		.clock = clock,
		.thread = when->thread,
		.start_ns = when->start_ns,
		.duration_ns = when->ns };

	snprintf(s.name, sizeof(s.name), "%s", part);
	snprintf(s.detail, sizeof(s.detail), "%s", node->word);
	helper_spans_add(&s);
}

void op_times_tell(struct engine *e, enum model_phase phase, const char *before, bool rows)
{
	const struct graph *g = engine_graph(e, phase);
	double(*time_ns)[PASSES] = calloc(g->nodes + 1, sizeof(*time_ns));
	struct backend_op_span *span = calloc(g->nodes + 1, sizeof(*span));
	enum helper_span_clock clock = HELPER_CLOCK_HOST;
	struct fault f;

	if (!time_ns || !span)
		helper_give_up(HELPER_FAILED, "no memory");
	for (int pass = 0; pass < PASSES; pass++) {
		const int status = engine_time_nodes(e, phase, span, &f);

		if (status < 0)
			helper_give_up(HELPER_FAILED, "%s", f.text);
		clock = status ? HELPER_CLOCK_HOST : HELPER_CLOCK_DEVICE;
		for (size_t n = 0; n < g->nodes; n++)
			time_ns[n][pass] = span[n].ns;
	}
	for (size_t n = 0; n < g->nodes; n++) {
		char part[sizeof(((struct helper_extra *)0)->part)];

		snprintf(part, sizeof(part), "%s%03zu %s", before, n, g->node[n].name);
		if (rows)
			add_row(&g->node[n], part, time_ns[n]);
		add_span(&g->node[n], part, &span[n], clock);
	}
	free(time_ns);
	free(span);
}
