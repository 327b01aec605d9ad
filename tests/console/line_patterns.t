#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what sockperf and likwid-bench print, whose formats are tables of lines.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

# sockperf
bench-convert "$data/sockperf.txt" | columns sample,trip,metric,unit,value,status >rows
is "$(grep -E '^0.*(y|_sd|_min|_p50|_p99.9),' rows)" '0,,latency,ns,16228,ok
0,,latency_sd,ns,166354,ok
0,,latency_p99.9,ns,1295871,ok
0,,latency_p50,ns,9141,ok
0,,latency_min,ns,6391,ok' 'bench-convert reads the latencies of sockperf in ns, without the colors'
is "$(grep -E '^1.*(latency|dropped_messages),' rows)" '1,Round,latency,ns,84729,ok
1,Round,dropped_messages,1,0,ok' 'bench-convert distinguishes round trips of sockperf by a factor'
is "$(grep '^2' rows)" '2,,message_rate,1/s,32155,ok
2,,bandwidth,B/s,2058354.688,ok' 'bench-convert reads MBps of sockperf as 2^20 bytes'
is "$(grep '^3' rows)" '3,,latency,ns,,failed' 'bench-convert reads sockperf without a server as failed'

# likwid-bench
is "$(bench-convert "$data/likwid-bench.txt" | columns bench,threads,size_bytes,metric,unit,value | sed -n '1,5p;7,8p')" \
	'copy,1,1000000,wall,ns,1042250000
copy,1,1000000,flop_rate,1/s,0
copy,1,1000000,bandwidth,B/s,7859920000
copy,1,1000000,cycles_per_update,1,4.977947
copy,1,1000000,cycles_per_cacheline,1,39.823576
triad,2,99840,flop_rate,1/s,574360000
triad,2,99840,bandwidth,B/s,9189700000' 'bench-convert reads the values of likwid-bench with the settings of their run'
sed '/^Time/,$d' "$data/likwid-bench.txt" >cut.txt
is "$(bench-convert cut.txt | columns bench,threads,metric,value,status)" copy,1,wall,,failed \
	'bench-convert reads likwid-bench that was interrupted as failed'
done_testing
