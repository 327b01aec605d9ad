/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What workers are worth: the arithmetic. Pure.
 *
 * The work is not divided: every worker does all of it, so that k of them have done k times
 * as much. Speed-up and efficiency are thus those of scaled work (J. L. Gustafson,
 * Reevaluating Amdahl's law, CACM 31(5), 1988), taken against a sequential run that was
 * measured.
 */
#ifndef RUN_SPEEDUP_H
#define RUN_SPEEDUP_H

#include <stdint.h>

/* Pieces of work finished per second. */
double speedup_throughput(uint64_t pieces, double wall_ns);
/* How many times as much as one worker alone, in the same time. */
double speedup_of(double throughput, double sequential_throughput);
/* The part of k-fold that k workers reach: 1 when none hinders another. */
double speedup_efficiency(double speedup, uint64_t workers);

#endif
