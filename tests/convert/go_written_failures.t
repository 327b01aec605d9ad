#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert -t go writes failures as the lines that go test prints, which benchstat ignores.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
tab=$(printf '\t')
is "$(bench-convert -t go "$data/go-failures-verbose.txt" 2>&1 | bench-convert)" \
	"$(bench-convert "$data/go-failures-verbose.txt")" \
	'bench-convert -t go writes benchmarks of Go that failed or were skipped so that they are read back'
cat >in.csv <<'.'
bench,sample,metric,unit,value,status
a,0,user,ns,4,failed:exit=1
a,0,wall,ns,5,failed:exit=1
a,0,max_rss,B,4096,failed:exit=1
a,1,wall,ns,6,ok
a,2,wall,ns,,timeout
a,3,wall,ns,7,ok
b,-1,wall,ns,8,failed:exit=1
b,0,wall,ns,8,ok
b,0,instructions,1,,unsupported
c,0,wall,ns,,denied
.
is "$(bench-convert -t go in.csv 2>err)" "--- FAIL: Benchmark_a
Benchmark_a${tab}1${tab}6 ns/op
--- FAIL: Benchmark_a
Benchmark_a${tab}1${tab}7 ns/op
Benchmark_b${tab}1${tab}8 ns/op
--- SKIP: Benchmark_c" 'bench-convert -t go writes a line for each sample whose wall failed or was not measured'
is "$(cat err)" 'bench-convert: in.csv: 1 row of a metric other than wall that failed or was not measured is omitted: go has no place for it' \
	'bench-convert -t go reports failures of other metrics in samples that succeeded'
is "$(bench-convert -q -t go in.csv | bench-convert | columns bench,sample,metric,value,status)" \
	'a,0,wall,,failed
a,1,wall,6,
a,2,wall,,failed
a,3,wall,7,
b,0,wall,8,
c,0,wall,,skipped' 'bench-convert reads the failures that it writes for Go'
grep -v ',ok$\|^b,' in.csv >failed.csv
is "$(bench-convert -t go failed.csv 2>&1)" '--- FAIL: Benchmark_a
--- FAIL: Benchmark_a
--- SKIP: Benchmark_c' 'bench-convert -t go writes a file in which all samples failed'
printf 'bench,t,metric,unit,value\na,0,user,ns,4\n' >series.csv
status 2 'bench-convert -t go rejects rows that all are points of time series' bench-convert -t go series.csv
done_testing
