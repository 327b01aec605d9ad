/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The energy of an iteration; see function_run.h.
 *
 * A sample is much shorter than the time between two updates of the counters. Energy is
 * therefore measured in a batch of its own, which is long enough. The counters are read
 * before and after the batch, so that no reading falls into a time that is measured.
 *
 * The batch consists of parts until it has lasted long enough. How long an iteration takes
 * is known only from a few short samples, and on a busy machine it can take much longer.
 */
#include <math.h>

#include "base/clock.h"
#include "run/function_run_priv.h"
#include "run/workers.h"

enum { PARTS = 20 };

/* Returns the number of iterations that take this time at least, by the fastest sample. */
static uint64_t iterations_of(const struct function_run *c, double ns)
{
	double fastest = INFINITY;

	for (size_t i = 0; i < c->walls; i++)
		fastest = fmin(fastest, c->wall_ns[i]);
	const double n = ceil(ns / fmax(fastest, 1));

	return n > (double)c->iterations ? (uint64_t)n : c->iterations;
}

/* Runs parts until this time is over. Returns the number of iterations, also of those that
 * the helper does not time, or 0 if the process has ended. Sets the time of the first part.
 */
static uint64_t run_batch(struct function_run *c, double ns, int64_t *begin_ns)
{
	const uint64_t part = iterations_of(c, ns / PARTS);
	const int64_t start_ns = clock_monotonic_ns();
	uint64_t sum = 0;

	do {
		const struct helper_sample *s = function_run_iterate(c, part);

		if (!s)
			return 0;
		if (!sum)
			*begin_ns = s->answer.begin_ns;
		sum += part + part / HELPER_AGAIN_WARM;
	} while (clock_elapsed_ns(start_ns) < ns);
	return sum;
}

void function_run_measure_energy(struct function_run *c, struct sample_writer *emit)
{
	struct energy_meter *m = c->plan->meter;
	size_t subject = (size_t)(c->subject - c->plan->subjects->subject);
	double batch_ns = energy_meter_batch_ns(m);
	struct energy_batch batch = { 0 };
	uint64_t iterations;
	int64_t begin_ns = 0;

	if (batch_ns <= 0 || !c->walls)
		return;
	energy_meter_start(m);
	iterations = run_batch(c, batch_ns, &begin_ns);
	if (!iterations)
		return;
	energy_meter_stop(m, subject);
	run_sample_begin(&c->row, c->subject);
	c->row.process = c->process;
	c->row.number = 0;
	c->row.begin_ns = begin_ns;
	batch.iterations = iterations * workers_of(c->subject);
	if (c->subject->from->kind == KIND_MODEL) {
		batch.inputs = c->subject->work->samples;
		batch.tokens = c->subject->work->tokens;
	}
	energy_meter_add_batch(m, subject, &batch, &c->row);
	sample_writer_sample(emit, &c->row);
}
