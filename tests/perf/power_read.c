/*
 * What reading all energy counters once costs: the median of 2,000 readings, in us, and how
 * many counters they are. Of the machine in $BENCH_ROOT.
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
	struct power_reading reading = { 0 };
	struct tree tree;
	struct fault f;
	struct power *p;

	if (tree_open(&tree, tree_root(), &f) < 0)
		return 2;
	p = power_open(&tree);
	if (power_state(p) != POWER_READY) {
		printf("%s: %s\n", power_state_name(power_state(p)), power_why(p));
		return 1;
	}
	for (size_t i = 0; i < READINGS; i++) {
		double begin_us = now_us();

		power_read(p, &reading);
		took_us[i] = now_us() - begin_us;
	}
	qsort(took_us, READINGS, sizeof(*took_us), ascending);
	printf("%.1f us for %zu counters of %s\n", took_us[READINGS / 2],
	    power_list(p)->count, power_list(p)->counter[0].source->name);
	power_reading_free(&reading);
	power_close(p);
	tree_close(&tree);
	return 0;
}
