/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures operations; see op_times.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper_io.h"
#include "helper_job.h"
#include "helper_spans.h"
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

/* Returns the pass whose operations took the median time in all. */
static const struct backend_op_span *median_pass(
    const struct backend_op_span *span, size_t nodes)
{
	double total_ns[PASSES] = { 0 }, sorted_ns[PASSES];
	int pass = 0;

	for (int p = 0; p < PASSES; p++)
		for (size_t n = 0; n < nodes; n++)
			total_ns[p] += span[(size_t)p * nodes + n].ns;
	memcpy(sorted_ns, total_ns, sizeof(sorted_ns));
	qsort(sorted_ns, PASSES, sizeof(*sorted_ns), by_size);
	while (total_ns[pass] < sorted_ns[PASSES / 2] ||
	       total_ns[pass] > sorted_ns[PASSES / 2])
		pass++;
	return span + (size_t)pass * nodes;
}

/* Times the operations in each pass. Returns whose clock that was. */
static enum helper_span_clock time_passes(
    struct engine *e, enum model_phase phase, struct backend_op_span *span, size_t nodes)
{
	int status = 0;
	struct fault f;

	for (size_t pass = 0; pass < PASSES && status >= 0; pass++)
		status = engine_time_nodes(e, phase, span + pass * nodes, &f);
	if (status < 0)
		helper_give_up(HELPER_FAILED, "%s", f.text);
	return status ? HELPER_CLOCK_HOST : HELPER_CLOCK_DEVICE;
}

void op_times_tell(struct engine *e, enum model_phase phase, const char *before, bool rows)
{
	const struct graph *g = engine_graph(e, phase);
	struct backend_op_span *span = calloc(PASSES * g->nodes + 1, sizeof(*span));
	const struct backend_op_span *shown;
	enum helper_span_clock clock;

	if (!span)
		helper_give_up(HELPER_FAILED, "no memory");
	clock = time_passes(e, phase, span, g->nodes);
	shown = median_pass(span, g->nodes);
	for (size_t n = 0; n < g->nodes; n++) {
		char part[sizeof(((struct helper_extra *)0)->part)];
		double time_ns[PASSES];

		for (size_t pass = 0; pass < PASSES; pass++)
			time_ns[pass] = span[pass * g->nodes + n].ns;
		snprintf(part, sizeof(part), "%s%03zu %s", before, n, g->node[n].name);
		if (rows)
			add_row(&g->node[n], part, time_ns);
		add_span(&g->node[n], part, &shown[n], clock);
	}
	free(span);
}
