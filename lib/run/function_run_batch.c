/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches of iterations that are no samples: for the time series of a subject's processes
 * and for the energy of an iteration; see function_run.h.
 *
 * A sample is much shorter than the time between two updates of the energy counters, and an
 * observation could disturb it. A batch is long enough, and its time is not written. The
 * counters are read before and after it.
 *
 * A batch consists of parts until it has lasted long enough. How long an iteration takes is
 * known only from a few short samples, and on a busy machine it can take much longer.
 */
#include <math.h>

#include "base/clock.h"
#include "monitor/process_monitor.h"
#include "run/function_run_priv.h"
#include "run/workers.h"

/* The time series of a batch has this number of observations at least. */
enum { PARTS = 20, OBSERVATIONS = 10 };

/* Iterations that are no sample. */
struct batch {
	uint64_t iterations; /* of each worker, timed by the helper or not */
	int64_t begin_ns;    /* CLOCK_REALTIME */
	int64_t start_ns;    /* CLOCK_MONOTONIC */
};

/* Returns the number of iterations that take this time at least, by the fastest sample. */
static uint64_t iterations_of(const struct function_run *c, double ns)
{
	double fastest = INFINITY;

	for (size_t i = 0; i < c->walls; i++)
		fastest = fmin(fastest, c->wall_ns[i]);
	const double n = ceil(ns / fmax(fastest, 1));

	return n > (double)c->iterations ? (uint64_t)n : c->iterations;
}

/* Runs iterations for at least this time. Returns false if the process has ended. */
static bool run_batch(struct function_run *c, double ns, struct batch *batch)
{
	const uint64_t part = iterations_of(c, ns / PARTS);
	const int64_t start_ns = clock_monotonic_ns();

	*batch = (struct batch){ 0 };
	do {
		const struct helper_sample *s = function_run_iterate(c, part);

		if (!s)
			return false;
		if (!batch->iterations) {
			batch->begin_ns = s->answer.begin_ns;
			batch->start_ns = s->answer.start_ns;
		}
		batch->iterations += part + part / HELPER_AGAIN_WARM;
	} while (clock_elapsed_ns(start_ns) < ns);
	return true;
}

/* Writes the values between the start of a batch and its end. */
static void write_series(struct function_run *c, struct sample_writer *writer,
    const struct process_monitor *monitor, const struct batch *batch, int64_t end_ns)
{
	const struct watch_value *value;
	const size_t count = process_monitor_values(monitor, &value);

	run_sample_begin(&c->row, c->subject);
	c->row.process = c->process;
	c->row.number = 0;
	c->row.begin_ns = batch->begin_ns;
	for (size_t i = 0; i < count; i++)
		if (value[i].at_ns >= batch->start_ns && value[i].at_ns <= end_ns)
			run_sample_add(&c->row, value[i].metric, value[i].value)->t_ns =
			    value[i].at_ns - batch->start_ns;
	sample_writer_sample(writer, &c->row);
}

int function_run_observe(
    struct function_run *c, struct sample_writer *writer, struct fault *f)
{
	const double interval_ns = c->plan->interval_ns;
	struct process_monitor *monitor;
	struct batch batch;

	if (!c->plan->interval_asked || !c->walls || !c->call ||
	    helper_client_state(c->call) != HELPER_LIVES)
		return 0;
	monitor = process_monitor_open(helper_client_pid(c->call), true, interval_ns, f);
	if (!monitor)
		return -1;
	process_monitor_start(monitor);
	const bool ran = run_batch(c, (OBSERVATIONS + 1) * interval_ns, &batch);
	const int64_t end_ns = clock_monotonic_ns();

	process_monitor_stop(monitor);
	if (ran)
		write_series(c, writer, monitor, &batch, end_ns);
	process_monitor_close(monitor);
	return 0;
}

void function_run_measure_energy(struct function_run *c, struct sample_writer *writer)
{
	struct energy_meter *m = c->plan->meter;
	size_t subject = function_run_index(c);
	double batch_ns = energy_meter_batch_ns(m);
	struct energy_batch batch = { 0 };
	struct batch ran;

	if (batch_ns <= 0 || !c->walls || c->plan->load)
		return;
	energy_meter_start(m);
	if (!run_batch(c, batch_ns, &ran))
		return;
	energy_meter_stop(m, subject);
	run_sample_begin(&c->row, c->subject);
	c->row.process = c->process;
	c->row.number = 0;
	c->row.begin_ns = ran.begin_ns;
	batch.iterations = ran.iterations * workers_of(c->subject);
	batch.subject = c->subject->work ? c->subject : NULL;
	if (c->subject->from->kind == KIND_MODEL) {
		batch.inputs = c->subject->work->samples;
		batch.tokens = c->subject->work->tokens;
	}
	energy_meter_add_batch(m, subject, &batch, &c->row);
	sample_writer_sample(writer, &c->row);
}
