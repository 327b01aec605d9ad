#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what benchmarks with Criterion.rs print.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# rows FILE: the file's rows without the commas in the name of a benchmark
rows() { bench-convert "$1" | sed 's/"\(.*\), \(.*\)"/\1 \2/' | columns bench,sample,metric,unit,value,status; }

want='fib 10,0,wall,ns,268.43,ok
fib 10,0,wall_lower,ns,211.63,ok
fib 10,0,wall_upper,ns,321.1,ok
nothing,0,wall,ns,0.67092,ok
nothing,0,wall_lower,ns,0.61671,ok
nothing,0,wall_upper,ns,0.71339,ok
copy/clone of a vector/64,0,wall,ns,23.866,ok
copy/clone of a vector/64,0,wall_lower,ns,22.989,ok
copy/clone of a vector/64,0,wall_upper,ns,24.753,ok
copy/clone of a vector/64,0,bandwidth,B/s,2681670205.44,ok
copy/clone of a vector/64,0,bandwidth_lower,B/s,2585570312.192,ok
copy/clone of a vector/64,0,bandwidth_upper,B/s,2783997801.2672,ok
copy/clone of a vector/65536,0,wall,ns,2593.9,ok
copy/clone of a vector/65536,0,wall_lower,ns,2155.7,ok
copy/clone of a vector/65536,0,wall_upper,ns,3061.5,ok
copy/clone of a vector/65536,0,bandwidth,B/s,25265145118.72,ok
copy/clone of a vector/65536,0,bandwidth_lower,B/s,21406117003.264,ok
copy/clone of a vector/65536,0,bandwidth_upper,B/s,30401926004.736,ok
copy/a function with: colons [and] brackets,0,wall,ns,138.38,ok
copy/a function with: colons [and] brackets,0,wall_lower,ns,111.98,ok
copy/a function with: colons [and] brackets,0,wall_upper,ns,166.37,ok
copy/a function with: colons [and] brackets,0,throughput,1/s,7226600000,ok
copy/a function with: colons [and] brackets,0,throughput_lower,1/s,6010500000,ok
copy/a function with: colons [and] brackets,0,throughput_upper,1/s,8929800000,ok
sleep,0,wall,ns,2269500,ok
sleep,0,wall_lower,ns,2133700,ok
sleep,0,wall_upper,ns,2478400,ok'
is "$(rows "$data/criterion-console.txt")" "$want" "bench-convert reads times, rates and confidence intervals of Criterion.rs"
grep -v '^Benchmarking' "$data/criterion-console.txt" >results.txt
is "$(rows results.txt)" "$want" "bench-convert reads the results of Criterion.rs without the lines about its progress"
is "$(rows "$data/criterion-console-changes.txt" | grep -v '_lower\|_upper')" 'fib 10,0,wall,ns,284.81,ok
nothing,0,wall,ns,0.67932,ok
copy/clone of a vector/64,0,wall,ns,21.696,ok
copy/clone of a vector/64,0,bandwidth,B/s,2949890913.0752,ok
copy/clone of a vector/65536,0,wall,ns,2967,ok
copy/clone of a vector/65536,0,bandwidth,B/s,22087943061.504,ok
copy/a function with: colons [and] brackets,0,wall,ns,95.963,ok
copy/a function with: colons [and] brackets,0,throughput,1/s,10421000000,ok
sleep,0,wall,ns,2152400,ok' "bench-convert reads no change of Criterion.rs as a time"
is "$(cat "$data/criterion-console.txt" "$data/criterion-console-changes.txt" | bench-convert -M wall | grep '^function,fib' | cut -d, -f3,6)" \
	'0,268.43
1,284.81' "bench-convert numbers the runs of a benchmark of Criterion.rs"
is "$(rows "$data/criterion-console-color.txt" | sed -n '1p;$p')" 'fib 10,0,wall,ns,131.09,ok
copy/clone of a vector/65536,0,bandwidth_upper,B/s,48482664579.072,ok' "bench-convert reads the colored output of Criterion.rs"

bench-convert "$data/criterion-console-fails.txt" 2>err | columns bench,metric,value,status >out
is "$(cat out),$(cat err)" "fib 10,wall,192.09,ok
fib 10,wall_lower,183.12,ok
fib 10,wall_upper,199.18,ok
a benchmark that panics,wall,,failed,bench-convert: $data/criterion-console-fails.txt: 'a benchmark that panics' has no result: the benchmark failed, or the file is cut off" \
	"bench-convert reads a benchmark of Criterion.rs that panics as failed"

printf 'cycles                  time:   [1.5000 Kcycles 1.6000 Kcycles 1.7000 Kcycles]\n' >own.txt
is "$(rows own.txt)" 'cycles,0,value,Kcycles,1.6,ok
cycles,0,value_lower,Kcycles,1.5,ok
cycles,0,value_upper,Kcycles,1.7,ok' "bench-convert keeps the unit of another measurement than time of Criterion.rs"
printf '                        time:   [1.5 ns 1.6 ns 1.7 ns]\n' >nameless.txt
bench-convert nameless.txt >out 2>err
is "$?,$(wc -c <out),$(cat err)" '2,0,bench-convert: nameless.txt:1: a time without the name of a benchmark' \
	"bench-convert rejects a time of Criterion.rs without a name"
done_testing
