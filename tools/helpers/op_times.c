/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures operations; see op_times.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "helper_io.h"
#include "helper_worker.h"
#include "op_times.h"

enum { PASSES = 5 }; /* over all operations; the median is reported */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void op_times_tell(struct engine *e, enum model_phase phase, const char *before)
{
	const struct graph *g = engine_graph(e, phase);
	double(*time_ns)[PASSES] = calloc(g->nodes + 1, sizeof(*time_ns));
	double *once_ns = calloc(g->nodes + 1, sizeof(*once_ns));
	struct fault f;

	if (!time_ns || !once_ns)
		helper_give_up(HELPER_FAILED, "no memory");
	for (int pass = 0; pass < PASSES; pass++) {
		if (engine_time_nodes(e, phase, once_ns, &f) < 0)
			helper_give_up(HELPER_FAILED, "%s", f.text);
		for (size_t n = 0; n < g->nodes; n++)
			time_ns[n][pass] = once_ns[n];
	}
	for (size_t n = 0; n < g->nodes; n++) {
		char part[sizeof(((struct helper_extra *)0)->part)];
		double median_ns;

		qsort(time_ns[n], PASSES, sizeof(double), by_size);
		median_ns = time_ns[n][PASSES / 2];
		snprintf(part, sizeof(part), "%s%03zu %s", before, n, g->node[n].name);
		helper_tell(METRIC_WALL, part, median_ns);
		if (g->node[n].flops > 0 && median_ns > 0)
			helper_tell(
			    METRIC_FLOP_RATE, part, g->node[n].flops / median_ns * 1e9);
	}
	free(time_ns);
	free(once_ns);
}
