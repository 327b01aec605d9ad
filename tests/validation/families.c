/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of known families, as bench-csv(5), for the tests of statistics.
 *
 *	families family=normal subjects=100 runs=1 n=30 seed=1 side=a
 *
 * normal, lognormal (sigma 0.3), uniform, exponential and bimodal are independent values;
 * the others are not: autocorrelated (lag 1, 0.7), drifting (by 5 sd over a run), spike
 * (one value in 20 three times as great), clock (steps of 2 sd), and runs (between runs 2
 * sd, within 1). All have a median near 1000 and an sd near `spread` of it, times `factor`.
 * bare=1 leaves out the header.
 *
 * With blocks=1 each run has both sides, a and b, in blocks; runs, drift and
 * autocorrelation are common to a block, and each value has noise of its own. With logs=1
 * as well, prints for each subject a line with the logarithms of b / a in each block.
 *
 * The generator is that of P. L'Ecuyer, "Efficient and portable combined random number
 * generators", CACM 31 (1988).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static const char *family = "normal", *side = "";
static double subjects = 1, runs = 1, n = 30, spread = 0.02, factor = 1, seed = 1, blocks,
              logs, bare;
static int64_t state[2];
static double run_effect, last;

static double uniform(void)
{
	int64_t u;

	state[0] = 40014 * state[0] % 2147483563;
	state[1] = 40692 * state[1] % 2147483399;
	u = state[0] - state[1];
	return (double)(u < 1 ? u + 2147483562 : u) / 2147483563;
}

static double normal(void)
{
	static double spare;
	static bool has_spare;
	double radius, angle;

	has_spare = !has_spare;
	if (!has_spare)
		return spare;
	radius = sqrt(-2 * log(uniform()));
	angle = 6.283185307179586 * uniform();
	spare = radius * sin(angle);
	return radius * cos(angle);
}

static bool is(const char *name)
{
	return strcmp(family, name) == 0;
}

/* Returns the effect that all sides share at position i of a run, in standard deviations.
 */
static double common_effect(double i)
{
	if (is("autocorrelated"))
		return last = i > 0 ? 0.7 * last + 0.71414 * normal() : normal();
	if (is("drifting"))
		return 5 * (i / n - 0.5);
	return is("runs") ? run_effect : 0;
}

/* Returns the effect of a single value. */
static double own_effect(void)
{
	if (is("uniform"))
		return (uniform() - 0.5) * 3.4641;
	if (is("bimodal")) {
		double mode = uniform() < 0.5 ? -1 : 1;

		return mode + 0.3 * normal();
	}
	if (is("clock"))
		return 2 * trunc(normal() / 2 + 100.5) - 200;
	return is("autocorrelated") && blocks == 0 ? 0 : normal();
}

static double value(double shared)
{
	if (is("lognormal"))
		return 1000 * exp(0.3 * normal());
	if (is("exponential"))
		return 1000 * (1 - spread * log(uniform()));
	if (is("spike") && uniform() < 0.05)
		return 3000;
	return 1000 * (1 + spread * (shared + own_effect()));
}

static void put_row(int run, const char *name, int subject, int i, double x)
{
	printf("%s%d,%s,b%d,%d,wall,ns,%.12g\n", blocks == 0 && *side ? side : "r", run,
	    name, subject, i, x);
}

static void put_subject(int run, int subject)
{
	run_effect = 2 * normal();
	for (int i = 0; i < (int)n; i++) {
		double shared = common_effect(i), a = blocks != 0 ? value(shared) : 0;
		double b = factor * value(shared);

		if (logs != 0) {
			printf("%.9g ", log(b / a));
			continue;
		}
		if (blocks != 0)
			put_row(run, "a", subject, i, a);
		put_row(run, blocks != 0 ? "b" : side, subject, i, b);
	}
	if (logs != 0)
		putchar('\n');
}

static bool take(const char *word)
{
	static const struct {
		const char *name;
		double *number;
	} numbers[] = {
		{ "subjects", &subjects },
		{ "runs", &runs },
		{ "n", &n },
		{ "spread", &spread },
		{ "factor", &factor },
		{ "seed", &seed },
		{ "blocks", &blocks },
		{ "logs", &logs },
		{ "bare", &bare },
	};
	size_t length = strcspn(word, "=");

	if (!word[length])
		return false;
	if (strncmp(word, "family=", 7) == 0)
		family = word + 7;
	else if (strncmp(word, "side=", 5) == 0)
		side = word + 5;
	else
		for (size_t i = 0;; i++) {
			if (i == COUNT(numbers))
				return false;
			if (strlen(numbers[i].name) == length &&
			    strncmp(word, numbers[i].name, length) == 0) {
				*numbers[i].number = strtod(word + length + 1, NULL);
				break;
			}
		}
	return true;
}

/* Squares, since sequences from seeds in proportion would run in step. */
static void begin(void)
{
	int64_t from = (int64_t)seed;

	state[0] = 12345;
	state[1] = 54321;
	for (int i = 0; i < 8; i++) {
		state[0] = (state[0] * state[0] + from) % 94906249;
		state[1] = (state[1] * state[1] + 7 * from + 1) % 94906249;
	}
	state[0] = 1 + 22 * state[0];
	state[1] = 1 + 22 * state[1];
	for (int i = 0; i < 20; i++)
		uniform();
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!take(argv[i])) {
			fprintf(stderr, "families: unknown word '%s'\n", argv[i]);
			return 2;
		}
	begin();
	if (bare == 0 && logs == 0)
		puts("run,side,bench,sample,metric,unit,value");
	for (int run = 1; run <= (int)runs; run++)
		for (int subject = 0; subject < (int)subjects; subject++)
			put_subject(run, subject);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
