/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the time of one reading of all energy counters, which is the median of 2,000
 * readings, in us, and the number of counters. $BENCH_ROOT names the machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "energy/energy_source.h"

enum { READINGS = 2000 };

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	static double took_us[READINGS];
	struct energy_reading reading = { 0 };
	struct kernel_files files;
	struct fault f;
	struct energy_sources *p;

	if (kernel_files_open(&files, kernel_files_root(), &f) < 0)
		return 2;
	p = energy_sources_open(&files);
	if (energy_sources_state(p) != ENERGY_READY) {
		printf("energy: %s\n", energy_sources_why(p));
		return 1;
	}
	for (size_t i = 0; i < READINGS; i++) {
		double begin_us = now_us();

		energy_sources_read(p, &reading);
		took_us[i] = now_us() - begin_us;
	}
	qsort(took_us, READINGS, sizeof(*took_us), ascending);
	printf("%.1f us for %zu counters of %s\n", took_us[READINGS / 2],
	    energy_sources_list(p)->count, energy_sources_list(p)->counter[0].source->name);
	energy_reading_free(&reading);
	energy_sources_close(p);
	kernel_files_close(&files);
	return 0;
}
