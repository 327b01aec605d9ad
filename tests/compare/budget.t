#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare --budget: limits of the new sides, in addition to the comparison with the old one.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# side FROM [METRIC UNIT]: 20 evenly spaced values; the median of those from 5 ms is 5.095 ms, in
# [5.05 ms, 5.14 ms]
side() {
	echo bench,sample,metric,unit,value,status
	awk -v from="$1" -v metric="${2:-wall}" -v unit="${3:-ns}" 'BEGIN {
		for (i = 0; i < 20; i++) printf "sort,%d,%s,%s,%d,ok\n", i, metric, unit, from + i * 10000 }'
}
side 5000000 >fine.csv
side 7000000 >slow.csv
limit() { printf 'bench,metric,max\n%s\n' "$1" >b.csv; }

# gate STATUS LIMIT LINE WHAT [OPTION...]: compares fine.csv with itself under a limit
gate() {
	want=$1 line=$3 what=$4
	limit "$2"
	shift 4
	status "$want" "$what: status $want" bench-compare --gate --budget b.csv "$@" fine.csv fine.csv
	like "$(cat .out)" "$line" "$what: the gate prints $line"
}
gate 0 sort,wall,5.2ms '^PASS: 1 compared' 'a budget that is kept'
unlike "$(cat .out .err)" b.csv 'the gate prints nothing of a budget that is kept'
gate 1 sort,wall,5ms '^b.csv:2: broken: sort: wall: median at most 5ms, is 5.095 ms \[5.050 ms, 5.140 ms\]$' 'a broken budget'
like "$(tail -n 1 .out)" '^FAIL: 1 compared: .*, 1 budget broken$' 'the last line of the gate counts broken budgets'
gate 0 sort,wall,5.1ms '^b.csv:2: undecided: .*the interval contains the limit; more values narrow it' 'an undecided budget'
like "$(tail -n 1 .out)" '^PASS: .*, 1 budget undecided$' 'the last line of the gate counts undecided budgets'
gate 0 sort,wall,5.1ms '^b.csv:2: undecided: ' 'an undecided budget with --unsure pass' --unsure pass
gate 1 sort,wall,5.1ms '^FAIL: ' 'an undecided budget with --unsure fail' --unsure fail
gate 2 sort,size,5 "^b.csv:2: no samples match the budget for bench 'sort' and metric 'size'" 'a budget without samples'
like "$(tail -n 1 .out)" '^FAIL: .*, 1 budget without samples$' 'the last line of the gate counts budgets without samples'
gate 1 'sort,size,5
sort,wall,1ms' '1 budget broken' 'a broken budget beside one without samples'
status 125 'bench-compare --bisect exits with 125 if a budget cannot be decided' \
	bench-compare --bisect --budget b.csv -b bench fine.csv

# Which side
limit sort,wall,6ms
status 0 'the budget does not apply to the old side' bench-compare --budget b.csv slow.csv fine.csv
status 1 'the budget applies to the new side' bench-compare --budget b.csv --threshold 90% fine.csv slow.csv
like "$(cat .err)" '^bench-compare: b.csv:2: broken: sort: wall: ' 'bench-compare reports a broken budget in addition to its table'
status 1 'the budget applies to equal sides' bench-compare --budget b.csv slow.csv slow.csv
for side in old new; do
	for file in slow fine; do
		sed "1s/^/side,/; 1!s/^/$side,/" $file.csv >$side.$file.csv
	done
done
cat old.slow.csv new.fine.csv >both.csv
status 0 'the budget does not apply to the first side of -b' bench-compare --budget b.csv -b side both.csv
status 1 'the budget applies to a side that is not the one of --reference' bench-compare --budget b.csv -b side --reference new both.csv
like "$(cat .err)" 'broken: sort side=old: wall|broken: side=old' 'the message about a broken budget names its side'
bench-convert --json both.csv >both.json
status 1 'bench-compare --budget reads JSON' bench-compare --budget b.csv -b side --reference new both.json

# Other metrics, outputs and errors
side 100 size B >size.csv
cat fine.csv size.csv >two.csv
limit sort,size,1kB
status 1 '--metric does not select budgets' bench-compare --metric wall --budget b.csv two.csv two.csv
unlike "$(cat .out)" size '--metric selects what is compared in addition to budgets'
bench-compare --markdown --budget b.csv two.csv two.csv >out.md 2>.err
like "$(cat out.md)" '^\*\*FAIL: .*, 1 budget broken\*\*$' 'the Markdown counts broken budgets'
like "$(cat out.md)" '^- <code>b.csv.*broken.*sort.*size.*median at most 1kB' 'the Markdown lists broken budgets'
bench-compare -q --junit j.xml --budget b.csv two.csv two.csv >.out 2>.err
is "$(grep -c '<testcase' j.xml),$(grep -c '<failure' j.xml)" 3,1 'the file of --junit has a case for each budget'
status 2 '--junit does not replace the file of --budget' bench-compare --junit b.csv --budget b.csv fine.csv fine.csv
like "$(cat b.csv)" '^sort,size,1kB$' 'the file of --budget is as it was'
status 2 'bench-compare rejects a budget without a unit' sh -c 'printf "bench,metric,max\nsort,wall,5\n" >w.csv; bench-compare --budget w.csv fine.csv fine.csv'
like "$(cat .err)" '^bench-compare: w.csv:2: ' 'the message about a budget without a unit has its line'
status 2 'bench-compare rejects a file of budgets that does not exist' bench-compare --budget none.csv fine.csv fine.csv
status 2 '--budget does not apply with --history' bench-compare --history --budget b.csv fine.csv
done_testing
