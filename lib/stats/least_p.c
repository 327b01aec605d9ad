/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least p of a test; see least_p.h. It is the p of made-up values, so that it always
 * agrees with the test.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/least_p.h"

enum {
	/* With this many values on both sides, the p of any test is far below any level. */
	VALUES_ENOUGH = 50,
	/* More values on one side hardly change p. */
	VALUES_MOST = 100000,
};

/* Returns values close to `level`, all different, so that tests of means have a variance.
 */
static double *made_up(size_t count, double level, double step)
{
	double *values = mem_resize(NULL, count, sizeof(*values));

	for (size_t i = 0; i < count; i++)
		values[i] = level + step * (double)i;
	return values;
}

static size_t at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

double least_p_sides(const struct infer_test *test, size_t m, size_t n)
{
	size_t most = at_most(m, n) < VALUES_ENOUGH ? VALUES_MOST : VALUES_ENOUGH;
	double *old, *new, p;

	if (!m || !n)
		return 1;
	m = at_most(m, most);
	n = at_most(n, most);
	old = made_up(m, 1, 1e-9);
	new = made_up(n, 2, 1e-9);
	p = test->sides(old, m, new, n);
	free(old);
	free(new);
	return isnan(p) ? 1 : p;
}

double least_p_pairs(const struct infer_test *test, size_t n)
{
	double *old, *new, p;

	if (!n)
		return 1;
	n = at_most(n, VALUES_ENOUGH);
	old = made_up(n, 1, 1e-9);
	new = made_up(n, 2, 3e-9);
	p = test->pairs(old, new, n);
	free(old);
	free(new);
	return isnan(p) ? 1 : p;
}

static bool suffices(const struct infer_test *test, bool paired, size_t m, size_t n,
    size_t tests, double confidence)
{
	double p = paired ? least_p_pairs(test, n) : least_p_sides(test, m, n);

	return p * (double)tests + confidence < 1;
}

size_t least_p_values(const struct infer_test *test, bool paired, size_t m, size_t n,
    size_t tests, double confidence)
{
	size_t least = m < n ? m : n, k;

	if (suffices(test, paired, m, n, tests, confidence))
		return 0;
	least++;
	for (k = VALUES_ENOUGH; k > least; k--)
		if (!suffices(test, paired, m > k - 1 ? m : k - 1, n > k - 1 ? n : k - 1,
		        tests, confidence))
			return k;
	return least;
}
