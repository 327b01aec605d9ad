#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat --sort.
. "${0%/*}/../lib/tap.sh"

cat >in.csv <<'.'
bench,size,n,note,metric,unit,value,status
d,9,3,b,wall,ns,5,ok
a,10,2,ba,wall,ns,,timeout
c,,2,,wall,ns,5,ok
b,1e2,1,B,wall,ns,30,ok
e,-1,9,7,wall,ns,-2,ok
.
# order COLUMN...: the benchmarks in their order
order() { bench-stat -s n --sort "$@" in.csv | sed '1d;s/,.*//' | tr -d '\n'; }
is "$(bench-stat -s n in.csv | sed '1d;s/,.*//' | tr -d '\n')" dacbe "bench-stat without --sort keeps the order of the input"
is "$(order bench)" abcde "bench-stat --sort sorts by a column of texts"
is "$(order -bench)" edcba "bench-stat --sort with a minus sign sorts in descending order"
is "$(order size)" edabc "bench-stat --sort compares numbers as numbers and puts empty fields last"
is "$(order -size)" badec "bench-stat --sort puts empty fields last in descending order"
is "$(order note)" ebdac "bench-stat --sort compares all fields as texts if one is not a number"
is "$(order mean)" edcba "bench-stat --sort keeps the order of equal rows, and puts a group without values last"
is "$(order -mean)" bdcea "bench-stat --sort keeps the order of equal rows in descending order"
is "$(order -failed)" adcbe "bench-stat --sort accepts a statistic that is not printed"
is "$(bench-stat -s n in.csv | head -1 | cut -d, -f3)" n_ "bench-stat renames a factor that has the name of a statistic"
is "$(order n_)" bacde "bench-stat --sort accepts a renamed factor by its name in the output"
is "$(order n)" adcbe "bench-stat --sort prefers a statistic to a factor of the same name"
is "$(bench-stat -s n,mean --json --sort -mean in.csv | tr -d ' \n' | grep -o '"mean":[^}]*' | tr '\n' ' ')" \
	'"mean":30 "mean":5 "mean":5 "mean":-2 "mean":null ' "bench-stat --sort orders JSON"
is "$(head -1 in.csv | bench-stat --sort bench -s n)" metric,unit,n "bench-stat --sort accepts a table without rows"
status 2 "bench-stat --sort rejects a column that the output lacks" bench-stat --sort -color in.csv
like "$(cat .err)" "^bench-stat: --sort: the output has no column 'color' .there are: " "bench-stat --sort names the column that the output lacks"
status 2 "bench-stat --sort rejects a column by which the rows are not grouped" bench-stat --sort bench -g note in.csv
status 2 "bench-stat --sort rejects an empty name" bench-stat --sort '' in.csv
status 2 "bench-stat --sort cannot be combined with --diagnose" bench-stat --sort bench --diagnose in.csv
status 2 "bench-stat --sort cannot be combined with --components" bench-stat --sort bench --components in.csv
done_testing
