/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the processor has AVX-VNNI, which __builtin_cpu_supports() of some compilers does
 * not know. */
#ifndef PROCESSOR_AVX_VNNI_H
#define PROCESSOR_AVX_VNNI_H

#include <stdbool.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <stdatomic.h>

/* Asks the processor whether it does ("Intel 64 and IA-32 Architectures Software
 * Developer's Manual", CPUID, leaf 07H, subleaf 1, EAX). The system has to keep its
 * registers, as for AVX2. */
static inline bool avx_vnni_ask(void)
{
	enum { FEATURES = 7, VNNI_BIT = 1 << 4 };
	unsigned a, b, c, d;

	return __builtin_cpu_supports("avx2") &&
	       __get_cpuid_count(FEATURES, 0, &a, &b, &c, &d) && a >= 1 &&
	       __get_cpuid_count(FEATURES, 1, &a, &b, &c, &d) && a & VNNI_BIT;
}

/* Returns whether it does. The processor is asked once: on virtual machines, CPUID takes
 * tens of microseconds, as long as a product of few rows. */
static inline bool avx_vnni_is_here(void)
{
	enum { UNKNOWN, NO, YES };
	static atomic_int answer;
	if (atomic_load_explicit(&answer, memory_order_relaxed) == UNKNOWN)
		atomic_store_explicit(
		    &answer, avx_vnni_ask() ? YES : NO, memory_order_relaxed);
	return atomic_load_explicit(&answer, memory_order_relaxed) == YES;
}
#endif

#endif
