#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the benchmarks of Go that failed or were skipped.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
rows() { bench-convert "$1" | columns bench,pkg,procs,n,sample,iterations,value,status; }
is "$(rows "$data/go-failures.txt")" 'Sum,demo/sums,2,,0,1000,2.264,
Sum,demo/sums,2,,1,1000,1.152,
Fails,demo/sums,2,,0,,,failed
Size,demo/sums,2,10,0,1000,1.472,
Size,demo/sums,2,10,1,1000,1.592,
Size,demo/sums,2,100,0,,,failed
Logs,demo/sums,2,,0,1000,56.03,
Logs,demo/sums,2,,1,1000,56.45,
FailsLate,demo/sums,2,,0,,,failed
FailsLate,demo/sums,2,,1,,,failed
Sum,demo/values,2,,0,1000,2.343,
Sum,demo/values,2,,1,1000,0.841,
Panics,demo/values,2,,0,,,failed' 'bench-convert reads the benchmarks of Go that failed, with the processors of the others'
is "$(rows "$data/go-failures-verbose.txt")" 'Sum,demo/sums,2,,0,1000,1.893,
Fails,demo/sums,2,,0,,,failed
Skipped,demo/sums,2,,0,,,skipped
Size,demo/sums,2,10,0,1000,0.831,
Size,demo/sums,2,100,0,,,failed
Size,demo/sums,2,1000,0,,,skipped
Logs,demo/sums,2,,0,1000,23.05,
FailsLate,demo/sums,2,,0,,,failed
Sum,demo/values,2,,0,1000,0.701,
Panics,demo/values,2,,0,,,failed' 'bench-convert reads the benchmarks of go test -v that failed or were skipped'
is "$(bench-convert "$data/go-failures.txt" | bench-stat --csv -s n,failed -g bench | columns bench,n,failed)" 'Sum,4,0
Fails,0,1
Size,2,1
Logs,2,0
FailsLate,0,2
Panics,0,1' 'bench-stat counts the benchmarks of Go that failed'
# Lines of the peer
grep -v '^Benchmark.*ns/op' "$data/go-failures.txt" >only.txt
is "$(bench-convert only.txt | columns bench,procs,status)" 'Fails,,failed
Size,,failed
FailsLate,2,failed
FailsLate,2,failed
Panics,2,failed' 'bench-convert reads the output of Go in which all benchmarks failed'
sed 's/-2 / /; s/-2$//' "$data/go-failures.txt" >one.txt
is "$(bench-convert one.txt | head -1 | grep -c procs),$(bench-convert one.txt | columns bench,status | grep failed | paste -sd' ')" \
	'0,Fails,failed Size,failed FailsLate,failed FailsLate,failed Panics,failed' 'bench-convert reads failures of Go on one processor'
sed 's/n=100$/x\/n=100/' "$data/go-failures.txt" >deep.txt
is "$(bench-convert deep.txt | columns bench,n,status | grep Size)" 'Size,10,
Size,10,
Size/x,100,failed' 'bench-convert reads no failure of a benchmark of Go that only runs one that failed'
sed '/n=100$/d' "$data/go-failures.txt" >outer.txt
is "$(bench-convert outer.txt | columns bench,n,status | grep 'Size.*failed')" 'Size,,failed' \
	'bench-convert reads the failure of a benchmark of Go that runs others, none of which failed'
status 2 'bench-convert rejects the output of Go in which only tests failed' \
	sh -c "printf -- '--- FAIL: TestX (0.00s)\nFAIL\n' | bench-convert"
done_testing
