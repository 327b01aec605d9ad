/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bodies for Google Benchmark.
 */
#include <benchmark/benchmark.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define KEEP(x) benchmark::DoNotOptimize(x)
#define CLOBBER() benchmark::ClobberMemory()
#define FUNCTION(name, setup, ...)                \
	static void name(benchmark::State &state) \
	{                                         \
		setup;                            \
		for (auto _ : state) {            \
			__VA_ARGS__               \
		}                                 \
	}                                         \
	BENCHMARK(name);

#include "call_bodies.h"

/* bench-run calls this as a function without parameters. */
__attribute__((noinline)) static void chain(void)
{
	uint64_t x = 3, y = 12345;

	TEN(TEN(__asm__ volatile("imul %1, %0" : "+r"(x) : "r"(y));))
}

FUNCTION(plain100, , chain();)

BENCHMARK_MAIN();
