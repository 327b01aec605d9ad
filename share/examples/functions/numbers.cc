/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benchmarks of the C++ standard library. The benchmarks themselves have C linkage, so no
 * exception may leave them.
 *
 *	g++ -shared -fPIC -O2 numbers.cc -o numbers.so
 *	bench-run -f ./numbers.so
 */
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <bench.h>

namespace
{

/* Returns n random numbers. The standard defines the engine, so they are the same on each
 * machine. */
std::vector<std::uint32_t> numbers(std::size_t n)
{
	std::mt19937 engine(1);
	std::vector<std::uint32_t> x(n);

	for (auto &one : x)
		one = static_cast<std::uint32_t>(engine());
	return x;
}

} // namespace

/* Measures a copy and a sort, because sorting destroys its input; benchmark_vector_copy
 * measures the copy alone. */
BENCH(std_sort, "category=numbers param.n=100,10000 items=n")
{
	const auto from = numbers(bench_count(b, "n"));
	auto x = from;

	BENCH_LOOP(b) {
		x = from;
		std::sort(x.begin(), x.end());
		BENCH_KEEP(x.data());
		BENCH_CLOBBER();
	}
	if (!std::is_sorted(x.begin(), x.end()))
		bench_fail(b, "not sorted");
}

BENCH(vector_copy, "category=numbers param.n=100,10000 items=n")
{
	const auto from = numbers(bench_count(b, "n"));
	auto x = from;

	BENCH_LOOP(b) {
		x = from;
		BENCH_KEEP(x.data());
		BENCH_CLOBBER();
	}
}

/* Looks up one key in each iteration, in random order, and starts again after the last. */
BENCH(map_find, "category=numbers param.n=100,100000 items=1")
{
	const auto keys = numbers(bench_count(b, "n"));
	std::unordered_map<std::uint32_t, std::uint32_t> map;
	std::size_t next = 0;

	for (auto key : keys)
		map[key] = key / 2;
	BENCH_LOOP(b) {
		const auto found = map.find(keys[next]);
		BENCH_KEEP(found->second);
		next = next + 1 < keys.size() ? next + 1 : 0;
	}
}

/* Appends n letters to an empty string, one at a time; the time includes its growth. */
BENCH(string_append, "category=numbers param.n=10,1000 items=n bytes=n")
{
	const auto n = bench_count(b, "n");

	BENCH_LOOP(b) {
		std::string text;

		for (std::uint64_t i = 0; i < n; i++)
			text += 'x';
		BENCH_KEEP(text.data());
		BENCH_CLOBBER();
	}
}
