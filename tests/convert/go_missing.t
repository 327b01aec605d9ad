#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads values of Go that are no numbers as missing, and all values after them.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
is "$(bench-convert "$data/go-missing.txt" | columns bench,sample,metric,unit,value,status)" 'Ratio,0,wall,ns,1.462,
Ratio,0,hits/lookup,1,,skipped
Ratio,0,peak,ns,,skipped
Ratio,0,worst,ns,,skipped
Ratio,0,alloc_bytes,B,0,
Ratio,0,alloc_calls,1,0,
Only,0,hits/lookup,1,,skipped
Both,0,a,ns,,skipped
Both,0,b,ns,2,
Both,0,c,1,-1e+22,' 'bench-convert reads NaN and Inf of Go as missing values, and the values after them'
is "$(printf 'BenchmarkX 10 NaN sec/op\nBenchmarkX 10 2 sec/op\n' | bench-convert | columns sample,value,status)" \
	'0,,skipped
1,2000000000,' 'a time of Go that is missing counts as a sample'
is "$(printf 'BenchmarkX 10 nanny x\nBenchmarkY 10 2 ns/op\n' | bench-convert | columns bench)" Y \
	'a line of Go with a word for a value is no result'
done_testing
