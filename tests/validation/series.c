/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the changes of many series, for change.sh, as `bench-compare --history` finds those
 * of one: with a threshold of 0, and a p that is not corrected for the number of series.
 *
 *	series WINDOW
 *
 * Each line of standard input has the values of a series. WINDOW is that of
 * bench-compare(1), or 0. Prints a line for each: the number of values before each step,
 * and "drift" for a drift.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "stats/change.h"
#include "stats/drift.h"
#include "stats/inference.h"

/* As in lib/history. */
enum { LEAST = 4, PERMUTATIONS = 999 };

static void find(const double *x, size_t n, size_t window, uint64_t seed)
{
	struct change_opts opts = { .alpha = 1 - DEFAULT_CONFIDENCE,
		.least = LEAST,
		.window = window,
		.permutations = PERMUTATIONS,
		.seed = seed };
	struct change *change = mem_zero(n / LEAST + 1, sizeof(*change));
	size_t count = change_find(x, n, &opts, change);
	struct drift drift;
	const char *space = "";

	if (drift_find(&(struct drift_series){ x, n, LEAST, DEFAULT_CONFIDENCE }, change,
	        count, &drift)) {
		count = drift.steps;
		printf("drift");
		space = " ";
	}
	for (size_t i = 0; i < count; i++, space = " ")
		printf("%s%zu", space, change[i].at);
	printf("\n");
	free(change);
}

int main(int argc, char **argv)
{
	char *line = NULL, *end;
	double *x = NULL;
	size_t room = 0, cap = 0;

	if (argc != 2) {
		fputs("series: needs the length of windows\n", stderr);
		return 2;
	}
	for (uint64_t seed = 1; getline(&line, &room, stdin) > 0; seed++) {
		size_t n = 0;

		for (char *at = line;; at = end) {
			double value = strtod(at, &end);

			if (end == at)
				break;
			*VEC_ADD(x, n, cap) = value;
		}
		find(x, n, strtoul(argv[1], NULL, 10), seed);
	}
	free(x);
	free(line);
	return 0;
}
