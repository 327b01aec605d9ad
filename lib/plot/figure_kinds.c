/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of plots and the presets; see figure_kinds.h. A new kind needs a row here, a
 * template share/plots/NAME.gp and, if it shows anything other than samples of one metric,
 * its own source and form.
 */
#include <string.h>

#include "figure/figure_forest.h"
#include "figure/figure_load.h"
#include "figure/figure_roofline.h"
#include "figure/figure_samples.h"
#include "figure/figure_timeline.h"
#include "figure/figure_tokens.h"
#include "figure/figure_trend.h"
#include "plot/figure_kinds.h"
#include "plot/forms.h"

const struct figure_kind figure_kinds[] = {
	{ "line", "medians over a numeric factor, with intervals", &form_line,
	    &figure_samples, .interval = true, .limits = true },
	{ "bar", "medians from zero, with intervals", &form_lanes, &figure_samples,
	    .lanes = true, .from_zero = true, .interval = true, .limits = true },
	{ "box", "quartiles, whiskers and outliers", &form_lanes, &figure_samples,
	    .lanes = true, .outliers = true, .limits = true },
	{ "strip", "every value as a dot, with the median", &form_lanes, &figure_samples,
	    .lanes = true, .dots = true, .limits = true },
	{ "hist", "histogram of each subject", &form_lanes, &figure_samples, .lanes = true,
	    .all_lanes = true, .bins = true, .limits = true },
	{ "ecdf", "empirical distribution function of each subject", &form_line,
	    &figure_samples, .all_series = true, .steps = true, .limits = true },
	{ "quantiles", "quantiles of each subject up to the tail, with intervals",
	    &form_line, &figure_samples, .all_series = true, .quantiles = true,
	    .limits = true },
	{ "heat", "medians of two factors, as colored cells", &form_grid, &figure_samples,
	    .lanes = true, .grid = true, .limits = true },
	{ "flame", "flame graph of a profile; --diff compares two", .form = NULL },
	{ "trend", "history over time or commits, with its changes", &form_trend,
	    &figure_trend, .interval = true, .limits = true },
	{ "timeline", "memory, processors, power and more during a run", &form_timeline,
	    .source = &figure_timeline, .own_series = true },
	{ "tokens", "generated tokens of each request over time", &form_tokens,
	    .source = &figure_tokens, .own_series = true, .lanes = true },
	{ "roofline", "kernels and models below the peaks of their device", &form_roofline,
	    &figure_roofline, .own_series = true, .interval = true },
	{ "compare", "ratios of new to old, from bench-compare", &form_lanes, .lanes = true,
	    .interval = true, .around_one = true, .read = figure_forest },
	{ "speedup", "speedup over workers or threads", &form_line, &figure_samples,
	    .interval = true, .limits = true, .ratios = true, .x = "workers,threads",
	    .metric = "speedup" },
	{ "load", "quantiles of the latency over the rate of requests", &form_load,
	    &figure_load, .own_series = true, .interval = true, .limits = true,
	    .tails = true },
	{ "capacity", "the 99% quantile of the latency over the throughput", &form_load,
	    &figure_capacity, .own_series = true, .interval = true, .limits = true,
	    .tails = true, .template = "load" },
	{ "goodput", "requests per second: offered, completed, in time", &form_lanes,
	    &figure_goodput, .own_series = true, .lanes = true, .from_zero = true,
	    .interval = true, .limits = true, .template = "bar" },
};
const size_t figure_kinds_count = COUNT(figure_kinds);

/* The first metric and the first column that the input has are used; -y and -x override
 * them.
 */
const struct figure_preset figure_presets[] = {
	{ "latency", "line: time over batch size", "line", "latency,first_token,wall",
	    "batch,batch_size" },
	{ "throughput", "line: rate over batch size", "line", "throughput,token_rate",
	    "batch,batch_size" },
	{ "memory", "line: memory over batch size", "line", "device_memory,max_rss,rss",
	    "batch,batch_size" },
	{ "hardware", "bar: the same work on each device or machine", "bar",
	    "throughput,token_rate,latency,wall", "device,backend,host,env" },
	{ "architecture", "bar: models or architectures", "bar",
	    "throughput,token_rate,latency,wall", "arch,bench" },
};
const size_t figure_presets_count = COUNT(figure_presets);

static const struct figure_kind *find_kind(const char *name)
{
	for (size_t i = 0; i < figure_kinds_count; i++)
		if (strcmp(figure_kinds[i].name, name) == 0)
			return &figure_kinds[i];
	return NULL;
}

static const struct figure_preset *find_preset(const char *name)
{
	for (size_t i = 0; i < figure_presets_count; i++)
		if (strcmp(figure_presets[i].name, name) == 0)
			return &figure_presets[i];
	return NULL;
}

bool figure_kind_choose(const char *name, struct figure_kind *out)
{
	const struct figure_kind *kind = find_kind(name);
	const struct figure_preset *preset = kind ? NULL : find_preset(name);

	if (preset)
		kind = find_kind(preset->kind);
	if (!kind)
		return false;
	*out = *kind;
	if (preset) {
		out->metric = preset->metric;
		out->x = preset->x;
	}
	return true;
}

const char *figure_kind_log_axes(const struct figure_kind *kind)
{
	if (kind->grid || kind->form == &form_roofline || kind->form == &form_timeline ||
	    kind->form == &form_tokens)
		return "";
	if (kind->lanes || kind->form == &form_trend || kind->quantiles)
		return "y";
	return kind->steps ? "x" : "xy";
}
