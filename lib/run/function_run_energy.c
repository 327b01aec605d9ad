/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The energy of an iteration; see function_run.h.
 *
 * A sample is much shorter than the time between two updates of the counters. Energy is
 * therefore measured in a batch of its own, which is long enough. The counters are read
 * before and after the batch, so that no reading falls into a time that is measured.
 */
#include <math.h>

#include "run/function_run_priv.h"
#include "run/workers.h"

/* Returns the number of iterations that take this time at least, by the fastest sample. */
static uint64_t iterations_of(const struct function_run *c, double ns)
{
	double fastest = INFINITY;

	for (size_t i = 0; i < c->walls; i++)
		fastest = fmin(fastest, c->wall_ns[i]);
	const double n = ceil(ns / fmax(fastest, 1));

	return n > (double)c->iterations ? (uint64_t)n : c->iterations;
}

void function_run_measure_energy(struct function_run *c, struct sample_writer *emit)
{
	struct energy_meter *m = c->plan->meter;
	size_t subject = (size_t)(c->subject - c->plan->subjects->subject);
	double batch_ns = energy_meter_batch_ns(m);
	const struct helper_sample *s;
	uint64_t iterations;

	if (batch_ns <= 0 || !c->walls)
		return;
	iterations = iterations_of(c, batch_ns);
	energy_meter_start(m);
	s = function_run_iterate(c, iterations);
	if (!s)
		return;
	energy_meter_stop(m, subject);
	run_sample_begin(&c->row, c->subject);
	c->row.process = c->process;
	c->row.number = 0;
	c->row.begin_ns = s->answer.begin_ns;
	/* The helper also runs some iterations that it does not time. */
	iterations += iterations / HELPER_AGAIN_WARM;
	energy_meter_add_batch(m, subject, iterations * workers_of(c->subject), &c->row);
	sample_writer_sample(emit, &c->row);
}
