#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the table with which bench-run compares subjects on a terminal: its factors, and rows without a verdict.
# waits
. "${0%/*}/../lib/tap.sh"

skip_unless script 'bench-run compares the values of a parameter in a table' || { done_testing; exit; }
# table OPTIONS: prints the header and the first cells of the last table that bench-run prints on 80 columns
table() {
	timeout 60 script -qec "stty cols 80; bench-run -q -e none -r 6 --processes 1 --sample-time 1us $*" /dev/null </dev/null |
		sed 's/\r$//; s/.*\x1b\[K//; s/\x1b\[[0-9;]*m//g' | awk -v RS= 'END { print }'
}

out=$(table -k gemm -P n=8,16 -b ref,cpu)
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
out=$(table -k gemm -P n=8 -b ref,cpu)
is "$(printf '%s\n' "$out" | grep -c best)" 1 'backends with types of their own compete if there is no other work'
out=$(table -k gemm -P m=8,16 -P n=8,16 -P k=8,16 -b ref,cpu)
like "$out" '^subject ' 'a table with more than three factors has the names of the subjects'
out=$(table -r 3 -P n=1,2,3 -- 'echo {n}')
is "$(printf '%s\n' "$out" | grep -c ' needs 7 runs$')" 2 'a table of three runs says how many a verdict needs'
out=$(table -r 1 --processes 3 -P n=8,16,24 -k axpy -b ref)
is "$(printf '%s\n' "$out" | grep -c ' needs 7 processes$')" 2 'a table of three processes says how many a verdict needs'

done_testing
