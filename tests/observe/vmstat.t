#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what vmstat prints.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
is "$(bench-convert "$data/vmstat.txt" | columns sample,t,metric,unit,value | grep -E ':(r|inact|bo|us),')" '-1,,vmstat:r,1,16
-1,,vmstat:inact,B,4737028096
-1,,vmstat:bo,B/s,1804288
-1,,vmstat:us,%,68
0,,vmstat:r,1,17
0,,vmstat:inact,B,4737028096
0,,vmstat:bo,B/s,299008
0,,vmstat:us,%,88
1,,vmstat:r,1,14
1,,vmstat:inact,B,4737028096
1,,vmstat:bo,B/s,5509120
1,,vmstat:us,%,84' 'bench-convert reads lines of vmstat as samples, except the first, on the time since the start'
is "$(bench-convert "$data/vmstat-times.txt" | columns time,sample,t,metric,unit,value | grep ':cs,')" \
	'2026-11-29T22:57:53.000000000Z,-1,,vmstat:cs,1/s,1153
2026-11-29T22:57:53.000000000Z,0,1000000000,vmstat:cs,1/s,2789
2026-11-29T22:57:53.000000000Z,0,2000000000,vmstat:cs,1/s,2759' 'bench-convert reads vmstat -t as a time series'
is "$(bench-convert "$data/vmstat-times.txt" | bench-stat --csv -s n,mean --filter metric=vmstat:us | columns n,mean)" 1,88 \
	'the mean of vmstat does not include its first line'
numbers() { tail -n 1 "$data/vmstat.txt" | awk -v n="$1" '{ while (n-- > 0) print }'; }
header() { head -n 2 "$data/vmstat.txt"; }
{ header && numbers 21 && header && numbers 21 && header && numbers 2; } >long.txt
is "$(bench-convert long.txt | columns sample,metric | grep -c ':us$')" 44 'bench-convert reads vmstat that repeats its header'
for lines in '3 3' '21 4 21' '30 21 2'; do
	for count in $lines; do header && numbers "$count"; done >several.txt
	like "$(bench-convert several.txt 2>&1)" '^bench-convert: several.txt:[0-9]*: another output of vmstat: convert each' \
		"bench-convert rejects several outputs of vmstat in one file, with $lines lines"
done
sed 's/^ *17 .*/  17 0 x/' "$data/vmstat.txt" >bad.txt
is "$(bench-convert bad.txt 2>&1)" 'bench-convert: bad.txt:4: a line without a number in each column' \
	'bench-convert rejects a line of vmstat that is damaged'
printf 'procs --- x\nr b zz wrong\n1 2\n' >other.txt
like "$(bench-convert other.txt 2>&1)" '^bench-convert: other.txt:2: no columns of processes' \
	'bench-convert rejects other tables of vmstat'
done_testing
