/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speed-up and efficiency; see speedup.h.
 */
#include "run/speedup.h"

double speedup_throughput(uint64_t pieces, double wall_ns)
{
	return (double)pieces / (wall_ns / 1e9);
}

double speedup_of(double throughput, double sequential_throughput)
{
	return throughput / sequential_throughput;
}

double speedup_efficiency(double speedup, uint64_t workers)
{
	return speedup / (double)workers;
}
