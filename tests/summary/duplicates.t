#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat and rows that are in its input several times.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

{
	echo run,bench,process,sample,metric,unit,value,status
	for i in 0 1 2; do echo "r,b,,$i,wall,ns,$((100 + i)),ok"; done
	echo r,b,,3,wall,ns,60,timeout
	echo r,b,,4,wall,ns,7,failed:exit=1
} >few.csv
bench-stat -s n,failed,mean,sd,median,censored few.csv >once
bench-stat -s n,failed,mean,sd,median,censored few.csv few.csv >twice 2>.err
is "$(cat twice)" "$(cat once)" 'bench-stat counts a file that it reads twice once'
is "$(cat .err)" 'bench-stat: 5 duplicate rows ignored' 'bench-stat reports how many duplicate rows it ignored'
is "$(cat few.csv few.csv | bench-stat -q -s n 2>&1)" "$(bench-stat -s n few.csv)" '-q suppresses the note on duplicate rows'
is "$(bench-stat -q --components few.csv few.csv)" "$(bench-stat -q --components few.csv)" \
	'--components counts duplicate rows once'
is "$(bench-stat -q -g bench -s n few.csv few.csv | sed 1d)" b,wall,ns,6 'groups of -g keep duplicate rows'

# Times, and the order of values, remain those of their rows.
{
	echo run,time,bench,sample,metric,unit,value
	for i in $(seq 10 49); do echo "r,2026-01-31T00:00:${i}Z,b,$i,wall,ns,$((100 + i * i % 7 + i))"; done
} >drift.csv
{ head -1 drift.csv && sed 1d drift.csv | sort -r && sed 1d drift.csv; } >mixed.csv
like "$(bench-stat --diagnose drift.csv)" drift 'the values of this test have a drift'
is "$(bench-stat -q --diagnose mixed.csv)" "$(bench-stat -q --diagnose drift.csv)" \
	'--diagnose finds the same in duplicate rows in another order'

# Rows that are no duplicates.
printf 'metric,value\nw,1\nw,1\n' >plain.csv
is "$(bench-stat -s n plain.csv | sed 1d)" w,,2 'equal rows without a run and a sample are different values'
printf 'run,aa,sample,metric,unit,value\nr,a,0,wall,ns,1\nr,b,0,wall,ns,1\n' >halves.csv
is "$(bench-stat -s n halves.csv | sed 1d)" wall,ns,2 'the halves of a subject that is measured against itself are different values'
printf 'run,sample,metric,unit,value\nr,0,wall,ns,1\nr,0,wall,ns,2\n' >differ.csv
is "$(bench-stat -s n differ.csv | sed 1d)" wall,ns,2 'rows with different values are no duplicates'

# Budgets: three values are too few for an interval of the median, however often they are read.
head -4 few.csv >three.csv
printf 'bench,metric,max\nb,wall,1s\n' >budget.csv
status 2 '--budget cannot decide by three values' bench-stat --budget budget.csv three.csv
status 2 '--budget cannot decide by three values that it reads twice' bench-stat --budget budget.csv three.csv three.csv
like "$(cat .err)" '3 duplicate rows ignored' '--budget reports how many duplicate rows it ignored'
done_testing
