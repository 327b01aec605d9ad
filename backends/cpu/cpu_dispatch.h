/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The choice of an instruction set at run time.
 */
#ifndef CPU_CPU_DISPATCH_H
#define CPU_CPU_DISPATCH_H

#include "cpu_isa.h"

/* Returns the widest instruction set that this processor has and that is no wider than the
 * one named by the environment's BENCH_CPU_ISA. */
const struct cpu_isa *cpu_isa_best(void);

#endif
