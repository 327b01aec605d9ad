#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the files of services that track benchmarks: those of other programs, and
# those that it writes itself.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# Bencher
is "$(bench-convert "$data/bencher.json")" 'bench,metric,unit,value
tests::benchmark_a,wall,ns,3247
tests::benchmark_a,wall_lower,ns,1044
tests::benchmark_a,wall_upper,ns,1044
tests::benchmark_b,wall,ns,3443
tests::benchmark_b,wall_lower,ns,2275
tests::benchmark_b,wall_upper,ns,2275
tests::benchmark_c,wall,ns,3361
tests::benchmark_c,wall_lower,ns,1093
tests::benchmark_c,wall_upper,ns,1093' 'bench-convert reads values and their bounds from the Bencher Metric Format'
is "$(bench-convert "$data/bencher-memory.json")" 'bench,metric,unit,value
bench_play_game,Final Blocks,,0
bench_play_game,Final Bytes,,0
bench_play_game,Max Blocks,,1
bench_play_game,Max Bytes,,9
bench_play_game,Total Blocks,,100
bench_play_game,Total Bytes,,662' 'bench-convert reads measures of Bencher that it does not know without a unit'
is "$(bench-convert "$data/bencher-parameters.json")" 'bench,size_mb,op,metric,unit,value
tests::canonical,16,read,wall,ns,1
tests::canonical,16,read,wall_p50,ns,10
tests::canonical,16,read,wall,ns,2
tests::canonical,16,read,wall_p90,ns,20
tests::canonical,16,read,throughput,1/s,100
tests::canonical,16,read,wall,ns,3
tests::canonical,16,read,wall_p99,ns,30' 'bench-convert reads parameters of the Bencher Metric Format as factors'
printf '%s\n' bench,n,metric,unit,value a,1,wall,ns,1500 a,1,max_rss,B,4096 a,1,page-faults,1,7 \
	a,2,wall,ns,2500 a,2,max_rss,B,8192 a,2,page-faults,1,8 >in.csv
is "$(bench-convert -t bencher in.csv | bench-convert)" 'bench,metric,unit,value
a/n=1,wall,ns,1500
a/n=1,max_rss,B,4096
a/n=1,page-faults,1,7
a/n=2,wall,ns,2500
a/n=2,max_rss,B,8192
a/n=2,page-faults,1,8' 'bench-convert reads metrics and units back from the Bencher Metric Format'
seq 1 9 | sed 's/.*/x,&,wall,ns,&00/; 1s/^/bench,sample,metric,unit,value\n/' >nine.csv
is "$(bench-convert -t bencher nine.csv | bench-convert | columns metric,value)" 'wall,500
wall_lower,200
wall_upper,800' 'bench-convert reads the interval of a median back from the Bencher Metric Format'
echo '{"a": {"latency": {"value": 1}, "x": {"lower_value": 2}}}' >bad.json
status 2 'bench-convert rejects a measure of Bencher without a value' bench-convert bad.json
is "$(cat "$T/.err")" 'bench-convert: bad.json: a measure x has no value' 'the message about a measure without a value names it'

# github-action-benchmark
is "$(bench-convert "$data/github-data.js")" 'time,commit,bench,suite,metric,unit,value
2019-11-09T15:09:00.323000000Z,45d78258e495044a551046f50604da3c893052ce,bench_fib_10,Rust Benchmark,wall,ns,254
2019-11-09T15:09:00.323000000Z,45d78258e495044a551046f50604da3c893052ce,bench_fib_20,Rust Benchmark,wall,ns,34001
2019-11-09T15:11:41.293000000Z,b840614fd88743f234aac0dc747a0a70616f450f,bench_fib_10,Rust Benchmark,wall,ns,242
2019-11-09T15:11:41.293000000Z,b840614fd88743f234aac0dc747a0a70616f450f,bench_fib_20,Rust Benchmark,wall,ns,35940
2019-11-09T15:43:14.405000000Z,ba36beffce7ea6c4846a35832ed47d439f36b805,bench_fib_10,Rust Benchmark,wall,ns,224
2019-11-09T15:43:14.405000000Z,ba36beffce7ea6c4846a35832ed47d439f36b805,bench_fib_20,Rust Benchmark,wall,ns,30047' \
	"bench-convert reads the history of github-action-benchmark"
bench-convert "$data/github-data.js" | bench-store -D history.db add 2>err
is "$(bench-store -D history.db export | column value | sort -n | paste -sd' ')" '224 242 254 30047 34001 35940' \
	'bench-store keeps the history of github-action-benchmark'
sed '$s/}$/};/' "$data/github-data.js" >semicolon.js
is "$(bench-convert semicolon.js | cksum)" "$(bench-convert "$data/github-data.js" | cksum)" \
	'bench-convert reads a history of github-action-benchmark that ends in a semicolon'
head -c 1500 "$data/github-data.js" >cut.js
status 2 'bench-convert rejects a history of github-action-benchmark that is cut off' bench-convert cut.js
like "$(cat "$T/.err")" '^bench-convert: cut.js:' 'the message about a history that is cut off names the file'
is "$(bench-convert "$data/github-history.json")" 'time,commit,bench,suite,metric,unit,value
2026-11-28T13:13:16.632000000Z,1111111,add_two,all,wall,ns,1.05
2026-11-28T13:13:16.632000000Z,1111111,inner::sort,all,wall,ns,66092.31
2026-11-28T13:13:16.813000000Z,2222222,add_two,all,wall,ns,1.05
2026-11-28T13:13:16.813000000Z,2222222,inner::sort,all,wall,ns,66092.31' \
	"bench-convert reads the history that github-action-benchmark writes with external-data-json-path"
is "$(bench-convert -t github-smaller in.csv | bench-convert)" 'bench,metric,unit,value
a/n=1,wall,ns,1500
a/n=1,max_rss,B,4096
a/n=1,page-faults,1,7
a/n=2,wall,ns,2500
a/n=2,max_rss,B,8192
a/n=2,page-faults,1,8' 'bench-convert reads metrics and units back from the values of github-action-benchmark'
is "$(bench-convert "$data/github-smaller.json")" 'bench,metric,unit,value
My Custom Smaller Is Better Benchmark - CPU Load,value,Percent,50
My Custom Smaller Is Better Benchmark - Memory Used,value,Megabytes,100' \
	'bench-convert reads values of github-action-benchmark in any unit'
is "$(bench-convert "$data/github-probes.json")" 'bench,metric,unit,value
No instrumentation,wall,ns,90.9439
Deactivated probe,wall,ns,445.661
No logging,wall,ns,1847.38
Binary file,wall,ns,3886.75' 'bench-convert reads times of github-action-benchmark as wall'
is "$(bench-convert -f github-bigger "$data/github-bigger.json")" 'bench,metric,unit,value
My Custom Bigger Is Better Benchmark - Throughput,throughput,1/s,70
My Custom Bigger Is Better Benchmark - Free Memory,value,Megabytes,150' 'bench-convert reads requests per second of github-action-benchmark as throughput'
# Lines of the peer with other units and with numbers as texts
sed 's/"ns"/"\\u00b5s\/iter"/; s/90.9439/"12.5"/; s/1847.38/0.3/; s/445.661/0.3/' "$data/github-probes.json" >units.json
is "$(bench-convert units.json | sed 1d)" 'No instrumentation,wall,ns,12500
Deactivated probe,wall,ns,300
No logging,wall,ns,300
Binary file,wall,ns,3886750' 'bench-convert scales values of github-action-benchmark without rounding errors'
echo '[{"name": "a", "unit": "ms", "value": "fast"}]' >bad.json
status 2 'bench-convert rejects a value of github-action-benchmark that is not a number' bench-convert bad.json
done_testing
