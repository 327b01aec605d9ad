/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the C library's qsort on numbers in four orders.
 *
 * Sorting destroys its input, so each iteration needs a new copy. benchmark_qsort therefore
 * measures a copy and a sort, and benchmark_qsort_copy the copy alone, for comparison. A
 * pause around the copy would cost more than the copy if n is small.
 *
 *	gcc -shared -fPIC -O2 sort.c -o sort.so
 *	bench-run -f ./sort.so
 */
#include <stdlib.h>
#include <string.h>

#include <bench.h>

#define SIZES "param.n=100,10000"

/* Returns the next number of SplitMix64; the numbers are the same in each process. */
static uint32_t number(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static int by_value(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int by_value_down(const void *a, const void *b)
{
	return by_value(b, a);
}

/* Returns n numbers in one of the four orders. */
static uint32_t *numbers(struct bench *b, const char *order, size_t n)
{
	uint32_t *x = malloc(n * sizeof(*x));
	uint64_t state = 1;

	if (!x)
		bench_fail(b, "no memory");
	for (size_t i = 0; i < n; i++)
		x[i] = strcmp(order, "few") == 0 ? number(&state) % 8 : number(&state);
	if (strcmp(order, "sorted") == 0)
		qsort(x, n, sizeof(*x), by_value);
	else if (strcmp(order, "reversed") == 0)
		qsort(x, n, sizeof(*x), by_value_down);
	else if (strcmp(order, "random") != 0 && strcmp(order, "few") != 0)
		bench_fail(b, "order is not random, sorted, reversed or few");
	return x;
}

BENCH(qsort,
    "category=sort " SIZES " param.order=random,sorted,reversed,few items=n bytes=4*n")
{
	size_t n = (size_t)bench_count(b, "n");
	uint32_t *from = numbers(b, bench_text(b, "order"), n),
	         *x = numbers(b, "random", n);

	BENCH_LOOP(b) {
		memcpy(x, from, n * sizeof(*x));
		qsort(x, n, sizeof(*x), by_value);
		BENCH_KEEP(x);
		BENCH_CLOBBER();
	}
	for (size_t i = 1; i < n; i++)
		if (x[i - 1] > x[i])
			bench_fail(b, "not sorted");
	free(from);
	free(x);
}

BENCH(qsort_copy, "category=sort " SIZES " items=n bytes=4*n")
{
	size_t n = (size_t)bench_count(b, "n");
	uint32_t *from = numbers(b, "random", n), *x = numbers(b, "random", n);

	BENCH_LOOP(b) {
		memcpy(x, from, n * sizeof(*x));
		BENCH_KEEP(x);
		BENCH_CLOBBER();
	}
	free(from);
	free(x);
}
