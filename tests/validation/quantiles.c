/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures how often intervals of quantiles contain the true quantile, for quantiles.sh.
 *
 *	quantiles FAMILY PARAMETER VALUES PROCESSES REPEATS SEED [CONFIDENCE]
 *
 * VALUES is the number in all processes together. Prints for each quantile: the number of
 * intervals that contain it, the number of intervals, and the median of `needed`.
 *
 * Families: exponential, lognormal (sigma PARAMETER), discrete (exponential with mean
 * PARAMETER, rounded down), ar (normal, autoregressive with the coefficient PARAMETER),
 * mm1 (waiting times of an M/M/1 queue with the utilization PARAMETER, by the recursion of
 * D. V. Lindley, in the steady state), shared (normal, plus a normal value of each process
 * with the standard deviation PARAMETER).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/rng.h"
#include "stats/dist.h"
#include "stats/quantile_interval.h"
#include "stats/stats.h"

static struct rng rng;
static double parameter;
static double state; /* of the process that is simulated */

static double exponential(void)
{
	return -log1p(-rng_uniform(&rng));
}

static double normal(void)
{
	return sqrt(2 * exponential()) * cos(6.283185307179586 * rng_uniform(&rng));
}

static double normal_quantile(double p)
{
	return dist_normal_quantile_above(1 - p);
}

static double exponential_next(bool first)
{
	(void)first;
	return exponential();
}

static double exponential_quantile(double p)
{
	return -log1p(-p);
}

static double lognormal_next(bool first)
{
	(void)first;
	return exp(parameter * normal());
}

static double lognormal_quantile(double p)
{
	return exp(parameter * normal_quantile(p));
}

static double discrete_next(bool first)
{
	(void)first;
	return floor(parameter * exponential());
}

static double discrete_quantile(double p)
{
	return ceil(parameter * exponential_quantile(p) - 1e-9) - 1;
}

static double ar_next(bool first)
{
	double own = normal();

	state = first ? own : parameter * state + sqrt(1 - parameter * parameter) * own;
	return state;
}

/* Returns the next waiting time of a queue whose services take 1 on average. The first is
 * from the distribution that all have. */
static double mm1_next(bool first)
{
	if (first)
		state = rng_uniform(&rng) < parameter ? exponential() / (1 - parameter) : 0;
	else
		state = fmax(0, state + exponential() - exponential() / parameter);
	return state;
}

static double mm1_quantile(double p)
{
	return p <= 1 - parameter ? 0 : log(parameter / (1 - p)) / (1 - parameter);
}

static double shared_next(bool first)
{
	if (first)
		state = parameter * normal();
	return state + normal();
}

static double shared_quantile(double p)
{
	return sqrt(1 + parameter * parameter) * normal_quantile(p);
}

static const struct family {
	const char *name;
	double (*next)(bool first);
	double (*quantile)(double p);
} families[] = {
	{ "exponential", exponential_next, exponential_quantile },
	{ "lognormal", lognormal_next, lognormal_quantile },
	{ "discrete", discrete_next, discrete_quantile },
	{ "ar", ar_next, normal_quantile },
	{ "mm1", mm1_next, mm1_quantile },
	{ "shared", shared_next, shared_quantile },
};

static const double levels[] = { 0.5, 0.9, 0.99, 0.999 };

int main(int argc, char **argv)
{
	const struct family *family = NULL;
	size_t values, processes, repeats, hits[4] = { 0 }, given[4] = { 0 };
	double *value, *needed[4], confidence;
	struct sample_id *id;

	for (size_t i = 0; i < COUNT(families) && argc >= 7; i++)
		if (strcmp(argv[1], families[i].name) == 0)
			family = &families[i];
	if (!family) {
		fputs("quantiles: needs a family and five numbers\n", stderr);
		return 2;
	}
	parameter = strtod(argv[2], NULL);
	values = strtoul(argv[3], NULL, 10);
	processes = strtoul(argv[4], NULL, 10);
	repeats = strtoul(argv[5], NULL, 10);
	rng_seed(&rng, strtoul(argv[6], NULL, 10));
	confidence = argc > 7 ? strtod(argv[7], NULL) : 0.95;
	value = mem_zero(values, sizeof(*value));
	id = mem_zero(values, sizeof(*id));
	for (size_t q = 0; q < COUNT(levels); q++)
		needed[q] = mem_zero(repeats, sizeof(*needed[q]));
	for (size_t r = 0; r < repeats; r++) {
		struct quantile_input input = {
			.value = value, .identity = id, .values = values
		};
		struct quantile_series *s;

		for (size_t i = 0, last = SIZE_MAX; i < values; i++) {
			size_t process = i * processes / values;

			id[i] = (struct sample_id){ 0, (int64_t)process, (int64_t)i };
			value[i] = family->next(process != last);
			last = process;
		}
		s = quantile_series_open(&input);
		for (size_t q = 0; q < COUNT(levels); q++) {
			struct quantile_interval k =
			    quantile_series_interval(s, levels[q], confidence);
			double truth = family->quantile(levels[q]);

			given[q] += isfinite(k.lo);
			hits[q] += k.lo <= truth && truth <= k.hi;
			needed[q][r] = k.needed;
		}
		quantile_series_close(s);
	}
	for (size_t q = 0; q < COUNT(levels); q++) {
		stats_sort(needed[q], repeats);
		printf("%zu %zu %.0f\n", hits[q], given[q],
		    stats_quantile(needed[q], repeats, 0.5));
		free(needed[q]);
	}
	free(value);
	free(id);
	return 0;
}
