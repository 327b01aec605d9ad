#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the table that Google Benchmark prints.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# rows FILE: the file's rows without the comma in the label of a benchmark
rows() {
	bench-convert -q "$1" | sed 's/"\(.*\), \(.*\)"/\1 \2/' |
		columns bench,n,threads,label,sample,iterations,metric,unit,value,status
}

is "$(rows "$data/gbench-console.txt")" 'BM_copy/8,,,,0,23762241,wall,ns,4.95,ok
BM_copy/8,,,,0,23762241,cpu_time,ns,2.86,ok
BM_copy/8,,,,0,23762241,bandwidth,B/s,2792662897.78688,ok
BM_copy/65536,,,,0,52541,wall,ns,2197,ok
BM_copy/65536,,,,0,52541,cpu_time,ns,1263,ok
BM_copy/65536,,,,0,52541,bandwidth,B/s,51877406729.8304,ok
BM_sort,1000,,a label with words,0,7861,wall,ns,26100,ok
BM_sort,1000,,a label with words,0,7861,cpu_time,ns,10100,ok
BM_sort,1000,,a label with words,0,7861,bytes,1,3906.25,ok
BM_sort,1000,,a label with words,0,7861,depth,1,12.5,ok
BM_sort,1000,,a label with words,0,7861,huge,1,1.5e+30,ok
BM_sort,1000,,a label with words,0,7861,throughput,1/s,99083700,ok
BM_sort,1000,,a label with words,0,7861,per_swap,ns,3364.16,ok
BM_sort,1000,,a label with words,0,7861,swaps,1/s,297251,ok
BM_error,,,,0,,wall,ns,,failed
BM_sleep,,2,,0,40,wall,ns,588000,ok
BM_sleep,,2,,0,40,cpu_time,ns,11000,ok
BM_bigo/64,,,,0,2800568,wall,ns,98.8,ok
BM_bigo/64,,,,0,2800568,cpu_time,ns,31.3,ok
BM_bigo/512,,,,0,398648,wall,ns,375,ok
BM_bigo/512,,,,0,398648,cpu_time,ns,177,ok
BM_bigo/4096,,,,0,57761,wall,ns,4001,ok
BM_bigo/4096,,,,0,57761,cpu_time,ns,1380,ok' "bench-convert reads times, counters, labels and errors of Google Benchmark's table"
is "$(bench-convert -q "$data/gbench-console.txt" | grep failed | cut -d, -f11-)" "failed,,no device: 'gpu 0'" \
	"bench-convert keeps the message of an error in Google Benchmark's table"
is "$(rows "$data/gbench-console-tabular.txt" | grep 'sort\|_copy/8')" 'BM_copy/8,,,,0,24715357,wall,ns,7.98,ok
BM_copy/8,,,,0,24715357,cpu_time,ns,3.02,ok
BM_copy/8,,,,0,24715357,bandwidth,B/s,2650864552.50944,ok
BM_sort,1000,,a label with words,0,7245,wall,ns,21500,ok
BM_sort,1000,,a label with words,0,7245,cpu_time,ns,9420,ok
BM_sort,1000,,a label with words,0,7245,bytes,1,3906.25,ok
BM_sort,1000,,a label with words,0,7245,depth,1,12.5,ok
BM_sort,1000,,a label with words,0,7245,huge,1,1.5e+30,ok
BM_sort,1000,,a label with words,0,7245,throughput,1/s,106169000,ok
BM_sort,1000,,a label with words,0,7245,per_swap,ns,3139.66,ok
BM_sort,1000,,a label with words,0,7245,swaps,1/s,318506,ok' "bench-convert reads counters of Google Benchmark that have columns"
is "$(rows "$data/gbench-console-repetitions.txt" | cut -d, -f1,5,7,9,10 | grep 'copy.*wall\|error')" 'BM_copy/8,0,wall,6.02,ok
BM_copy/8,1,wall,6.92,ok
BM_copy/8,2,wall,5.65,ok
BM_error,0,wall,,failed
BM_error,1,wall,,failed
BM_error,2,wall,,failed' "bench-convert reads repetitions, and no aggregates beside them, of Google Benchmark's table"
is "$(rows "$data/gbench-console-aggregates.txt" | cut -d, -f1,5-9 | grep 'copy\|bigo/64.*wall')" 'BM_copy/8,,,wall,ns,5.81
BM_copy/8,,,cpu_time,ns,3.4
BM_copy/8,,,bandwidth,B/s,2366226332.38528
BM_copy/8,,,wall_median,ns,5.78
BM_copy/8,,,cpu_time_median,ns,3.36
BM_copy/8,,,bandwidth_median,B/s,2379862853.55008
BM_copy/8,,,wall_sd,ns,0.56
BM_copy/8,,,cpu_time_sd,ns,0.288
BM_copy/8,,,bandwidth_sd,B/s,198531088.384
BM_bigo/64,,,wall,ns,33.9
BM_bigo/64,,,wall_median,ns,34.1
BM_bigo/64,,,wall_sd,ns,0.471' "bench-convert reads aggregates of Google Benchmark's table if there are no repetitions"
is "$(rows "$data/gbench-console-python.txt" | cut -d, -f1,6-)" 'BM_sum,2018,wall,ns,13454,ok
BM_sum,2018,cpu_time,ns,13395,ok
BM_sum,2018,big,1,123456,ok
BM_sum,2018,bytes,1,4000,ok
BM_sum,2018,bandwidth,B/s,597224849.408,ok
BM_sum,2018,throughput,1/s,74653100,ok
a name with spaces,771594,wall,ns,33,ok
a name with spaces,771594,cpu_time,ns,31,ok
BM_error,,wall,ns,,failed' "bench-convert reads prefixes for powers of 1024, and names with spaces, of Google Benchmark 1.9"

bench-convert "$data/gbench-console.txt" 2>&1 >out | grep -c "'bytes': prefixes of counters are read as powers of 1000" >notes
is "$(cat notes)" 1 "bench-convert warns that prefixes of Google Benchmark 1.7 have an unknown base"
bench-convert "$data/gbench-console-python.txt" 2>err >out
is "$(wc -c <err)" 0 "bench-convert does not warn about prefixes of Google Benchmark 1.9"
(cat "$data/gbench-console-color.txt" && echo) >color.txt
is "$(bench-convert color.txt | columns time,bench,metric,value,status)" '2026-11-28T10:14:08.000000000Z,BM_copy/8,wall,11.5,ok
2026-11-28T10:14:08.000000000Z,BM_copy/8,cpu_time,2.8,ok
2026-11-28T10:14:08.000000000Z,BM_copy/8,bandwidth,2859578488.25856,ok
2026-11-28T10:14:08.000000000Z,BM_error,wall,,failed' "bench-convert reads the colored table of Google Benchmark, and the date before it"
sed "s/^BM_error .*/BM_skip            SKIPPED: 'no such device'/" "$data/gbench-console-python.txt" >skipped.txt
is "$(bench-convert skipped.txt | grep skip | cut -d, -f2,7-)" 'BM_skip,,skipped,no such device' \
	"bench-convert reads benchmarks that were skipped in Google Benchmark's table"
printf '%s\n' ---------- 'Benchmark  Time  CPU  Iterations' ---------- 'BM_mean  5 ns  4 ns  10' 'BM_x_median  6 ns  5 ns  10' >names.txt
is "$(bench-convert -M wall names.txt | columns bench,sample,metric,value)" 'BM_mean,0,wall,5
BM_x_median,0,wall,6' "bench-convert reads a benchmark of Google Benchmark whose name ends as that of an aggregate"
done_testing
