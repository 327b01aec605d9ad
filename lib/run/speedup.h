/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of speed-up and efficiency. Pure.
 *
 * The work is not divided: every worker does all of it, so that k workers do k times as
 * much. Speed-up and efficiency are therefore those of scaled work (J. L. Gustafson,
 * Reevaluating Amdahl's law, CACM 31(5), 1988), relative to a sequential run that was
 * measured.
 */
#ifndef RUN_SPEEDUP_H
#define RUN_SPEEDUP_H

#include <stdint.h>

/* Returns the pieces of work finished per second. */
double speedup_throughput(uint64_t pieces, double wall_ns);
/* Returns the throughput relative to that of one worker alone. */
double speedup_of(double throughput, double sequential_throughput);
/*
 * Returns the share of k-fold throughput that k workers reach: 1 if they do not hinder
 * each other.
 */
double speedup_efficiency(double speedup, uint64_t workers);

#endif
