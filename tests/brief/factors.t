#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the table with which bench-run compares subjects on a terminal: its factors, and rows without a verdict.
# waits
. "${0%/*}/../lib/tap.sh"

skip_unless script 'bench-run compares the values of a parameter in a table' || { done_testing; exit; }
# table OPTIONS: prints the header and the first cells of the last table that bench-run prints on 80 columns
table() {
	timeout 60 script -qec "stty cols 80; bench-run -q -e none -r 6 --processes 1 --sample-time 1us $*" /dev/null </dev/null |
		sed 's/\r$//; s/.*\x1b\[K//; s/\x1b\[[0-9;]*m//g' | awk -v RS= 'END { print }' >last.txt
	grep -v '^too few' last.txt
}

out=$(table --no-peaks -k gemm -P n=8,16 -b ref,cpu)
like "$out" '^n +backend +wall +relative' 'the table of a sweep over backends has the parameter and the backend, and no factor that follows from them'
is "$(printf '%s\n' "$out" | awk 'NR > 1 { print $1 "," $2 }')" "8,ref
8,cpu
16,ref
16,cpu" 'the rows of a size follow each other, and each has its values of the factors'
is "$(printf '%s\n' "$out" | awk '$NF == "best" { print $1 }')" "8
16" 'each size has its best backend'
out=$(table -r 9 -e none -c "'sleep 0.0{n}'" -c "'sleep 0.1{n}'" -c "'sleep 0.05'" -P n=1,2)
is "$(printf '%s\n' "$out" | awk 'NR > 1 { print $1, $2, $NF }')" "sleep 0.01 best
sleep 0.05 slower
sleep 0.11 slower
sleep 0.02 best
sleep 0.05 slower
sleep 0.12 slower" 'commands compete with those of the same parameters'
out=$(table --no-peaks -k gemm -P n=8 -b ref,cpu)
is "$(printf '%s\n' "$out" | grep -c best)" 1 'backends with types of their own compete if there is no other work'
out=$(table --no-peaks -k gemm -P m=8,16 -P n=8,16 -P k=8,16 -b ref,cpu)
like "$out" '^subject ' 'a table with more than three factors has the names of the subjects'
out=$(table -r 3 -P n=1,2,3 -- 'echo {n}')
is "$(printf '%s\n' "$out" | grep -c ' needs 7 runs$')" 2 'a table of three runs says how many a verdict needs'
is "$(tail -1 last.txt)" 'too few runs to decide 2 of 2 comparisons: use --runs=7' \
	'a table of three runs ends with the option that helps'
out=$(table -r 1 --processes 3 -P n=8,16,24 -k axpy -b ref)
is "$(printf '%s\n' "$out" | grep -c ' needs 7 processes$')" 2 'a table of three processes says how many a verdict needs'
is "$(tail -1 last.txt)" 'too few processes to decide 2 of 2 comparisons: use --processes=7' \
	'a table of three processes ends with the option that helps'

# Names on 80 columns: the functions have a parameter that another one lacks, so each row has a whole name.
gcc -shared -fPIC -x c -I "$ROOT/include" -o names.so - <<'END'
#include <bench.h>
BENCH(a_rather_long_name, "param.n=100,10000 param.order=sorted,reversed") { BENCH_LOOP(b) { BENCH_CLOBBER(); } }
BENCH(a_rather_long_name_copy, "param.n=100,10000") { BENCH_LOOP(b) { BENCH_CLOBBER(); } }
END
out=$(timeout 60 script -qec "stty cols 80; bench-run -q -e none -t 0.01 --sample-time 1us -f ./names.so" /dev/null </dev/null |
	sed 's/\r$//; s/.*\x1b\[K//; s/\x1b\[[0-9;]*m//g')
is "$(printf '%s\n' "$out" | grep -c 'needs\|too few')" 0 'the default number of processes is enough for six functions'
is "$(printf '%s\n' "$out" | grep -c ' best$')" 2 'functions of each size compete although one of them lacks a parameter'
is "$(printf '%s\n' "$out" | awk '/^a/ { print $1 }' | grep -c '#')" 0 'names that differ are not numbered on 80 columns'

done_testing
