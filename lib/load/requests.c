/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the requests of a load, and judges its periods; see requests.h.
 */
#include <math.h>
#include <stdlib.h>

#include "load/requests.h"
#include "load/slo.h"
#include "stats/stats.h"
#include "text/plural.h"
#include "text/units.h"

/* The largest share of the median latency that a lag may have without a note. */
static const double lag_share = 0.1, lag_quantile = 0.99;

/* The last execution of a server. */
struct server_last {
	int64_t start_ns, end_ns; /* -1: none */
};

/* Sums and values of the requests of a period. */
struct period_sums {
	double busy_ns, occupied_ns, last_ns;
	uint64_t executions, kept;
	double *lag_ns, *latency_ns;
	size_t lags, latencies;
};

/* Adds an execution of a server, unless the request belongs to a batch that was added. */
static void add_execution(struct period_sums *sums, struct server_last *last,
    const struct load_request *r, bool closed)
{
	bool free_server = r->arrival_ns >= last->end_ns;
	int64_t ready_ns = (free_server ? r->arrival_ns : last->end_ns) + r->window_ns;

	if (last->start_ns == r->start_ns && last->end_ns == r->end_ns)
		return;
	*last = (struct server_last){ r->start_ns, r->end_ns };
	sums->executions++;
	sums->busy_ns += (double)(r->end_ns - r->start_ns);
	sums->occupied_ns += (double)(r->end_ns - (closed ? r->start_ns : ready_ns));
	if (!closed && free_server)
		sums->lag_ns[sums->lags++] = (double)(r->start_ns - ready_ns);
}

static struct period_sums sum_up(const struct period *p, struct period_summary *out)
{
	struct period_sums sums = { .lag_ns = mem_zero(p->count, sizeof(double)),
		.latency_ns = mem_zero(p->count, sizeof(double)) };
	struct server_last *last = mem_zero(p->servers, sizeof(*last));

	for (size_t i = 0; i < p->servers; i++)
		last[i] = (struct server_last){ -1, -1 };
	for (size_t i = 0; i < p->count; i++) {
		const struct load_request *r = &p->request[i];

		out->done += r->result == REQUEST_DONE;
		out->failed += r->result == REQUEST_FAILED;
		out->left += r->result == REQUEST_LEFT;
		sums.last_ns = fmax(sums.last_ns, (double)r->end_ns);
		sums.kept += p->slo && slo_keeps(p->slo, r);
		if (r->result == REQUEST_DONE)
			sums.latency_ns[sums.latencies++] =
			    (double)(r->end_ns - r->arrival_ns);
		if (r->result != REQUEST_LEFT)
			add_execution(&sums, &last[r->server], r, p->closed);
	}
	free(last);
	return sums;
}

/* Returns a quantile of values, which it sorts; NAN if there are none. */
static double quantile_of(double *value, size_t count, double p)
{
	stats_sort(value, count);
	return stats_quantile(value, count, p);
}

/* Returns the arrivals per second; NAN if they have no rate. Those of a file, whose period
 * ends with the last one, have one gap less than there are arrivals. */
static double rate_of(const struct period *p)
{
	if (p->closed || !(p->planned_ns > 0))
		return NAN;
	if (p->rate > 0)
		return (double)p->count / p->planned_ns * 1e9;
	if (p->count < 2)
		return NAN;
	const double gaps_ns =
	    (double)(p->request[p->count - 1].arrival_ns - p->request[0].arrival_ns);

	return gaps_ns > 0 ? (double)(p->count - 1) / gaps_ns * 1e9 : NAN;
}

void requests_summarize(const struct period *p, struct period_summary *out)
{
	struct period_sums sums;
	double s;

	*out = (struct period_summary){ .requests = p->count };
	sums = sum_up(p, out);
	/* A closed loop can reach its limit of requests before its time is over. */
	out->length_ns = p->closed ? sums.last_ns : fmax(p->planned_ns, sums.last_ns);
	s = out->length_ns > 0 ? out->length_ns / 1e9 : NAN;
	out->offered_rate = rate_of(p);
	out->throughput = (double)out->done / s;
	out->utilization = sums.busy_ns / 1e9 / s / p->servers;
	out->goodput = p->slo ? (double)sums.kept / s : NAN;
	out->slo_share = p->slo && p->count ? (double)sums.kept / (double)p->count : NAN;
	out->lag_ns = quantile_of(sums.lag_ns, sums.lags, lag_quantile);
	out->latency_ns = quantile_of(sums.latency_ns, sums.latencies, 0.5);
	/* A batch is one execution of several requests. */
	out->occupied_ns =
	    sums.executions ? sums.occupied_ns / (double)(out->done + out->failed) : NAN;
	free(sums.lag_ns);
	free(sums.latency_ns);
}

static void mean_add(struct period_mean *m, double value)
{
	if (isnan(value))
		return;
	m->sum += value;
	m->count++;
}

/* Returns 0 if no period has a value. */
static double mean_of(const struct period_mean *m)
{
	return m->count ? m->sum / (double)m->count : 0;
}

void load_total_add(
    struct load_total *t, const struct period *p, const struct period_summary *s)
{
	uint64_t ended = s->done + s->failed;

	if (t->periods++ == 0)
		t->lag_ns = t->latency_ns = NAN;
	t->servers = p->servers;
	t->ended += ended;
	t->left += s->left;
	if (!p->closed)
		mean_add(&t->rate, p->rate > 0 ? p->rate : s->offered_rate);
	mean_add(&t->completed, (double)ended / s->length_ns * 1e9);
	mean_add(&t->occupied_ns, s->occupied_ns);
	t->lag_ns = fmax(t->lag_ns, s->lag_ns);
	t->latency_ns = fmin(t->latency_ns, s->latency_ns);
}

bool load_total_saturated(const struct load_total *t)
{
	return t->left || mean_of(&t->rate) / 1e9 * mean_of(&t->occupied_ns) >= t->servers;
}

static bool load_is_late(const struct load_total *t)
{
	return t->lag_ns > lag_share * t->latency_ns;
}

/* Appends the beginning of a line. */
static void put_subject(const struct load_total *t, const char *name, struct buf *lines)
{
	buf_str(lines, name);
	if (t->rate.sum > 0)
		buf_printf(lines, " at %.4g/s", mean_of(&t->rate));
}

void load_total_explain(const struct load_total *t, const char *name, struct buf *lines)
{
	char lag[64];

	if (load_total_saturated(t)) {
		put_subject(t, name, lines);
		buf_printf(lines,
		    ": the server%s completed %.4g/s, so the queue and the latencies grow "
		    "as long as the load lasts",
		    plural_s(t->servers), mean_of(&t->completed));
		if (t->left)
			buf_printf(lines, "; %llu request%s not started in time (-T)",
			    (unsigned long long)t->left, plural(t->left, " was", "s were"));
		buf_byte(lines, '\n');
	}
	if (load_is_late(t)) {
		units_print(lag, sizeof(lag), t->lag_ns, "ns");
		put_subject(t, name, lines);
		buf_printf(lines,
		    ": the generator was late by up to %s (99%%); latencies include "
		    "this\n",
		    lag);
	}
}
