/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the source lines of benchmarks without metadata in DWARF. Separate from
 * benchmarks.h, so that bench-run, which prints no lines, does not load libdw.
 */
#ifndef DISCOVER_BENCHMARK_LINES_H
#define DISCOVER_BENCHMARK_LINES_H

#include "discover/benchmarks.h"

/* Sets source and line of the benchmarks of the object at path that lack them. */
void benchmarks_find_lines(struct benchmarks *b, const char *path);

#endif
