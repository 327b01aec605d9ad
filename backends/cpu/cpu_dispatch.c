/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detects instruction sets, and chooses one.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu_dispatch.h"

#ifdef __x86_64__
static bool isa_has_avx512(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

static bool isa_has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

static bool isa_has_baseline(void)
{
	return true;
}

/* The instruction sets, widest first. */
static const struct {
	const struct cpu_isa *isa;
	bool (*is_available)(void);
} isas[] = {
#ifdef __x86_64__
	{ &cpu_avx512, isa_has_avx512 },
	{ &cpu_avx2, isa_has_avx2 },
#endif
	{ &cpu_plain, isa_has_baseline },
};

const struct cpu_isa *cpu_isa_best(void)
{
	const char *limit = getenv("BENCH_CPU_ISA");
	size_t i = 0, last = sizeof(isas) / sizeof(*isas) - 1;
	for (size_t j = 0; limit && j <= last; j++)
		if (strcmp(isas[j].isa->name, limit) == 0)
			i = j;
	while (i < last && !isas[i].is_available())
		i++;
	return isas[i].isa;
}
