#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what sysbench prints.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# of TEST: the rows of a test
of() { bench-convert -n b "$data/sysbench-$1.txt" | columns bench,threads,iterations,metric,unit,value,status; }
is "$(of cpu)" 'b,2,,throughput,1/s,3050.99,ok
b,2,,wall,ns,1000700000,ok
b,2,,events,1,3055,ok
b,2,,latency_min,ns,220000,ok
b,2,3055,latency,ns,650000,ok
b,2,,latency_max,ns,35520000,ok
b,2,,latency_p95,ns,4250000,ok' 'bench-convert reads the test cpu of sysbench'
is "$(of memory)" 'b,2,,throughput,1/s,4071248.68,ok
b,2,,bandwidth,B/s,4168959918.08,ok
b,2,,wall,ns,49800000,ok
b,2,,events,1,204800,ok
b,2,,latency_min,ns,,skipped
b,2,204800,latency,ns,,skipped
b,2,,latency_max,ns,12040000,ok
b,2,,latency_p95,ns,,skipped' 'bench-convert reads the test memory of sysbench, and latencies that it rounded to 0 as missing'
is "$(of fileio | head -n 5)" 'b,1,,read_ops_rate,1/s,11828.75,ok
b,1,,write_ops_rate,1/s,7885.83,ok
b,1,,fsync_rate,1/s,395.28,ok
b,1,,read_bandwidth,B/s,193797816.32,ok
b,1,,write_bandwidth,B/s,129205534.72,ok' 'bench-convert reads the test fileio of sysbench'
is "$(of oltp | head -n 6)" 'b,2,,throughput,1/s,89.13,ok
b,2,,query_rate,1/s,1812.54,ok
b,2,,ignored_errors,1,2,ok
b,2,,reconnects,1,0,ok
b,2,,wall,ns,1132600000,ok
b,2,,events,1,101,ok' 'bench-convert reads tests of databases of sysbench'
is "$(of failed)" 'b,1,,wall,ns,,failed' 'bench-convert reads a run of sysbench without statistics as failed'
cat "$data/sysbench-cpu.txt" "$data/sysbench-failed.txt" "$data/sysbench-cpu.txt" >runs.txt
is "$(bench-convert runs.txt | columns sample,metric,value,status | grep wall)" '0,wall,1000700000,ok
1,wall,,failed
2,wall,1000700000,ok' 'bench-convert reads several runs of sysbench as samples'
sed 's/total time: .*/total time: ?/' "$data/sysbench-cpu.txt" >bad.txt
status 2 'bench-convert rejects a value of sysbench that is no number' bench-convert bad.txt
is "$(cat "$T/.err")" "bench-convert: bad.txt:$(grep -n 'total time' bad.txt | cut -d : -f 1): no number" \
	'the message about a value of sysbench that is no number has its line'
head -n 12 "$data/sysbench-cpu.txt" | head -c -1 >cut.txt
status 2 'bench-convert rejects text of sysbench that ends within a line' bench-convert cut.txt
done_testing
