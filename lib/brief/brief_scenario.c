/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes the result of a scenario of MLPerf; see brief_scenario.h.
 */
#include <math.h>

#include "brief/brief_median.h"
#include "brief/brief_scenario.h"
#include "brief/brief_text.h"

/* Values above a quantile, below which it is not printed. */
static const double above_least = 2;

/* Appends the quantile of a scenario, a lower bound of it, or how many values it needs. */
static void put_quantile(struct buf *b, const struct collected *values, struct text unit,
    const struct brief_opts *opts)
{
	double quantile = opts->scenario->quantile;
	struct summary above,
	    s = brief_summary_of(values, opts->inference.confidence, &above);
	double value = quantile < 0.95 ? s.p90 : s.p99,
	       bound = quantile < 0.95 ? above.p90 : above.p99;
	double needed = round(above_least / (1 - quantile));

	if ((double)(values->count + values->missing->limits) < needed) {
		buf_printf(b, " needs %.0f requests", needed);
		return;
	}
	buf_str(b, isnan(value) ? " >" : " ");
	brief_put_value(b, isnan(value) ? bound : value, unit, opts->utf8);
}

/* Appends the median of values that exist once in a period or search. */
static void put_value(struct buf *b, const struct collected *values, struct text unit,
    const struct brief_opts *opts)
{
	struct summary above,
	    s = brief_summary_of(values, opts->inference.confidence, &above);

	buf_byte(b, ' ');
	if (text_is(
	        unit, "1")) /* A share below the required one is not rounded up to it. */
		buf_printf(b, "%.6g%%, %.4g%% required", floor(s.median * 1e4) / 100,
		    opts->level * 100);
	else
		brief_put_value(b, s.median, unit, opts->utf8);
}

void brief_put_scenario(struct buf *b, const struct brief_subjects *s,
    const struct brief_subject *of, struct collect *collect, const struct brief_opts *opts)
{
	const struct scenario *scenario = opts->scenario;
	const char *name[] = { scenario->search_metric, scenario->metric };

	for (size_t i = 0; i < COUNT(name); i++) {
		long found = name[i] ? brief_subject_metric(s, of, name[i]) : -1;
		const struct collected *values;
		struct text unit;

		if (found < 0)
			continue;
		values = collect_group(collect, (size_t)found);
		unit = groups_cell(s->groups, (size_t)found, COL_UNIT);
		if (values->count + values->missing->limits == 0)
			return;
		if (scenario->quantile > 0)
			buf_printf(b, "p%.0f of ", scenario->quantile * 100);
		buf_str(b, name[i]);
		if (scenario->quantile > 0)
			put_quantile(b, values, unit, opts);
		else
			put_value(b, values, unit, opts);
		buf_printf(b, " (%s)", scenario->name);
		return;
	}
}
