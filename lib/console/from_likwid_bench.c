/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what likwid-bench prints. Its MByte are 10^6 bytes.
 */
#include "console/pattern_runs.h"

static const struct line_pattern lines[] = {
	{ "Test: <f>", "bench", NULL, 0, 0 },
	{ "Using <f> threads", "threads", NULL, 0, 0 },
	{ "Size (Byte): <f>", "size_bytes", NULL, 0, 0 },
	{ "Time: <v> sec", "wall", "ns", 9, 1 },
	{ "MFlops/s: <v>", "flop_rate", "1/s", 6, 1 },
	{ "MByte/s: <v>", "bandwidth", "B/s", 6, 1 },
	{ "Cycles per update: <v>", "cycles_per_update", "1", 0, 1 },
	{ "Cycles per cacheline: <v>", "cycles_per_cacheline", "1", 0, 1 },
};

static const struct pattern_program program = {
	.begins = "LIKWID MICRO BENCHMARK",
	.lines = lines,
	.count = COUNT(lines),
	.metric = "wall",
	.unit = "ns",
};

static bool likwid_bench_recognize(const struct source *s)
{
	return pattern_runs_recognize(&program, s);
}

static int likwid_bench_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	return pattern_runs_read(&program, s, out, f);
}

const struct format format_likwid_bench = { .name = "likwid-bench",
	.meaning = "likwid-bench",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = likwid_bench_recognize,
	.read = likwid_bench_read };
