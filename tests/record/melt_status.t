#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A column named status in tables of other programs, whose columns -m makes metrics.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

printf 'bench,status,time\na,ok,5\na,,6\na,failed:exit=1,7\na,failed,8\na,timeout,9\n' >ours.csv
is "$(bench-convert -m time:ms ours.csv | columns value,status)" '5,ok
6,
7,failed:exit=1
8,failed
9,timeout' 'bench-convert -m reads the statuses of bench-csv(5)'
printf 'bench,status,time\na,200,5\na,503,6\n' >http.csv
for program in 'bench-convert' 'bench-stat'; do
	status 2 "$program -m rejects a status that bench-csv(5) does not have" $program -m time:ms http.csv
	is "$(cat "$T/.err")" "$program: http.csv:2: status: '200' is not a status of bench-csv(5); rename the column" \
		"the message of $program about a foreign status says what to do"
done
is "$(sed '1s/status/code/' http.csv | bench-stat -m time:ms -s n --csv)" 'bench,code,metric,unit,n
a,200,time,ms,1
a,503,time,ms,1' 'a column that was renamed from status is a factor'
done_testing
