/*
 * Source lines of benchmarks without metadata, from DWARF. A module apart from benchmarks.h,
 * so that bench-run, which shows no lines, does not load libdw.
 */
#ifndef DISCOVER_BENCHMARK_LINES_H
#define DISCOVER_BENCHMARK_LINES_H

#include "discover/benchmarks.h"

/* Fills in source and line of the benchmarks that lack them. The path is the object's. */
void benchmarks_find_lines(struct benchmarks *b, const char *path);

#endif
