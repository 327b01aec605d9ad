/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the processor has AVX-VNNI, which __builtin_cpu_supports() of some compilers does
 * not know. */
#ifndef PROCESSOR_AVX_VNNI_H
#define PROCESSOR_AVX_VNNI_H

#include <stdbool.h>

#ifdef __x86_64__
#include <cpuid.h>

/* Returns whether it does ("Intel 64 and IA-32 Architectures Software Developer's Manual",
 * CPUID, leaf 07H, subleaf 1, EAX). The system has to keep its registers, as for AVX2. */
static inline bool avx_vnni_is_here(void)
{
	enum { FEATURES = 7, VNNI_BIT = 1 << 4 };
	unsigned a, b, c, d;

	return __builtin_cpu_supports("avx2") &&
	       __get_cpuid_count(FEATURES, 0, &a, &b, &c, &d) && a >= 1 &&
	       __get_cpuid_count(FEATURES, 1, &a, &b, &c, &d) && a & VNNI_BIT;
}
#endif

#endif
