/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits of the clocks of GPUs; see gpu_limits.h.
 */
#include <stdlib.h>
#include <string.h>

#include "summary/gpu_limits.h"
#include "text/display_text.h"

static const char prefix[] = "gpu_throttle_";

/* Appends the columns that distinguish a group. */
static void put_group_name(const struct groups *g, size_t group, struct buf *line)
{
	size_t *id, keys = groups_columns(g, &id);

	for (size_t k = 0; k < keys; k++) {
		struct text t = groups_cell(g, group, id[k]);

		if (!t.len || id[k] == COL_UNIT || id[k] == COL_METRIC ||
		    groups_constant(g, id[k]))
			continue;
		if (id[k] != COL_BENCH)
			buf_printf(line, "%s=", groups_schema(g)->name[id[k]]);
		display_text_clean(line, t);
		buf_byte(line, ' ');
	}
	free(id);
	display_text_clean(line, groups_cell(g, group, COL_METRIC));
}

void gpu_limits_explain(const struct groups *g, struct collect *c, struct buf *lines)
{
	for (size_t i = 0; i < groups_count(g); i++) {
		struct text metric = groups_cell(g, i, COL_METRIC);
		const struct collected *values = collect_group(c, i);
		size_t limited = 0;

		if (metric.len < sizeof(prefix) ||
		    memcmp(metric.ptr, prefix, sizeof(prefix) - 1) != 0)
			continue;
		for (size_t k = 0; k < values->count; k++)
			limited += values->value[k] > 0;
		if (!limited || limited == values->count)
			continue;
		put_group_name(g, i, lines);
		buf_printf(lines,
		    ": the clock of the GPU was limited in %zu of %zu samples, so the "
		    "samples are not taken under the same conditions\n",
		    limited, values->count);
	}
}
