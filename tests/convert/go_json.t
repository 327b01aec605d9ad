#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the benchmarks in the events of go test -json.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
rows() { bench-convert "$@" | columns bench,pkg,procs,n,sample,iterations,metric,value,status; }

is "$(rows "$data/go-events.jsonl")" 'Sum,demo/sums,2,,0,1000,wall,3.966,
Sum,demo/sums,2,,0,1000,alloc_bytes,0,
Sum,demo/sums,2,,0,1000,alloc_calls,0,
Sum,demo/sums,2,,1,1000,wall,4.226,
Sum,demo/sums,2,,1,1000,alloc_bytes,0,
Sum,demo/sums,2,,1,1000,alloc_calls,0,
Size,demo/sums,2,10,0,1000,wall,6.449,
Size,demo/sums,2,10,1,1000,wall,36.38,
Size,demo/sums,2,100,0,,wall,,failed
Skipped,demo/sums,2,,0,,wall,,skipped
Logs,demo/sums,2,,0,1000,wall,242.6,
Logs,demo/sums,2,,0,1000,p99,3.5,
Logs,demo/sums,2,,1,1000,wall,100.9,
Logs,demo/sums,2,,1,1000,p99,3.5,
Sum,demo/values,2,,0,1000,wall,1.472,
Sum,demo/values,2,,1,1000,wall,1.402,
Panics,demo/values,2,,0,,wall,,failed' 'bench-convert reads the results, failures and skips in the events of go test -json'
like "$(grep -c 'n=10-2 .t"}$' "$data/go-events.jsonl")" '^[1-9]' 'an event of go test -json ends in the middle of a result'
is "$(rows "$data/go-events-old.jsonl" | cut -d, -f1,8 | tr '\n' ' ')" \
	'Sum,6.32 Sum,0 Sum,0 Sum,6.028 Sum,0 Sum,0 Size,51.15 Size,10.84 Size, Skipped, Logs,198.5 Logs,3.5 Logs,232 Logs,3.5 Sum,1.131 Sum,1.172 Panics, ' \
	'bench-convert reads the events of Go 1.19'

# Packages that are tested at the same time
awk '/demo\/sums/ { a[++n] = $0; next } { b[++m] = $0 } END { for (i = 1; i <= n || i <= m; i++) {
	if (i <= n) print a[i]; if (i <= m) print b[i] } }' "$data/go-events.jsonl" >mixed.jsonl
is "$(rows mixed.jsonl | sort)" "$(rows "$data/go-events.jsonl" | sort)" 'bench-convert reads packages whose events are mixed'
{ echo 'go: downloading example.com/x v1.0.0'; sed 's/$/\r/' "$data/go-events.jsonl"; echo 'FAIL'; } >messages.txt
is "$(rows messages.txt)" "$(rows "$data/go-events.jsonl")" 'bench-convert reads events of go test -json between messages'
cat "$data/go-events.jsonl" "$data/go-events.jsonl" >twice.jsonl
is "$(rows twice.jsonl | grep -c '^Sum,demo/values,2,,[0-3],')" 4 'bench-convert reads several outputs of go test -json in a file as more samples'
sed 's/,"Package":"[^"]*"//' "$data/go-events-old.jsonl" >no-package.jsonl
is "$(rows no-package.jsonl)" "$(rows "$data/go-events-old.jsonl")" 'bench-convert reads events of test2json without a package'

# Files that were cut off
sed '/n=10-2 .t"}$/q' "$data/go-events.jsonl" >cut.jsonl
is "$(rows cut.jsonl 2>err | grep -c ',wall,')" 3 'bench-convert reads no half of a result in the events of a program that was interrupted'
is "$(cat err)" 'bench-convert: cut.jsonl: the output of demo/sums ends before its tests: the program was interrupted, or the file was cut off' \
	'a warning about the events of a program that was interrupted names its package'
rows "$data/go-events.jsonl" 2>err >rows.csv
is "$(cat err)" '' 'there is no warning about the events of packages that failed'
cat "$data/go-events.jsonl" "$data/wrk.txt" >wrk.txt
like "$(bench-convert wrk.txt 2>&1 >rows.csv)" 'lines of the format go-json are read, but not those of the format wrk' \
	'a warning says that text after the events of go test -json is not read'
head -c 5000 "$data/go-events.jsonl" >half.jsonl
status 2 'bench-convert rejects an event of go test -json that was cut off' bench-convert half.jsonl
{ cat "$data/go-events.jsonl"; echo '{"level": "info"}'; } >other.jsonl
status 2 'bench-convert rejects JSON among the events of go test -json that is no event' bench-convert other.jsonl
grep -v Benchmark "$data/go-events.jsonl" >tests.jsonl
status 2 'bench-convert rejects events of go test -json without a benchmark' bench-convert tests.jsonl
done_testing
