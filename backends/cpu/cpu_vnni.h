/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products of few rows in int8 by VNNI, whose instructions add four products of a byte
 * without and one with a sign to a sum of 32 bits. oneDNN copies the weights for each
 * product, which takes longer than to multiply few rows by them.
 */
#ifndef CPU_CPU_VNNI_H
#define CPU_CPU_VNNI_H

#include "cpu_session.h"

/* Computes c[m,n] = a[m,k] b[n,k]' on the calling thread; rows are contiguous, those of c
 * ldc apart. */
typedef void cpu_vnni(int64_t m, int64_t n, int64_t k, const uint8_t *a, const int8_t *b,
    int32_t *c, int64_t ldc);

/* Returns the function for a session's instruction set: NULL if the processor has neither
 * AVX512-VNNI nor AVX-VNNI, or vectors of that width are not used. */
cpu_vnni *cpu_vnni_of(const struct cpu_isa *isa);

#endif
