/*
 * A function's samples, and what its processes have once, as rows; see function_run.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/function_run_priv.h"
#include "run/speedup.h"
#include "stats/steady.h"
#include "run/workers.h"

/* The rows of a sample. */
struct sample_rows {
	struct emit_value *value;
	size_t count, cap;
	const char *status;
	uint64_t iterations;
};

static struct emit_value *sample_rows_add(
    struct sample_rows *r, const char *metric, const char *unit, double value)
{
	struct emit_value *v = VEC_ADD(r->value, r->count, r->cap);

	*v = (struct emit_value){ .metric = metric,
		.unit = unit,
		.value = value,
		.status = r->status,
		.iterations = r->iterations };
	return v;
}

/* What workers beside each other came to. */
static void put_workers(struct sample_rows *r, const struct function_run *c,
    const struct kept *k, double speedup)
{
	uint32_t workers = workers_of(c->subject);

	if (!isnan(speedup)) {
		sample_rows_add(r, "speedup", "1", speedup);
		sample_rows_add(r, "efficiency", "1", speedup_efficiency(speedup, workers));
	}
	for (uint32_t i = 0; i < workers; i++) {
		struct emit_value *v = sample_rows_add(r, "worker_wall", "ns",
		    (double)k->workers[i].wall_ns / (double)c->iterations);

		v->of_worker = true;
		v->worker = i;
	}
}

static void put_extra(struct sample_rows *r, const struct helper_extra *e)
{
	struct emit_value *v = sample_rows_add(r, e->metric, e->unit, e->value);

	v->operation = *e->part ? e->part : NULL;
}

/*
 * The share of what the device can do at most: of its arithmetic or, when that is less, of
 * what its memory lets through (S. Williams, A. Waterman, D. Patterson, "Roofline", CACM
 * 52(4), 2009).
 */
static double peak_fraction(
    const struct function_run *c, double flop_rate, double bandwidth)
{
	const struct work *w = c->subject->work;
	double most = c->peak->flop_rate;

	if (w->bytes > 0 && c->peak->bandwidth > 0) {
		double through = w->flops / w->bytes * c->peak->bandwidth;

		if (w->flops <= 0)
			return bandwidth / c->peak->bandwidth;
		most = most > 0 && most < through ? most : through;
	}
	return most > 0 && flop_rate > 0 ? flop_rate / most : NAN;
}

/* What a list on a device comes to, at so many iterations a second of each worker. */
static void put_work(
    struct sample_rows *r, const struct function_run *c, const struct kept *k, double rate)
{
	const struct work *w = c->subject->work;
	double all = rate * workers_of(c->subject), flop_rate = w->flops * all, fraction;

	if (w->tokens > 0)
		sample_rows_add(r, "token_rate", "1/s", w->tokens * all);
	if (flop_rate > 0)
		sample_rows_add(r, "flop_rate", "flop/s", flop_rate);
	fraction = peak_fraction(c, flop_rate, w->bytes * all);
	if (!isnan(fraction))
		sample_rows_add(r, "peak_fraction", "1", fraction);
	for (size_t i = 0; i < k->extras; i++)
		put_extra(r, &k->extra[i]);
}

/* What a process of a list has once: its size, and what was told. */
static void put_list(struct sample_rows *r, const struct function_run *c)
{
	const struct work *w = c->subject->work;
	size_t count;
	const struct helper_extra *told = helper_client_told(c->call, &count);

	for (size_t i = 0; i < count; i++)
		put_extra(r, &told[i]);
	if (w->params > 0)
		sample_rows_add(r, "params", "1", w->params);
	if (w->macs > 0)
		sample_rows_add(r, "macs", "1", w->macs);
	if (w->bytes > 0 && w->flops > 0)
		sample_rows_add(r, "arithmetic_intensity", "flop/B", w->flops / w->bytes);
}

static void write_kept(struct function_run *c, struct emit *emit, const struct kept *k,
    int64_t number, double speedup)
{
	bool together = c->plan->workers || c->plan->threads;
	uint32_t workers = workers_of(c->subject);
	struct sample_rows rows = { .status = "ok", .iterations = c->iterations };
	struct wire_result result = { .begin_ns = k->answer.begin_ns,
		.wall_ns = k->answer.wall_ns };
	double n = (double)c->iterations, per_ns = n / (double)k->answer.wall_ns, items = 0,
	       bytes = 0, allocs = 0, alloc_bytes = 0;

	for (uint32_t i = 0; i < workers; i++) {
		items += k->workers[i].items;
		bytes += k->workers[i].bytes;
		allocs += (double)k->workers[i].allocs;
		alloc_bytes += (double)k->workers[i].alloc_bytes;
	}
	sample_rows_add(
	    &rows, "wall", "ns", function_run_iteration_ns(c, k->workers, c->iterations));
	if (together && items <= 0)
		items = workers; /* an iteration is one */
	if (items > 0)
		sample_rows_add(&rows, "throughput", "1/s", items * per_ns * 1e9);
	if (bytes > 0)
		sample_rows_add(&rows, "bandwidth", "B/s", bytes * per_ns * 1e9);
	if (c->subject->work)
		put_work(&rows, c, k, per_ns * 1e9);
	sample_rows_add(&rows, "rss", "B", (double)k->answer.rss_bytes);
	if (k->answer.allocates) {
		sample_rows_add(&rows, "alloc_calls", "1", allocs / n / workers);
		sample_rows_add(&rows, "alloc_bytes", "B", alloc_bytes / n / workers);
	}
	if (together)
		put_workers(&rows, c, k, speedup);
	emit_call(emit, &(struct emit_sample){ .subject = c->subject,
	                    .process = c->process,
	                    .sample = number,
	                    .iterations = c->iterations,
	                    .status = rows.status,
	                    .result = &result,
	                    .counts = k->counts,
	                    .value = rows.value,
	                    .values = rows.count });
	free(rows.value);
}

void function_run_write_warmups(struct function_run *c, struct emit *emit)
{
	for (size_t i = 0; i < c->warmups; i++)
		write_kept(c, emit, &c->warmup[i], (int64_t)i - (int64_t)c->warmups, NAN);
}

double function_run_throughput(const struct function_run *c)
{
	return c->sampled ? speedup_throughput(c->iterations * workers_of(c->subject),
	                        (double)c->sample.answer.wall_ns)
	                  : NAN;
}

void function_run_write(struct function_run *c, struct emit *emit, double speedup)
{
	if (c->sampled)
		write_kept(c, emit, &c->sample, (int64_t)c->walls - 1, speedup);
	c->sampled = false;
}

/* Rows that a process has once, or that of a sample that came to nothing; they are freed.
 */
static void write_rows(
    struct function_run *c, struct emit *emit, struct sample_rows *rows, size_t number)
{
	struct wire_result result = { .begin_ns = helper_client_phases(c->call).begin_ns };

	emit_values(emit, &(struct emit_sample){ .subject = c->subject,
	                      .process = c->process,
	                      .sample = (int64_t)number,
	                      .result = &result,
	                      .value = rows->value,
	                      .values = rows->count });
	free(rows->value);
}

/* 1, 0, or NAN where there are too few samples to tell. */
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

static void write_phases(
    struct function_run *c, struct emit *emit, const char *status, int64_t max_rss_bytes)
{
	struct helper_phases phases = helper_client_phases(c->call);
	struct sample_rows rows = { .status = status, .iterations = 1 };
	bool ok = strcmp(status, "ok") == 0;

	if (c->subject->work)
		put_list(&rows, c);
	if (!c->subject->work && phases.load_ns >= 0)
		sample_rows_add(&rows, "load", "ns", phases.load_ns);
	if (!c->subject->work && phases.setup_ns >= 0)
		sample_rows_add(&rows, "setup", "ns", phases.setup_ns);
	if (c->first_ns >= 0)
		sample_rows_add(&rows, "first", "ns", c->first_ns);
	if (max_rss_bytes)
		sample_rows_add(&rows, "max_rss", "B", (double)max_rss_bytes);
	if (ok) {
		double steady = steadiness(c);

		if (!isnan(steady))
			sample_rows_add(&rows, "steady", "1", steady);
	}
	rows.status = "ok";
	sample_rows_add(&rows, "ok", "1", ok);
	write_rows(c, emit, &rows, 0);
}

/* The row of a sample that did not come about. The limit is of all its iterations, and of
 * no iteration where the set-up or the end took too long. */
static void write_failure(struct function_run *c, struct emit *emit)
{
	struct sample_rows rows = { .status = c->status,
		.iterations = c->under_way ? c->under_way : 1 };
	bool timed_out = strcmp(c->status, "timeout") == 0 && c->under_way;
	double timeout_ns =
	    c->subject->work ? c->plan->compute_timeout_ns : c->plan->function_timeout_ns;

	sample_rows_add(
	    &rows, "wall", "ns", timed_out ? timeout_ns / (double)rows.iterations : NAN);
	write_rows(c, emit, &rows, c->walls);
}

bool function_run_end(struct function_run *c, struct emit *emit)
{
	int64_t max_rss_bytes;
	enum helper_state state;

	if (!c->call)
		return false;
	max_rss_bytes = helper_client_end(c->call);
	state = helper_client_state(c->call);
	snprintf(c->status, sizeof(c->status), "%s", helper_client_status(c->call));
	snprintf(c->why, sizeof(c->why), "%s",
	    helper_client_why(c->call) ? helper_client_why(c->call) : "");
	if (state == HELPER_INTERRUPTED)
		return false;
	c->hopeless = state == HELPER_UNAVAILABLE || strcmp(c->status, "timeout") == 0;
	if (state != HELPER_OVER)
		write_failure(c, emit);
	if (state != HELPER_UNAVAILABLE)
		write_phases(c, emit, c->status, max_rss_bytes);
	if (!c->told_absent) {
		struct wire_result result = { .begin_ns =
			                          helper_client_phases(c->call).begin_ns };

		emit_absent(emit,
		    &(struct emit_sample){
		        .subject = c->subject, .process = c->process, .result = &result });
		c->told_absent = true;
	}
	helper_client_close(c->call);
	c->call = NULL;
	return true;
}
