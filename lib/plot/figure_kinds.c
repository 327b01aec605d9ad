/*
 * The kinds of pictures. A new one is a row here and a template share/plots/NAME.gp, and a
 * source of its own where it is not samples of one metric that are drawn.
 */
#include <string.h>

#include "plot/figure.h"

const struct figure_kind figure_kinds[] = {
	{ "line", "medians along a numeric factor, with their intervals", &figure_samples,
	    .interval = true },
	{ "bar", "medians from zero, with their intervals", &figure_samples, .lanes = true,
	    .from_zero = true, .interval = true },
	{ "box", "quartiles, whiskers and outliers", &figure_samples, .lanes = true,
	    .outliers = true },
	{ "strip", "every value as a dot, and the median", &figure_samples, .lanes = true,
	    .dots = true },
	{ "hist", "how many values lie in each bin", &figure_samples, .lanes = true,
	    .all_lanes = true, .bins = true },
	{ "ecdf", "the share of the values up to each value", &figure_samples,
	    .all_series = true, .steps = true },
	{ "heat", "medians of two factors, as cells with their numbers", &figure_samples,
	    .lanes = true, .grid = true },
	{ "flame", "stacks of a profile, frames on their callers; --diff: what changed",
	    .flame = true },
	{ "trend", "a history along time or commits, with its changes", &figure_trend,
	    .interval = true, .history = true },
	{ "timeline", "memory, processors, power ... over the time of a run",
	    &figure_timeline, .panels = true },
	{ "roofline", "kernels below what their device can reach", &figure_roofline,
	    .interval = true, .roofs = true },
	{ "compare", "ratios of old and new with intervals, from bench-compare",
	    .lanes = true, .interval = true, .forest = true, .read = figure_forest },
	{ "speedup", "how many times as fast with more workers or threads", &figure_samples,
	    .interval = true, .ratios = true, .x = "workers,threads", .metric = "speedup" },
};
const size_t figure_kinds_count = COUNT(figure_kinds);

const struct figure_kind *figure_kind_find(const char *name)
{
	for (size_t i = 0; i < figure_kinds_count; i++)
		if (strcmp(figure_kinds[i].name, name) == 0)
			return &figure_kinds[i];
	return NULL;
}
