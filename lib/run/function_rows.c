/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a function: its samples, and the values that exist once per process; see
 * function_run.h.
 */
#include <math.h>
#include <stdio.h>

#include "run/function_run_priv.h"
#include "run/speedup.h"
#include "run/workers.h"
#include "stats/steady.h"

/* Begins a sample for values that exist once per process, or for a sample that failed. */
static struct run_sample *begin_of_process(
    struct function_run *c, size_t number, uint64_t iterations)
{
	return function_run_begin_row(
	    c, (int64_t)number, helper_client_phases(c->call).begin_ns, iterations);
}

static void put_extra(struct run_sample *s, const struct helper_extra *e)
{
	struct sample_value *v = run_sample_add(s, (enum run_metric)e->metric, e->value);

	v->operation = *e->part ? e->part : NULL;
}

/* The largest share of a peak that noise explains. */
static const double most_of_peak = 1.02;

/* Adds the share of the peak that is reached. A share above 1 means that the peak is too
 * low, so it is no value. */
static void put_peak_fraction(struct run_sample *s, struct function_run *c, double rate)
{
	const struct work *w = c->subject->work;
	double fraction = peak_least_s(c->peak, &(struct peak_work){ .flops = w->flops,
	                                            .matrix_flops = w->matrix_flops,
	                                            .bytes = w->bytes }) *
	                  rate;

	if (!(fraction > 0))
		return;
	if (fraction <= most_of_peak) {
		run_sample_add(s, METRIC_PEAK_FRACTION, fraction);
		return;
	}
	run_sample_add(s, METRIC_PEAK_FRACTION, NAN)->status.outcome = RUN_SKIPPED;
	c->above_peak = fmax(c->above_peak, fraction);
}

/*
 * Adds the rates of a kernel or model; rate is in iterations per second of each worker.
 */
static void put_work(
    struct run_sample *s, struct function_run *c, const struct kept *k, double rate)
{
	const struct work *w = c->subject->work;
	double all = rate * workers_of(c->subject), flop_rate = w->flops * all;

	if (w->tokens > 0)
		run_sample_add(s, METRIC_TOKEN_RATE, w->tokens * all);
	if (flop_rate > 0)
		run_sample_add(s, METRIC_FLOP_RATE, flop_rate);
	put_peak_fraction(s, c, all);
	token_rows_put_sample(s, k->token, k->tokens);
	for (size_t i = 0; i < k->extras; i++)
		put_extra(s, &k->extra[i]);
}

/* Adds the peaks that the process measured, or its predecessor if it was started again. */
static void put_peaks(struct run_sample *s, const struct function_run *c)
{
	static const enum run_metric metrics[] = { METRIC_PEAK_FLOP_RATE,
		METRIC_PEAK_MATRIX_RATE, METRIC_PEAK_BANDWIDTH, METRIC_PEAK_CACHE_BANDWIDTH,
		METRIC_PEAK_CACHE_SIZE };

	for (size_t i = 0; c->asks_peaks && i < COUNT(metrics); i++) {
		const double value = *peak_place(c->peak, metrics[i]);

		if (value > 0)
			run_sample_add(s, metrics[i], value);
	}
}

/*
 * Adds the values of a kernel or model that exist once per process: its size and the
 * values that the helper reported.
 */
static void put_list(struct run_sample *s, const struct function_run *c)
{
	const struct work *w = c->subject->work;
	size_t count;
	const struct helper_extra *told = helper_client_told(c->call, &count);

	put_peaks(s, c);
	for (size_t i = 0; i < count; i++)
		if (!peak_place(c->peak, (enum run_metric)told[i].metric))
			put_extra(s, &told[i]);
	if (w->params > 0)
		run_sample_add(s, METRIC_PARAMS, w->params);
	if (w->macs > 0)
		run_sample_add(s, METRIC_MACS, w->macs);
	if (w->int8_share > 0)
		run_sample_add(s, METRIC_INT8_SHARE, w->int8_share);
	if (w->bytes > 0 && w->flops > 0)
		run_sample_add(s, METRIC_ARITHMETIC_INTENSITY, w->flops / w->bytes);
}

static void put_rates(struct run_sample *s, struct function_run *c, const struct kept *k)
{
	double per_ns = (double)c->iterations / (double)k->answer.wall_ns, items = 0,
	       bytes = 0;

	for (uint32_t i = 0; i < workers_of(c->subject); i++) {
		items += k->workers[i].items;
		bytes += k->workers[i].bytes;
	}
	if ((c->plan->workers || c->plan->threads) && items <= 0)
		items = workers_of(c->subject); /* an iteration is one */
	if (items > 0)
		run_sample_add(s, METRIC_THROUGHPUT, items * per_ns * 1e9);
	if (bytes > 0)
		run_sample_add(s, METRIC_BANDWIDTH, bytes * per_ns * 1e9);
	if (c->subject->work)
		put_work(s, c, k, per_ns * 1e9);
}

static void write_kept(struct function_run *c, struct sample_writer *writer,
    const struct kept *k, int64_t number, double speedup)
{
	struct run_sample *s =
	    function_run_begin_row(c, number, k->answer.begin_ns, c->iterations);

	run_sample_add(
	    s, METRIC_WALL, function_run_iteration_ns(c, k->workers, c->iterations));
	put_rates(s, c, k);
	if (!c->plan->interval_asked)
		run_sample_add(s, METRIC_RSS, (double)k->answer.rss_bytes);
	function_run_put_gpu(c, k, s);
	function_run_put_allocs(s, c, k, (double)c->iterations * workers_of(c->subject));
	if (c->plan->workers || c->plan->threads) {
		workers_add_speedup(s, speedup);
		for (uint32_t i = 0; i < workers_of(c->subject); i++)
			workers_add_wall(
			    s, i, (double)k->workers[i].wall_ns / (double)c->iterations);
	}
	function_run_put_counts(s, c, k, (double)k->answer.wall_ns);
	sample_writer_sample(writer, s);
}

void function_run_write_warmups(struct function_run *c, struct sample_writer *writer)
{
	for (size_t i = 0; i < c->warmups; i++)
		write_kept(c, writer, &c->warmup[i], (int64_t)i - (int64_t)c->warmups, NAN);
}

double function_run_throughput(const struct function_run *c)
{
	return c->sampled && !c->plan->load
	           ? speedup_throughput(c->iterations * workers_of(c->subject),
	                 (double)c->sample.answer.wall_ns)
	           : NAN;
}

void function_run_write(
    struct function_run *c, struct sample_writer *writer, double speedup)
{
	const struct kept *k = &c->sample;

	if (c->sampled && c->plan->load) {
		function_run_write_period(c, writer);
		c->sampled = false;
	}
	if (c->sampled && c->plan->slo)
		token_rows_count(&c->level, c->plan->slo, k->token, k->tokens,
		    (double)k->answer.wall_ns);
	if (c->sampled)
		write_kept(c, writer, k, (int64_t)c->walls - 1, speedup);
	c->sampled = false;
}

/* Returns 1 or 0, or NAN if there are too few samples. */
static double steadiness(const struct function_run *c)
{
	bool told = false, steady = true;

	if (!c->plan->warmups_set && c->warms >= STEADY_LEAST) {
		told = true;
		steady = c->settled;
	}
	if (c->walls >= STEADY_LEAST) {
		told = true;
		steady = steady && steady_is(c->wall_ns, c->walls);
	}
	return told ? steady : NAN;
}

double function_run_init_rate(const struct function_run *c)
{
	const double ready_ns = c->call ? helper_client_phases(c->call).ready_ns : -1;

	return ready_ns > 0 && (c->plan->workers || c->plan->threads)
	           ? speedup_throughput(workers_of(c->subject), ready_ns)
	           : NAN;
}

static void write_phases(struct function_run *c, struct sample_writer *writer,
    int64_t max_rss_bytes, double init_speedup)
{
	struct helper_phases phases = helper_client_phases(c->call);
	struct run_sample *s = begin_of_process(c, 0, 1);
	double steady = run_is_ok(c->status) ? steadiness(c) : NAN;

	s->status = c->status;
	if (c->subject->work)
		put_list(s, c);
	if (!c->subject->work && phases.load_ns >= 0)
		run_sample_add(s, METRIC_LOAD, phases.load_ns);
	if (!c->subject->work && phases.setup_ns >= 0)
		run_sample_add(s, METRIC_SETUP, phases.setup_ns);
	if (c->first_ns >= 0)
		run_sample_add(s, METRIC_FIRST, c->first_ns);
	workers_add_init(s, function_run_init_rate(c), init_speedup);
	if (max_rss_bytes)
		run_sample_add(s, METRIC_MAX_RSS, (double)max_rss_bytes);
	if (!isnan(steady))
		run_sample_add(s, METRIC_STEADY, steady);
	token_rows_put_level(s, &c->level);
	run_sample_add_ok(s);
	sample_writer_sample(writer, s);
}

/*
 * Writes the row of a sample that failed. After a timeout, the value is the limit
 * divided by the iterations of the sample, or none if the set-up or the end took too
 * long. Under load, it is a row of a request without a value: all results of the period
 * are lost.
 */
static void write_failure(struct function_run *c, struct sample_writer *writer)
{
	struct run_sample *s =
	    begin_of_process(c, c->walls, c->under_way ? c->under_way : 1);
	double timeout_ns =
	    c->subject->work ? c->plan->compute_timeout_ns : c->plan->function_timeout_ns;

	s->status = c->status;
	if (c->plan->load) {
		s->iterations = 1;
		run_sample_add(s, METRIC_LATENCY, NAN);
		sample_writer_sample(writer, s);
		return;
	}
	run_sample_add(s, METRIC_WALL,
	    c->status.outcome == RUN_TIMEOUT && c->under_way
	        ? timeout_ns / (double)s->iterations
	        : NAN);
	sample_writer_sample(writer, s);
}

/* Writes the counters that the process could not open, once per subject. */
static void write_absent(struct function_run *c, struct sample_writer *writer)
{
	struct run_sample *s = begin_of_process(c, 0, 1);

	if (!c->told_absent) {
		run_sample_add_absent(s, c->plan->counters, c->plan->gpu_absent);
		energy_meter_add_absent(c->plan->meter, s);
	}
	c->told_absent = true;
	sample_writer_sample(writer, s);
}

bool function_run_end(
    struct function_run *c, struct sample_writer *writer, double init_speedup)
{
	int64_t max_rss_bytes;
	enum helper_state state;

	if (!c->call)
		return false;
	max_rss_bytes = helper_client_end(c->call);
	state = helper_client_state(c->call);
	c->status = helper_client_status(c->call);
	snprintf(c->why, sizeof(c->why), "%s",
	    helper_client_why(c->call) ? helper_client_why(c->call) : "");
	if (state == HELPER_INTERRUPTED)
		return false;
	c->hopeless = state == HELPER_UNAVAILABLE || c->status.outcome == RUN_TIMEOUT;
	if (state != HELPER_OVER)
		write_failure(c, writer);
	if (state != HELPER_UNAVAILABLE)
		write_phases(c, writer, max_rss_bytes, init_speedup);
	write_absent(c, writer);
	if (state != HELPER_UNAVAILABLE)
		function_run_write_spans(c);
	helper_client_close(c->call);
	c->call = NULL;
	return true;
}
