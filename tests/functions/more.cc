/*
 * Benchmarks in C++, one of which throws.
 */
#include <bench.h>
#include <stdexcept>
#include <string>

BENCH(append, "category=string param.n=1000 items=n")
{
	uint64_t n = bench_count(b, "n");

	BENCH_LOOP(b)
	{
		std::string s;

		for (uint64_t i = 0; i < n; i++)
			s += 'x';
		BENCH_KEEP(s.data());
		BENCH_CLOBBER();
	}
}

BENCH(throws, "category=string")
{
	BENCH_LOOP(b)
	{
		throw std::runtime_error("thrown");
	}
}
