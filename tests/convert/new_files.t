#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads files that the installed versions of other programs write now. Each value must be
# the one that the program's own reader returns, in our units. peers.t does the same for pyperf.
. "${0%/*}/../lib/tap.sh"

# The scripts below import our_rows.py.
export PYTHONPATH="$ROOT/tests/convert" PYTHONDONTWRITEBYTECODE=1
python=$VENV/bin/python3

# A failure is null, and a combination that was skipped is NaN, which is no JSON.
if skip_unless asv "bench-convert reads the values that asv itself reads from a new file"; then
	mkdir benchmarks
	: >benchmarks/__init__.py
	cat >benchmarks/peer.py <<'.'
class Sort:
    params = ([10, 1000, 2000], ["up", "it's"])
    param_names = ["n", "order"]
    rounds, repeat, number, warmup_time = 1, 3, 2, 0

    def setup(self, n, order):
        if n == 2000:
            raise NotImplementedError
        self.list = list(range(n))

    def time_sort(self, n, order):
        if n == 1000 and order == "up":
            raise ValueError
        sorted(self.list)

def peakmem_list():
    return [0] * 1000

def track_delay():
    return 0.1
track_delay.unit = "seconds"

def track_widgets():
    return 3
track_widgets.unit = "widgets"
.
	echo '{"version": 1, "project": "peer", "repo": ".", "branches": ["HEAD"], "environment_type": "existing",
		"benchmark_dir": "benchmarks", "results_dir": "results", "html_dir": "html"}' >asv.conf.json
	git init -q . && git config user.name a && git config user.email a@b
	git add asv.conf.json benchmarks && git commit -q -m benchmarks
	"$python" -m asv machine --yes >out 2>&1
	"$python" -m asv run --python=same --record-samples --set-commit-hash "$(git rev-parse HEAD)" >>out 2>&1
	cat >asv_peer.py <<'.'
import itertools, sys
from asv.benchmarks import Benchmarks
from asv.config import Config
from asv.results import Results
from asv.util import is_na
from our_rows import compare, rows, scaled

results = Results.load(sys.argv[1])
benchmarks = Benchmarks.load(Config.load("asv.conf.json"))
want = []
for key in results.get_all_result_keys():
    params = results.get_result_params(key)
    part = key.split(".")[-1]
    metric, unit, exponent = ("wall", "ns", 9) if part.startswith("time_") else \
        ("memory", "B", 0) if part.startswith("peakmem_") else ("track", "1", 0)
    if metric == "track":
        unit, exponent = {"seconds": ("ns", 9)}.get(benchmarks[key]["unit"], (benchmarks[key]["unit"], 0))
    values = results.get_result_value(key, params)
    samples = results.get_result_samples(key, params)
    stats = results.get_result_stats(key, params)
    for i, combination in enumerate(itertools.product(*params)):
        n, order = (combination + ("", ""))[:2]
        factors = (key, n, order[1:-1])
        if samples and samples[i]:
            for j, sample in enumerate(samples[i]):
                want.append(factors + (str(j), str(stats[i]["number"]), metric, unit, "ok", scaled(sample, exponent)))
        elif is_na(values[i]):
            status = "failed" if values[i] is None else "skipped"
            want.append(factors + ("", "", metric, unit, status, None))
        else:
            want.append(factors + ("", "", metric, unit, "ok", scaled(values[i], exponent)))
assert len(want) == 15, want
compare(rows(sys.argv[1], "bench", "n", "order", "sample", "iterations", "metric", "unit", "status"), want)
.
	for file in results/*/*-existing-*.json; do
		ok "bench-convert reads the values that asv itself reads from a new file" "$python" asv_peer.py "$file"
	done
fi

if skip_unless pytest-benchmark "bench-convert reads the values that pytest-benchmark itself reads from new files"; then
	cat >test_peer.py <<'.'
import pytest

@pytest.mark.parametrize("n", [10, 1000])
def test_sort(benchmark, n):
    benchmark.pedantic(sorted, (list(range(n)),), rounds=4, iterations=5)

@pytest.mark.benchmark(group="copies")
def test_copy(benchmark):
    benchmark.extra_info["size"] = 64
    benchmark(bytes, b"x" * 64)
.
	: >pytest.ini
	# --benchmark-save writes the statistics without the rounds.
	"$python" -m pytest -q -p no:cacheprovider --benchmark-max-time=0.01 --benchmark-storage=saved --benchmark-save=x \
		--benchmark-json=rounds.json test_peer.py >out 2>&1
	cp saved/*/*_x.json statistics.json
	cat >pytest_peer.py <<'.'
import logging, os, sys
from pytest_benchmark.stats import Stats
from pytest_benchmark.storage.file import FileStorage
from our_rows import compare, rows, scaled

(_, data), = FileStorage(os.getcwd(), logging).load(sys.argv[1])
want = []
for b in data["benchmarks"]:
    stats = b["stats"]
    times = Stats()
    times.data = stats.get("data", [])
    assert not times.data or (times.min, times.max, times.rounds) == (stats["min"], stats["max"], stats["rounds"])
    subject = (b["fullname"].split("[")[0], str((b["params"] or {}).get("n", "")), b["group"] or "")
    for i, value in enumerate(times.data):
        want.append(subject + (str(i), str(stats["iterations"]), "wall", scaled(value, 9)))
    rest = str(stats["iterations"])
    if not times.data:
        rest = str(stats["iterations"] * stats["rounds"])
        for name, metric in ("mean", "wall"), ("min", "wall_min"), ("median", "wall_median"), ("max", "wall_max"), \
                ("stddev", "wall_sd"):
            want.append(subject + ("", rest, metric, scaled(stats[name], 9)))
    want += [subject + ("", rest, key, value) for key, value in b["extra_info"].items()]
assert len({w[:2] for w in want}) == 3, want
compare(rows(sys.argv[1], "bench", "n", "group", "sample", "iterations", "metric"), want)
.
	for file in rounds.json statistics.json; do
		ok "bench-convert reads the values that pytest-benchmark itself reads from the new ${file%.json}" \
			"$python" pytest_peer.py "$file"
	done
fi

if skip_unless /usr/share/benchmark/compare.py "bench-convert reads the values that Google Benchmark's tools read from new files" &&
	skip_unless /usr/include/benchmark/benchmark.h "bench-convert reads the values that Google Benchmark's tools read from new files"; then
	cat >peer.cc <<'.'
#include <benchmark/benchmark.h>
#include <cstring>

static void copy(benchmark::State &state)
{
	static char from[4096], to[4096];
	for (auto _ : state) {
		memcpy(to, from, size_t(state.range(0)));
		benchmark::ClobberMemory();
	}
	state.SetBytesProcessed(int64_t(state.iterations()) * state.range(0));
	/* Its CSV has the counters of the first benchmark. */
	state.counters["things"] = 1.5;
}
BENCHMARK(copy)->Arg(64)->Arg(4096)->Iterations(100)->Repetitions(3);

static void counts(benchmark::State &state)
{
	for (auto _ : state)
		benchmark::ClobberMemory();
	state.counters["things"] = 2.5;
}
BENCHMARK(counts)->Unit(benchmark::kMicrosecond)->Iterations(10);

static void fails(benchmark::State &state)
{
	state.SkipWithError("broken");
	for (auto _ : state) {}
}
BENCHMARK(fails)->Iterations(10);
BENCHMARK_MAIN();
.
	g++ -o peer peer.cc -lbenchmark -pthread >out 2>&1
	./peer --benchmark_format=csv --benchmark_out=gbench.json >gbench.csv 2>>out
	cat >gbench_peer.py <<'.'
import math, sys
sys.path.insert(0, "/usr/share/benchmark")
from gbench.util import load_benchmark_results
from our_rows import compare, rows, scaled

exponents = {"ns": 0, "us": 3, "ms": 6, "s": 9}

want = []
for b in load_benchmark_results("gbench.json")["benchmarks"]:
    if b["run_type"] == "aggregate":
        continue
    e = exponents[b["time_unit"]]
    subject = (b["run_name"].split("/iterations")[0], str(b["repetition_index"]), str(b["iterations"]))
    if b.get("error_occurred"):
        want.append(subject + ("wall", "ns", "failed", None))
        continue
    for name, metric, unit, exponent in ("real_time", "wall", "ns", e), ("cpu_time", "cpu_time", "ns", e), \
            ("bytes_per_second", "bandwidth", "B/s", 0), ("things", "things", "1", 0):
        if name in b:
            want.append(subject + (metric, unit, "ok", scaled(b[name], exponent)))
assert len(want) == 28, want
compare(rows("gbench.json", "bench", "sample", "iterations", "metric", "unit", "status"), want)

# Its CSV has six digits.
got = rows("gbench.csv", "bench", "sample", "metric", "unit", "status")
got = {g[:5]: g[5] for g in got}
for w in want:
    value = got.pop(w[:2] + w[3:6])
    assert value == w[-1] or math.isclose(value, w[-1], rel_tol=1e-5), w
assert not got, got
.
	ok "bench-convert reads the values that Google Benchmark's tools read from new JSON and CSV" /usr/bin/python3 gbench_peer.py
fi

if skip_unless python3 "bench-convert reads the values of new JSON and CSV of hyperfine" &&
	skip_unless hyperfine "bench-convert reads the values of new JSON and CSV of hyperfine"; then
	hyperfine -i -N -r 3 -w 0 -L n 0,1 'sh -c "exit {n}"' --export-json h.json --export-csv h.csv >out 2>&1
	cat >hyperfine_peer.py <<'.'
import csv, json
from our_rows import compare, rows, scaled

want = []
for r in json.load(open("h.json"))["results"]:
    subject = (str(r["parameters"]["n"]),)
    status = "ok" if subject == ("0",) else "failed:exit=1"
    want += [subject + (str(i), "1", "wall", "ns", status, scaled(v, 9)) for i, v in enumerate(r["times"])]
    want += [subject + ("", "3", ours, "ns", status, scaled(r[theirs], 9))
        for theirs, ours in (("user", "user"), ("system", "sys"))]
compare(rows("h.json", "n", "sample", "iterations", "metric", "unit", "status"), want)

names = {"mean": "wall", "stddev": "wall_sd", "median": "wall_median", "min": "wall_min", "max": "wall_max",
    "user": "user", "system": "sys"}
want = {(r["parameter_n"], names[name], scaled(float(r[name]), 9))
    for r in csv.DictReader(open("h.csv")) for name in names}
got = rows("h.csv", "n", "metric")
assert len(got) == 14
compare(sorted(got), sorted(want))
.
	ok "bench-convert reads the values of new JSON and CSV of hyperfine" python3 hyperfine_peer.py
fi

if skip_unless python3 "bench-convert reads the values of new JSON of perf stat" &&
	skip_unless perf "bench-convert reads the values of new JSON of perf stat"; then
	perf stat -j -e task-clock,page-faults -o perf.out -- sleep 0.03 >out 2>&1
	cat >perf_peer.py <<'.'
import json
from our_rows import compare, rows, scaled

events = [json.loads(line) for line in open("perf.out") if line.startswith("{")]
compare(rows("perf.out", "metric", "unit"), [("task-clock", "ns", scaled(float(events[0]["counter-value"]), 6)),
    ("page-faults", "1", float(events[1]["counter-value"]))])
.
	ok "bench-convert reads the values of new JSON of perf stat" python3 perf_peer.py
fi
done_testing
