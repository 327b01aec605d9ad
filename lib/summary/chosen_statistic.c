/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics that a user chooses; see chosen_statistic.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/metric.h"
#include "summary/chosen_statistic.h"

#define INTERVAL_OF(quantile)                   \
	{ quantile "_lo" }, { quantile "_hi" }, \
	{                                       \
		quantile "_needed"              \
	}

/* The intervals of the quantiles in the table of statistics, for suggestions. */
static const struct {
	const char *name;
} intervals[] = { INTERVAL_OF("p5"), INTERVAL_OF("median"), INTERVAL_OF("p90"),
	INTERVAL_OF("p95"), INTERVAL_OF("p99"), INTERVAL_OF("p999"), INTERVAL_OF("p9999") };

bool chosen_statistic_parse(struct text name, struct chosen_statistic *out)
{
	*out = (struct chosen_statistic){ .row = statistic_find(name) };
	if (name.len >= sizeof(out->name))
		return false;
	memcpy(out->name, name.ptr, name.len);
	return out->row || quantile_name_parse(name, &out->quantile);
}

bool chosen_statistic_ordered(const struct chosen_statistic *c)
{
	return !c->row && c->quantile.part != QUANTILE_AT;
}

bool chosen_statistic_is_median_end(const struct chosen_statistic *c)
{
	return c->row && (c->row->offset == offsetof(struct summary, ci_lo) ||
	                     c->row->offset == offsetof(struct summary, ci_hi));
}

void chosen_statistic_names(struct known_names *k)
{
	known_names_add_all(k, statistics, sizeof(*statistics), statistics_count);
	known_names_add_all(k, intervals, sizeof(*intervals), COUNT(intervals));
}

struct ordered_groups {
	struct quantile_series **series; /* NULL: of no use */
	bool *of_requests;
	size_t count;
};

struct ordered_groups *ordered_groups_open(
    const struct groups *g, struct collect *c, bool all)
{
	struct ordered_groups *o;
	bool any = all;

	for (size_t i = 0; i < groups_count(g) && !any; i++)
		any = metric_is_of_requests(groups_cell(g, i, COL_METRIC));
	if (!any)
		return NULL;
	o = mem_zero(1, sizeof(*o));
	o->count = groups_count(g);
	o->series = mem_zero(o->count + 1, sizeof(struct quantile_series *));
	o->of_requests = mem_zero(o->count + 1, sizeof(*o->of_requests));
	for (size_t i = 0; i < o->count; i++) {
		const struct collected *v = collect_group(c, i);

		o->of_requests[i] = metric_is_of_requests(groups_cell(g, i, COL_METRIC));
		if (!all && !o->of_requests[i])
			continue;
		collect_identify(c, i);
		o->series[i] =
		    quantile_series_open(&(struct quantile_input){ .value = v->value,
		        .identity = v->identity,
		        .values = v->count,
		        .limit = v->missing->limit,
		        .limit_identity = v->missing->limit_identity,
		        .limits = v->missing->limits });
	}
	return o;
}

void ordered_groups_close(struct ordered_groups *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->count; i++)
		quantile_series_close(o->series[i]);
	free(o->series);
	free(o->of_requests);
	free(o);
}

void chosen_summarize(struct collect *c, size_t group, const struct ordered_groups *o,
    double confidence, bool interval, struct chosen_summary *out)
{
	struct collected *values = collect_group(c, group);

	*out = (struct chosen_summary){ .values = values,
		.series = o ? o->series[group] : NULL,
		.confidence = confidence };
	censored_summarize(values->value, values->count, values->missing->limit,
	    values->missing->limits, interval ? confidence : (double)NAN, &out->out,
	    &out->above);
	out->out.failed = (double)values->missing->failed;
	if (interval && o && o->of_requests[group]) {
		struct quantile_interval median =
		    quantile_series_interval(o->series[group], 0.5, confidence);

		out->out.ci_lo = median.lo;
		out->out.ci_hi = median.hi;
	}
}

struct bounded chosen_statistic_value(
    const struct chosen_statistic *c, const struct chosen_summary *of)
{
	const struct collected *v = of->values;
	struct quantile_interval interval;

	if (c->row) {
		double above = statistic_get(c->row, &of->above);

		return isnan(above)
		           ? (struct bounded){ statistic_get(c->row, &of->out), false }
		           : (struct bounded){ above, true };
	}
	if (c->quantile.part == QUANTILE_AT)
		return censored_quantile(&(struct censored){ v->value, v->count,
		                             v->missing->limit, v->missing->limits },
		    c->quantile.p);
	interval = quantile_series_interval(of->series, c->quantile.p, of->confidence);
	return (struct bounded){ quantile_part_of(&interval, c->quantile.part), false };
}
