#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads a file whose last line has no end only if nothing can be missing from it.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
# The last lines of these files end in a word that cannot be a part of a longer one.
for file in go.txt libtest.txt wrk.txt wrk-errors.txt time-gnu.txt time-zsh.txt; do
	printf %s "$(cat "$data/$file")" >whole.txt
	is "$(bench-convert whole.txt)" "$(bench-convert "$data/$file")" "bench-convert reads $file without its last end of line"
done
printf %s "$(sed '$d' "$data/go-failures.txt")" >whole.txt
is "$(bench-convert whole.txt)" "$(bench-convert "$data/go-failures.txt")" \
	'bench-convert reads the output of Go that ends in the failure of a package, without the last end of line'
printf 'real\t0m1.234s\nuser\t0m0.100s\nsys\t0m0.050s' >whole.txt
is "$(bench-convert whole.txt | grep -c '^command,0,1,sys,ns,50000000,ok$')" 1 'bench-convert reads the time of bash without the last end of line'
# Each shorter file lacks this word.
for file in go.txt libtest.txt wrk.txt time-gnu.txt time-zsh.txt; do
	printf %s "$(cat "$data/$file")" >whole.txt
	size=$(wc -c <whole.txt)
	missing=0
	for less in 1 2 3 4 5 6 7 8; do
		head -c $((size - less)) whole.txt >cut.txt
		bench-convert cut.txt >out.csv 2>err || missing=$((missing + 1))
	done
	is "$missing" 8 "bench-convert rejects $file without the last characters"
done
done_testing
