/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the result of HPCG, HPCG-Benchmark_3.1_DATE.txt. Its GB and Gbytes are 10^9 bytes.
 * The rate with all overheads is the rating of a valid result.
 */
#include "console/pattern_runs.h"

static const struct line_pattern lines[] = {
	{ "Machine Summary::Distributed Processes=<f>", "processes", NULL, 0, 0 },
	{ "Machine Summary::Threads per processes=<f>", "threads", NULL, 0, 0 },
	{ "Global Problem Dimensions::Global nx=<f>", "nx", NULL, 0, 0 },
	{ "Global Problem Dimensions::Global ny=<f>", "ny", NULL, 0, 0 },
	{ "Global Problem Dimensions::Global nz=<f>", "nz", NULL, 0, 0 },
	{ "Setup Information::Setup Time=<v>", "setup", "ns", 9, 1 },
	{ "Memory Use Information::Total memory used for data (Gbytes)=<v>", "memory", "B",
	    9, 1 },
	{ "Benchmark Time Summary::DDOT=<v>", "ddot", "ns", 9, 1 },
	{ "Benchmark Time Summary::WAXPBY=<v>", "waxpby", "ns", 9, 1 },
	{ "Benchmark Time Summary::SpMV=<v>", "spmv", "ns", 9, 1 },
	{ "Benchmark Time Summary::MG=<v>", "mg", "ns", 9, 1 },
	{ "Benchmark Time Summary::Total=<v>", "wall", "ns", 9, 1 },
	{ "GB/s Summary::Total with convergence and optimization phase overhead=<v>",
	    "bandwidth", "B/s", 9, 1 },
	{ "GFLOP/s Summary::Raw DDOT=<v>", "ddot_flop_rate", "flop/s", 9, 1 },
	{ "GFLOP/s Summary::Raw WAXPBY=<v>", "waxpby_flop_rate", "flop/s", 9, 1 },
	{ "GFLOP/s Summary::Raw SpMV=<v>", "spmv_flop_rate", "flop/s", 9, 1 },
	{ "GFLOP/s Summary::Raw MG=<v>", "mg_flop_rate", "flop/s", 9, 1 },
	{ "GFLOP/s Summary::Total with convergence and optimization phase overhead=<v>",
	    "flop_rate", "flop/s", 9, 1 },
};

static const struct pattern_program program = {
	.begins = "HPCG-Benchmark",
	.lines = lines,
	.count = COUNT(lines),
	.bench = "HPCG",
	.failed = "Final Summary::HPCG result is=INVALID.",
	.succeeded = "Final Summary::HPCG result is VALID with a GFLOP/s rating of=<v>",
	.metric = "flop_rate",
	.unit = "flop/s",
};

static bool hpcg_recognize(const struct source *s)
{
	return pattern_runs_recognize(&program, s);
}

static int hpcg_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	return pattern_runs_read(&program, s, out, f);
}

const struct format format_hpcg = { .name = "hpcg",
	.meaning = "result of HPCG (HPCG-Benchmark_3.1_*.txt)",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = hpcg_recognize,
	.read = hpcg_read };
