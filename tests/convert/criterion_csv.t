#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the raw.csv of Criterion.rs.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

raw=$ROOT/tests/fixtures/data/convert/criterion-csv.csv
is "$(bench-convert "$raw" | columns bench,parameter,sample,iterations,metric,unit,value)" "$(python3 - "$raw" <<'.py'
import csv, sys
for i, row in enumerate(csv.DictReader(open(sys.argv[1]))):
    ns = float(row["sample_measured_value"]) / int(row["iteration_count"])
    start = "%s/%s,%s,%d,%s" % (row["group"], row["function"], row["value"], i, row["iteration_count"])
    print(start + ",wall,ns,%s" % repr(ns).removesuffix(".0"))
    print(start + ",bandwidth,B/s,%s" % repr(int(row["throughput_num"]) * 1e9 / ns).removesuffix(".0"))
.py
)" "bench-convert reads each sample, its rate and the parameter of the raw.csv of Criterion.rs"
is "$(bench-convert -M wall "$raw" | columns bench,sample,value | sed -n '1p;$p')" "copy/clone of a vector,0,$(python3 -c 'print(3634173 / 2476)')
copy/clone of a vector,19,$(tail -1 "$raw" | awk -F, '{ printf "%.17g\n", $6 / $8 }' | python3 -c 'print(float(input()))')" \
	"bench-convert divides the times in the raw.csv of Criterion.rs by the iterations"
head -2 "$raw" | sed 's/,65536,65536,bytes,/,,4,elements,/' >elements.csv
is "$(bench-convert elements.csv | columns bench,parameter,metric,unit | tail -1)" 'copy/clone of a vector,,throughput,1/s' \
	"bench-convert reads elements in the raw.csv of Criterion.rs as throughput"
head -2 "$raw" | sed 's/,ns,/,cycles,/' >cycles.csv
is "$(bench-convert cycles.csv | columns metric,unit)" value,cycles "bench-convert keeps the unit of another measurement than time of raw.csv"
mkdir -p target/criterion/copy/new
cp "$raw" target/criterion/copy/new/raw.csv
is "$(bench-convert -M wall target/criterion | wc -l)" 21 "bench-convert reads raw.csv in a directory of Criterion.rs"
cp "$ROOT/tests/fixtures/data/convert/criterion-sample.json" target/criterion/copy/new/sample.json
is "$(bench-convert target/criterion | columns bench | sort -u)" copy "bench-convert reads sample.json, and not also raw.csv in the same directory"
sed '3s/6655266.0/x/' "$raw" >number.csv
bench-convert number.csv >out 2>err
is "$?,$(wc -c <out),$(cat err)" "2,0,bench-convert: number.csv:3: sample_measured_value: 'x' is not a decimal number" \
	"bench-convert rejects a text instead of a time in raw.csv"
sed '3s/,ns,.*//' "$raw" >short.csv
bench-convert short.csv >out 2>err
is "$?,$(wc -c <out),$(wc -l <err)" 2,0,1 "bench-convert rejects a short row of raw.csv in one line"
done_testing
