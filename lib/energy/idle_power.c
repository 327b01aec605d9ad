/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the power of the idle machine; see idle_power.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "energy/idle_power.h"
#include "sys/interrupt.h"

enum { PARTS = 10 };

/* Waits. Returns false if a signal arrived. */
static bool sleep_ns(double ns)
{
	struct timespec left = { .tv_sec = (time_t)(ns / 1e9),
		.tv_nsec = (long)fmod(ns, 1e9) };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		if (interrupt_seen())
			return false;
	return !interrupt_seen();
}

/* Measures one part of the time. */
static bool measure_part(struct energy_sources *p, double ns, struct energy_pool *part)
{
	struct energy_reading before = { 0 }, after = { 0 };
	bool whole;

	energy_sources_read(p, &before);
	whole = sleep_ns(ns);
	energy_sources_read(p, &after);
	energy_pool_between(p, &before, &after, part);
	energy_reading_free(&before);
	energy_reading_free(&after);
	return whole && part->sure;
}

bool idle_power_measure(struct energy_sources *p, double ns, struct quantity *watts)
{
	struct energy_pool part = { 0 }, all = { 0 };
	double power_w[PARTS], squares = 0;
	struct quantity joules = { 0 };
	bool whole = true;

	energy_pool_clear(p, &all);
	for (size_t i = 0; i < PARTS && whole; i++) {
		whole = measure_part(p, ns / PARTS, &part);
		energy_pool_total(p, &part, &joules);
		power_w[i] = joules.value / part.seconds;
		energy_pool_add(p, &all, &part);
	}
	all.runs = 1; /* the whole time counts as one sample */
	energy_pool_total(p, &all, &joules);
	watts->value = joules.value / all.seconds;
	for (size_t i = 0; i < PARTS && whole; i++)
		squares += pow(power_w[i] - watts->value, 2);
	watts->uncertainty =
	    fmax(joules.uncertainty / all.seconds, sqrt(squares / (PARTS - 1) / PARTS));
	free(part.joules);
	free(all.joules);
	return whole && quantity_known(joules);
}
