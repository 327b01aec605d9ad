#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Parameters of other programs keep their own columns, even if a parameter has the name that
# another one gets because its own name is reserved.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

printf 'BenchmarkA/bench=1/bench_=2 10 5 ns/op\nBenchmarkA/bench_=4/bench=3 10 6 ns/op\n' >go.txt
is "$(bench-convert go.txt | columns bench,bench_,bench__,value)" 'A,1,2,5
A,3,4,6' 'bench-convert keeps the parameters bench and bench_ apart, whichever comes first'
printf 'BenchmarkA/bench_=2/x_a=3/_x_a=4 10 5 ns/op\n' >other.txt
is "$(bench-convert other.txt | columns bench_,_x_a,_x_a_,value)" '2,3,4,5' \
	'bench-convert renames no parameter whose column is free, and keeps x_a and _x_a apart'
is "$(bench-convert go.txt other.txt | columns bench,bench_,bench__,value)" 'A,1,2,5
A,3,4,6
A,,2,5' 'bench-convert gives a parameter the same column in all files'
bench-convert go.txt >rows.csv
is "$(bench-convert rows.csv)" "$(cat rows.csv)" 'bench-convert renames no column of its own rows'
done_testing
