/*
 * Where benchmarks without metadata stand in their source, as far as DWARF says so.
 */
#ifndef BENCHMARK_LINES_H
#define BENCHMARK_LINES_H

#include "discover/benchmarks.h"

/* Fill in source and line of the benchmarks that lack them. The path is the object's. */
void benchmarks_find_lines(struct benchmarks *b, const char *path);

#endif
