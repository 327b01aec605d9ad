#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The JSON and the CSV of one run of Google Benchmark have the same subjects.
. "${0%/*}/../lib/tap.sh"

what="bench-convert names the subjects of Google Benchmark's JSON and CSV equally"
if skip_unless /usr/include/benchmark/benchmark.h "$what"; then
	cat >names.cc <<'.'
#include <benchmark/benchmark.h>

static void work(benchmark::State &state)
{
	for (auto _ : state)
		benchmark::ClobberMemory();
}
static void labeled(benchmark::State &state)
{
	work(state);
	state.SetLabel("a, b");
}
BENCHMARK(work)->Iterations(10);
BENCHMARK(work)->ArgsProduct({{1, 2}, {8}})->ArgNames({"size", "way"})->Iterations(10)->Repetitions(2);
BENCHMARK(work)->Arg(3)->Threads(2)->UseRealTime()->Iterations(10);
BENCHMARK(work)->MinTime(0.001);
BENCHMARK(labeled)->Iterations(10);
BENCHMARK_MAIN();
.
	g++ -o names names.cc -lbenchmark -pthread >out 2>&1
	./names --benchmark_format=csv --benchmark_out=names.json >names.csv 2>>out
	cat >subjects.py <<'.'
import csv, sys
for r in csv.DictReader(sys.stdin):
    if r["metric"] == "wall":
        print(*(r.get(c, "?") for c in "kind bench size way threads label sample iterations metric unit status x_name".split()), sep="|")
.
	bench-convert names.json | python3 subjects.py >json
	bench-convert names.csv | python3 subjects.py >csv
	is "$(cat csv)" "$(cat json)" "$what"
	is "$(sed -n '1p;3p;6p;8p' csv | sed 's/|[0-9]*|wall/|N|wall/')" 'function|work|||||0|N|wall|ns|ok|work/iterations:10
function|work|1|8|||1|N|wall|ns|ok|work/size:1/way:8/iterations:10/repeats:2
function|work/3|||2||0|N|wall|ns|ok|work/3/iterations:10/real_time/threads:2
function|labeled||||a, b|0|N|wall|ns|ok|labeled/iterations:10' \
		"bench-convert reads parameters and labels of Google Benchmark's CSV as factors"
fi
done_testing
