/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of streams; see stream_options.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "record/stream_names.h"
#include "record/stream_options.h"

void stream_options_open(struct stream_options *o, const struct opt_program *program)
{
	struct fault f;

	if (o->metrics.count &&
	    !(o->filter = metric_filter_open(o->metrics.item, o->metrics.count, &f)))
		opt_usage_error(program, "%s", f.text);
	if (o->filters.count && !(o->conditions = row_conditions_open(o->filters.item,
	                              o->filters.count, clock_realtime_ns(), &f)))
		opt_usage_error(program, "%s", f.text);
}

int stream_options_apply(
    const struct stream_options *o, struct bench_csv *stream, struct fault *f)
{
	bench_csv_select(stream, o->filter, o->conditions);
	return bench_csv_melt(stream, o->melt.item, o->melt.count, f);
}

int stream_options_check(const struct stream_options *o, struct fault *f)
{
	if (row_conditions_check(o->conditions, f) < 0)
		return -1;
	return o->filter ? metric_filter_check(o->filter, f) : 0;
}

void stream_options_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	if (strcmp(option, "filter") == 0)
		stream_names_columns(k, file, files);
	else if (strcmp(option, "metric") == 0)
		stream_names_metrics(k, file, files);
}

void stream_options_close(struct stream_options *o)
{
	metric_filter_close(o->filter);
	row_conditions_close(o->conditions);
	free(o->filters.item);
	free(o->metrics.item);
	free(o->melt.item);
}
