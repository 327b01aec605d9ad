#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the time reports of gcc.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
is "$(bench-convert -n t "$data/gcc-time-report.txt" | columns bench,phase,report,metric,unit,value |
	grep -e parsing, -e overload -e TOTAL)" 't,phase parsing,1,user,ns,1090000000
t,phase parsing,1,sys,ns,1220000000
t,phase parsing,1,wall,ns,32780000000
t,phase parsing,1,alloc_bytes,B,80740352
t,overload resolution,1,user,ns,550000000
t,overload resolution,1,sys,ns,330000000
t,overload resolution,1,wall,ns,16510000000
t,overload resolution,1,alloc_bytes,B,26214400
t,TOTAL,1,user,ns,6820000000
t,TOTAL,1,sys,ns,3010000000
t,TOTAL,1,wall,ns,181500000000
t,TOTAL,1,alloc_bytes,B,239075328' 'bench-convert reads the times and the memory of parts of gcc'
is "$(bench-convert "$data/gcc-time-reports.txt" | columns phase,report,metric,value | grep -e ^TOTAL -e ^dump)" \
	'TOTAL,1,user,10000000
TOTAL,1,wall,180000000
TOTAL,1,alloc_bytes,1581056
dump files,2,wall,30000000
TOTAL,2,user,10000000
TOTAL,2,wall,320000000
TOTAL,2,alloc_bytes,1581056' 'bench-convert numbers several reports of gcc, and omits values that were rounded to 0'
for change in '4s/32/3x/' '6s/ : .*//' '6s/(.*//' '2s/GGC/RSS GGC/' '$s/$/ 7/'; do
	sed "$change" "$data/gcc-time-report.txt" >bad.txt
	status 2 "bench-convert rejects a report of gcc that is damaged: $change" bench-convert bad.txt
done
sed '$d' "$data/gcc-time-report.txt" >short.txt
is "$(bench-convert short.txt 2>&1)" \
	'bench-convert: short.txt: a time report of gcc has no line TOTAL: the file was cut off' \
	'bench-convert rejects a report of gcc that was cut off'
done_testing
