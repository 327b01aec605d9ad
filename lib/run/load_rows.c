/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the rows of a load; see load_rows.h.
 */
#include <math.h>

#include "run/load_rows.h"

void load_rows_request(struct run_sample *s, const struct load_request *r)
{
	struct sample_value *wait;

	if (r->result == REQUEST_LEFT) {
		run_sample_add(s, METRIC_LATENCY, NAN);
		run_sample_add(s, METRIC_WAIT, NAN);
		return;
	}
	run_sample_add(s, METRIC_LATENCY, (double)(r->end_ns - r->arrival_ns));
	wait = run_sample_add(s, METRIC_WAIT, (double)(r->start_ns - r->arrival_ns));
	if (s->status.outcome == RUN_TIMEOUT)
		wait->status = (struct run_status){ RUN_OK, 0 };
	run_sample_add(s, METRIC_SERVICE, (double)(r->end_ns - r->start_ns));
}

/* Adds a value unless there is none. */
static void add_known(struct run_sample *s, enum run_metric m, double value)
{
	if (!isnan(value))
		run_sample_add(s, m, value);
}

void load_rows_period(struct run_sample *s, const struct period_summary *p)
{
	add_known(s, METRIC_OFFERED_RATE, p->offered_rate);
	add_known(s, METRIC_THROUGHPUT, p->throughput);
	add_known(s, METRIC_UTILIZATION, p->utilization);
	if (isnan(p->lag_ns) && !isnan(p->offered_rate))
		run_sample_add(s, METRIC_LAG, NAN)->status.outcome = RUN_SKIPPED;
	add_known(s, METRIC_LAG, p->lag_ns);
	add_known(s, METRIC_GOODPUT, p->goodput);
	add_known(s, METRIC_SLO_SHARE, p->slo_share);
}

void load_rows_explain(
    const struct load_total *total, const struct subject *s, struct buf *lines)
{
	struct buf name = { 0 };

	buf_str(&name, s->from->bench);
	for (size_t i = 0; i < s->factors; i++)
		if (strcmp(s->factor[i].name, "rate") != 0)
			buf_printf(&name, " %s=%s", s->factor[i].name, s->factor[i].value);
	load_total_explain(total, name.ptr, lines);
	buf_free(&name);
}
