#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads files that the installed versions of more programs write now, of those that Debian
# has. `make peers` installs them, and runs this script; `make check` runs peers.t and new_files.t.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

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

# hyperfine's scripts are in no package. HYPERFINE_SCRIPTS names the directory scripts of its source.
scripts=${HYPERFINE_SCRIPTS:-HYPERFINE_SCRIPTS}
if skip_unless "$scripts/welch_ttest.py" "the scripts of hyperfine read the JSON that bench-convert writes" &&
	skip_unless /usr/lib/python3/dist-packages/scipy "the scripts of hyperfine read the JSON that bench-convert writes"; then
	printf '%s\n' bench,metric,unit,value old,wall,ns,1500000000 old,wall,ns,2500000000 old,wall,ns,4000000000 \
		new,wall,ns,10000000000 new,wall,ns,11000000000 new,wall,ns,12000000000 | bench-convert -t hyperfine -o h.json
	is "$(python3 "$scripts/advanced_statistics.py" h.json | tr -s ' ' | grep -e Command -e mean -e stddev -e median -e runs)" \
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
	like "$(python3 "$scripts/welch_ttest.py" h.json | paste -sd' ')" '^Command 1: old Command 2: new  t = -8\.98, p = 0\.00' \
		"hyperfine's welch_ttest.py reads the times that bench-convert writes"
fi
done_testing
