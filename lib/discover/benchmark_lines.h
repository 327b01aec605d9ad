/*
 * Where benchmarks without metadata stand in their source, as far as DWARF says so. Apart
 * from benchmarks.h, so that bench-run, which shows no lines, does not load libdw.
 */
#ifndef DISCOVER_BENCHMARK_LINES_H
#define DISCOVER_BENCHMARK_LINES_H

#include "discover/benchmarks.h"

/* Fills in source and line of the benchmarks that lack them. The path is the object's. */
void benchmarks_find_lines(struct benchmarks *b, const char *path);

#endif
