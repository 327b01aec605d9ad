/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bodies for bench-run -f.
 */
#include <bench.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP(x) BENCH_KEEP(x)
#define CLOBBER() BENCH_CLOBBER()
#define FUNCTION(name, setup, ...)  \
	BENCH(name, "")             \
	{                           \
		setup;              \
		BENCH_LOOP(b) {     \
			__VA_ARGS__ \
		}                   \
	}

#include "call_bodies.h"

/* The chain once more, as a function that takes nothing. */
void benchmark_plain100(void);
void benchmark_plain100(void)
{
	uint64_t x = 3, y = 12345;

	TEN(TEN(__asm__ volatile("imul %1, %0" : "+r"(x) : "r"(y));))
}
