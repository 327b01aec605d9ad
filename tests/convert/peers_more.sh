#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads files that the installed versions of more programs write now, of those that Debian
# has. `make peers` installs them, and runs this script; `make check` runs peers.t and new_files.t.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
export PYTHONPATH="$ROOT/tests/convert" PYTHONDONTWRITEBYTECODE=1

if skip_unless valgrind "bench-convert reads the totals and peaks that the tools of Valgrind print"; then
	program=$(command -v true)
	valgrind -q --tool=callgrind --cache-sim=yes --branch-sim=yes --callgrind-out-file=callgrind.out "$program" 2>err
	valgrind -q --tool=cachegrind --branch-sim=yes --cachegrind-out-file=cachegrind.out "$program" 2>err
	valgrind -q --tool=massif --massif-out-file=massif.out "$(command -v ls)" >out 2>err
	# totals PROGRAM FILE: the counts of all events that a program prints, one a line
	totals() {
		"$1" "$2" | awk '/PROGRAM TOTALS/ {
			for (i = 1; i <= NF && $i != "PROGRAM"; i++)
				if ($i ~ /^[0-9]/) { gsub(/,/, "", $i); print $i }
		}'
	}
	want=$(totals callgrind_annotate callgrind.out)
	is "$(bench-convert callgrind.out | column value)" "${want:-counts}" "bench-convert reads each count that callgrind_annotate prints"
	want=$(totals cg_annotate cachegrind.out)
	is "$(bench-convert cachegrind.out | column value)" "${want:-counts}" "bench-convert reads each count that cg_annotate prints"
	want=$(ms_print massif.out | awk '
		$1 ~ /^[0-9]+$/ && NF == 6 { gsub(/,/, ""); if ($4 > most) most = $4 } END { if (most) print most }')
	is "$(bench-convert -M heap_peak massif.out | column value)" "${want:-a peak}" "bench-convert reads the peak that ms_print prints"
fi

if skip_unless /usr/bin/time "bench-convert reads the other formats of the installed GNU time"; then
	/usr/bin/time -o default.txt -- sh -c 'sleep 0.02; exit 3'
	like "$(bench-convert default.txt | columns metric,unit,value,status | grep wall)" '^wall,ns,[2-9]0000000,failed:exit=3$' \
		"bench-convert reads the default format of the installed GNU time"
	/usr/bin/time -p -o posix.txt -- sleep 0.02
	is "$(bench-convert posix.txt | columns metric,value)" "$(awk '
		{ printf "%s,%.0f\n", $1 == "real" ? "wall" : $1, $2 * 1e9 }' posix.txt)" \
		"bench-convert reads the format of POSIX of the installed GNU time"
fi

# A server that answers requests for / and none, and ends with this script.
serve() {
	mkdir -p page
	echo page >page/index.html
	python3 -u -m http.server --bind 127.0.0.1 --directory page 0 >served 2>log &
	server=$!
	trap 'kill "$server" 2>/dev/null; rm -rf "$T"' EXIT
	wait_for grep -q ' port [0-9]' served
	port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' served)
}
if skip_unless python3 "bench-convert reads the numbers that wrk passes to its scripts" &&
	skip_unless wrk "bench-convert reads the numbers that wrk passes to its scripts"; then
	serve
	cat >done.lua <<'.'
function done(summary, latency, requests)
	io.stderr:write(summary.requests, " ", summary.errors.status, " ", latency.max, " ", latency:percentile(50), "\n")
end
.
	for page in '' none; do
		wrk -t 1 -c 2 -d 1s --latency -s done.lua "http://127.0.0.1:$port/$page" >wrk.txt 2>numbers
		bench-convert wrk.txt | columns metric,value >rows
		# wrk rounds the latencies that it prints.
		is "$(awk -F, -v numbers="$(cat numbers)" '
			BEGIN {
				split(numbers, want, " ")
				if (want[2] == 0) seen++
			}
			function near(x, y) { return x > 0.99 * y && x < 1.01 * y }
			$1 == "requests" && $2 == want[1] || $1 == "http_errors" && want[2] > 0 && $2 == want[2] ||
				$1 == "latency_max" && near($2, want[3] * 1000) ||
				$1 == "latency_p50" && near($2, want[4] * 1000) { seen++ }
			END { print seen }' rows)" 4 "bench-convert reads the numbers that wrk passes to its scripts, of the page /$page"
	done
	kill "$server"
	wait "$server" 2>/dev/null
fi

if skip_unless python3 "bench-convert reads the values of new JSON of fio" &&
	skip_unless fio "bench-convert reads the values of new JSON of fio"; then
	cat >job <<'.'
[global]
ioengine=psync
size=256k
bs=4k
[writes]
rw=write
[mixed]
rw=randrw
.
	fio --output-format=json --output=fio.json job >out 2>&1
	cat >fio_peer.py <<'.'
import json
from our_rows import compare, rows

want = []
for job in json.load(open("fio.json"))["jobs"]:
    for direction in "read", "write", "trim":
        d = job[direction]
        if d["total_ios"] == 0:
            continue
        subject = (job["jobname"], direction, job["job options"]["rw"])
        p = d["clat_ns"]["percentile"]
        for metric, unit, value in ("latency", "ns", d["lat_ns"]["mean"]), ("latency_sd", "ns", d["lat_ns"]["stddev"]), \
                ("latency_min", "ns", d["lat_ns"]["min"]), ("latency_max", "ns", d["lat_ns"]["max"]), \
                ("clat", "ns", d["clat_ns"]["mean"]), ("clat_sd", "ns", d["clat_ns"]["stddev"]), \
                ("clat_median", "ns", p["50.000000"]), ("clat_p90", "ns", p["90.000000"]), \
                ("clat_p99", "ns", p["99.000000"]), ("clat_p99.9", "ns", p["99.900000"]), \
                ("throughput", "1/s", d["iops"]), ("bandwidth", "B/s", d["bw_bytes"]):
            want.append(subject + (metric, unit, "ok", value))
assert len(want) == 36, want
compare(rows("fio.json", "bench", "direction", "rw", "metric", "unit", "status"), want)
.
	ok "bench-convert reads the values of new JSON of fio" python3 fio_peer.py
fi

if skip_unless python3 "bench-convert reads the values of new XML of Catch2" &&
	skip_unless /usr/include/catch2/catch.hpp "bench-convert reads the values of new XML of Catch2"; then
	cat >peer.cc <<'.'
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

TEST_CASE("vectors & more")
{
	std::vector<int> v(1000);
	BENCHMARK("fill") { v.assign(1000, 1); return v[0]; };
	SECTION("inner") { BENCHMARK("sum") { int s = 0; for (int i : v) s += i; return s; }; }
	BENCHMARK("throws") -> int { throw std::runtime_error("broken"); };
}
.
	g++ -o peer peer.cc >out 2>&1
	./peer --reporter xml --benchmark-samples 10 --benchmark-resamples 100 >catch2.xml 2>>out
	cat >catch2_peer.py <<'.'
import xml.etree.ElementTree as tree
from our_rows import compare, rows

want = []
def visit(element, path):
    for e in element:
        if e.tag == "BenchmarkResults":
            name = "/".join(path + [e.get("name")])
            if e.find("failed") is not None:
                want.append((name, "", "wall", "ns", "failed", None))
                continue
            count = str(int(e.get("samples")) * int(e.get("iterations")))
            for tag, metric in ("mean", "wall"), ("standardDeviation", "wall_sd"):
                want.append((name, count, metric, "ns", "ok", float(e.find(tag).get("value"))))
        else:
            visit(e, path + [e.get("name")] if e.tag in ("TestCase", "Section") else path)
visit(tree.parse("catch2.xml").getroot(), [])
assert len(want) == 5, want
compare(rows("catch2.xml", "bench", "iterations", "metric", "unit", "status"), want)
.
	ok "bench-convert reads the values of new XML of Catch2" python3 catch2_peer.py
fi

if skip_unless /usr/bin/rustc "bench-convert reads the benchmarks of the installed libtest"; then
	cat >bench.rs <<'.'
#![feature(test)]
extern crate test;

#[bench]
fn copy(b: &mut test::Bencher) {
    let from = vec![0u8; 4096];
    b.bytes = 4096;
    b.iter(|| from.clone());
}

#[bench]
fn fails(_: &mut test::Bencher) {
    panic!("broken");
}

#[bench]
fn sort(b: &mut test::Bencher) {
    b.iter(|| { let mut v: Vec<u32> = (0..5000).rev().collect(); v.sort(); v });
}
.
	RUSTC_BOOTSTRAP=1 /usr/bin/rustc -O --test -o bench bench.rs >out 2>&1
	./bench --bench >libtest.txt 2>>out
	is "$(bench-convert libtest.txt | columns bench,metric,unit,value,status)" "$(tr -d ',()' <libtest.txt | awk '
		/^test .* bench: / {
			printf "%s,wall,ns,%s,ok\n%s,wall_range,ns,%s,ok\n", $2, $5, $2, $8
			if ($9 == "=") printf "%s,bandwidth,B/s,%.0f,ok\n", $2, $10 * 1e6
		}
		/^test .* FAILED$/ { printf "%s,wall,ns,,failed\n", $2 }')" "bench-convert reads the benchmarks of the installed libtest"
	is "$(grep -c '^test .* bench: \|^test .* FAILED$' libtest.txt)" 3 "the installed libtest prints a line for each benchmark"
fi

# These programs are in no package: HYPERFINE_SCRIPTS names the directory scripts of hyperfine's source, BENCHSTAT the
# program benchstat, and BENCHMARK_ACTION the directory of a release of github-action-benchmark, which node runs.
scripts=${HYPERFINE_SCRIPTS:-HYPERFINE_SCRIPTS} benchstat=${BENCHSTAT:-BENCHSTAT} action=${BENCHMARK_ACTION:-BENCHMARK_ACTION}
if skip_unless "$scripts/welch_ttest.py" "the scripts of hyperfine read the JSON that bench-convert writes" &&
	skip_unless /usr/lib/python3/dist-packages/scipy "the scripts of hyperfine read the JSON that bench-convert writes"; then
	printf '%s\n' bench,metric,unit,value old,wall,ns,1500000000 old,wall,ns,2500000000 old,wall,ns,4000000000 \
		new,wall,ns,10000000000 new,wall,ns,11000000000 new,wall,ns,12000000000 | bench-convert -t hyperfine -o h.json
	is "$(/usr/bin/python3 "$scripts/advanced_statistics.py" h.json | tr -s ' ' | grep -e Command -e mean -e stddev -e median -e runs)" \
		"Command 'old'
 runs: 3
 mean: 2.667 s
 stddev: 1.258 s
 median: 2.500 s
Command 'new'
 runs: 3
 mean: 11.000 s
 stddev: 1.000 s
 median: 11.000 s" "hyperfine's advanced_statistics.py reads the times that bench-convert writes"
	like "$(/usr/bin/python3 "$scripts/welch_ttest.py" h.json | paste -sd' ')" '^Command 1: old Command 2: new  t = -8\.98, p = 0\.00' \
		"hyperfine's welch_ttest.py reads the times that bench-convert writes"
fi

if skip_unless "$benchstat" "benchstat reads the lines that bench-convert writes"; then
	for factor in 1 2; do
		awk -v factor=$factor 'BEGIN {
			print "bench,size,metric,unit,value"
			for (i = 0; i < 9; i++)
				printf "sort,9,wall,ns,%d\nsort,9,bandwidth,B/s,%d\n", factor * 1e6 + i, 5e6 + i
		}' | bench-convert -t go >$factor.txt
	done
	is "$("$benchstat" -format csv 1.txt 2.txt | grep '^_')" \
		'_sort/size=9,0.001000004,0%,0.002000004,0%,+100.00%,p=0.000 n=9
_sort/size=9,5.000004e+06,0%,5.000004e+06,0%,~,p=1.000 n=9' 'benchstat finds the medians of the lines that bench-convert writes'
	for file in go.txt go-failures.txt; do
		bench-convert -q -f go -t go "$data/$file" >go.txt
		want=$("$benchstat" -format csv "$data/$file" 2>/dev/null | sed "s,$data/$file,go.txt,")
		is "$("$benchstat" -format csv go.txt 2>/dev/null)" "${want:-a table}" \
			"benchstat finds in the lines that bench-convert writes what it finds in $file"
	done
fi

# Runs the action for a commit, first or next, whose results are in a file and better if they are "Smaller" or "Bigger",
# and adds them to history.json.
benchmark_action() {
	env GITHUB_EVENT_NAME=push GITHUB_EVENT_PATH="$2.push" GITHUB_REPOSITORY=owner/name \
		INPUT_NAME=all INPUT_TOOL="custom${1}IsBetter" INPUT_OUTPUT-FILE-PATH="$2.json" INPUT_GH-PAGES-BRANCH=pages \
		INPUT_BENCHMARK-DATA-DIR-PATH=data INPUT_EXTERNAL-DATA-JSON-PATH=history.json INPUT_ALERT-THRESHOLD=150% \
		INPUT_AUTO-PUSH=false INPUT_SKIP-FETCH-GH-PAGES=true INPUT_COMMENT-ALWAYS=false INPUT_SUMMARY-ALWAYS=false \
		INPUT_SAVE-DATA-FILE=true INPUT_COMMENT-ON-ALERT=false INPUT_FAIL-ON-ALERT=true \
		INPUT_GO-FORCE-PACKAGE-SUFFIX=false node "$action/dist/src/index.js" >action.log 2>&1
}

if skip_unless "$action/dist/src/index.js" "github-action-benchmark reads the JSON that bench-convert writes" &&
	skip_unless node "github-action-benchmark reads the JSON that bench-convert writes"; then
	for commit in first next; do
		jq -n --arg commit $commit '{ name: "a", email: "a@b", username: "a" } as $who | {
			head_commit: { id: $commit, message: "m", timestamp: "2026-01-01T00:00:00Z", url: "https://a.b/c",
				author: $who, committer: $who },
			repository: { html_url: "https://a.b/owner/name", name: "name", owner: { login: "owner" } } }' >$commit.push
	done
	while read -r better to file metric decisions; do
		rm -f history.json
		bench-convert -q -t "$to" "$data/$file" >first.json
		ok "github-action-benchmark accepts $to" benchmark_action "$better" first
		want=$(jq -c '.[] | [.name, .unit, .value, .range, .extra]' first.json)
		is "$(jq -c '.entries.all[0].benches[] | [.name, .unit, .value, .range, .extra]' history.json)" \
			"${want:-results}" \
			"github-action-benchmark keeps each value of $to"
		is "$(bench-convert history.json | column value)" "$(jq '.[].value' first.json)" \
			"bench-convert reads the history that github-action-benchmark makes of $to"
		for factor in 1.4 0.7 3 0.3; do
			jq --arg metric "$metric" --argjson factor $factor 'map(if .name | endswith($metric)
				then .value *= $factor else . end)' first.json >next.json
			benchmark_action "$better" next && echo passes || echo fails
			rm -f history.json
			benchmark_action "$better" first
		done >decisions
		is "$(paste -sd, decisions)" "$decisions" "github-action-benchmark decides about $to times 1.4, 0.7, 3 and 0.3"
	done <<.
Smaller github-smaller hyperfine.json n=1 passes,passes,fails,passes
Bigger github-bigger wrk.txt throughput passes,passes,passes,fails
.
fi
done_testing
