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

BENCHMARK_MAIN();
