#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How bench-compare prints comparisons of samples that timed out.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# rows_of RUN BENCH N TIMEOUTS [LIMIT]: samples of about 10 s, of which the last ones timed out
rows_of() {
	awk -v run="$1" -v bench="$2" -v n="$3" -v timeouts="$4" -v limit="${5:-60}" 'BEGIN { for (i = 0; i < n; i++)
		printf("%s,%s,%d,wall,ns,%se9,%s\n", run, bench, i,
			(i >= n - timeouts) ? limit : 10 + i % 7 * 0.3, (i >= n - timeouts) ? "timeout" : "ok") }'
}
head=run,bench,sample,metric,unit,value,status
{ echo "$head"; rows_of o a 12 0; rows_of o b 12 2; rows_of o d 12 12; rows_of o e 12 0; } >old.csv
{ echo "$head"; rows_of n a 12 12; rows_of n b 12 7; rows_of n d 12 12; rows_of n e 12 0; } >new.csv

bench-compare -q --csv --no-geomean old.csv new.csv >out.csv 2>/dev/null
is "$(columns bench,n_old,n_new,old,new,ratio,ratio_lo,ratio_hi,verdict out.csv | head -n 1)" \
	"a,12,12,10750000000,,,5.660377358490566,,worse" "a side of timeouts leaves the ratio and its upper end empty"
is "$(columns bench,old,new,ratio,ratio_lo,ratio_hi,verdict out.csv | sed -n 3p)" "d,,,,,,unsure" \
	"two sides of timeouts have no ratio"
is "$(bench-compare -q --csv --no-geomean -s n_new,censored_old,censored_new,test old.csv new.csv 2>/dev/null | sed 1d | cut -d, -f1,4-)" \
	"a,12,0,12,rank
b,12,2,7,rank
d,12,12,12,rank
e,12,0,0,rank" "bench-compare -s counts the timeouts of each side"
bench-compare -q --table old.csv new.csv >table 2>/dev/null
is "$(awk '$1 == "a" { print $5, $6, $7, $8, $9, $10, $11, $12, $13 }' table)" \
	"10.75 s >1.000 min [+466.0%, no limit] - 5.66" \
	"a table prints the limit as a lower bound of a median"
is "$(awk '$1 == "d" { print $5, $6, $7, $8 }' table)" ">1.000 min >1.000 min" \
	"a table has a row in which all samples of both sides timed out"
is "$(tail -n 1 table | awk '{ print $1, $2, $3, $4, $5, $6, $7 }')" "- wall 3 3 10.75 s -" \
	"a mean of ratios of which one is unknown is unknown"
bench-compare -q --gate old.csv new.csv >gate
like "$(cat gate)" '^worse: a: wall 10.75 s -> >1.000 min, \[[+]466.0%, no limit\], margin 2%$' \
	"--gate prints the lower bounds of a median and of a ratio"
like "$(cat gate)" '^cannot decide: d: wall: the test has no interval for these values, of which 24 of 24 are timeouts$' \
	"--gate reports a row that timeouts leave without an interval"
like "$(bench-compare -q --markdown old.csv new.csv)" '| 10.75 s | &gt;1.000 min | \[[+]466.0%, no limit\] |' \
	"--markdown prints the lower bounds of a median and of a ratio"
bench-compare -q --csv --no-geomean new.csv old.csv >back.csv 2>/dev/null
is "$(columns ratio,ratio_lo,verdict back.csv | head -n 1)" ",0,better" \
	"an old side of timeouts leaves the lower end of the ratio at 0"
like "$(columns ratio_hi back.csv | head -n 1)" '^0.17666' "an old side of timeouts has an upper end of the ratio"

# Differences, where a value is 0.
sed 's/,10e9,ok$/,0,ok/' old.csv >zero.csv
bench-compare -q --csv --no-geomean zero.csv new.csv >out.csv 2>/dev/null
is "$(columns bench,ratio_lo,diff,diff_lo,diff_hi,verdict out.csv | head -n 1)" "a,,,49400000000,,worse" \
	"a side of timeouts leaves the difference and its upper end empty"
like "$(bench-compare -q --gate zero.csv new.csv)" 'worse: a: wall 10.75 s -> >1.000 min, \[[+]49.40 s, no limit\]' \
	"--gate prints the lower bound of a difference"

# Samples of the same runs, one of which timed out on the new side.
pairs() { # LEAST
	awk -v least="$1" 'BEGIN { print "run,side,bench,metric,unit,value,status"; for (i = 1; i <= 8; i++) {
		printf("%d,old,a,wall,ns,%s,ok\n", i, i == 1 ? least : i)
		printf("%d,new,a,wall,ns,%s\n", i, i == 8 ? "20,timeout" : i * 2 ",ok") } }'
}
for least in 1 1e-100; do
	pairs $least | timeout 20 bench-compare -q -b side --csv -s p,ratio_lo,verdict --no-geomean
done >out.csv 2>/dev/null
is "$(sed 's/1.99999999[0-9]*/2/' out.csv | columns p,ratio_lo,verdict | paste -sd' ')" \
	"0.0078125,2,worse p,ratio_lo,verdict 0.0078125,,unsure" \
	"pairs with a timeout are compared without an interval if their values differ by more than a contrast can"

# Limits.
{ echo "$head"; rows_of o a 12 5 60; } >long.csv
{ echo "$head"; rows_of n a 12 5 20; } >short.csv
is "$(bench-compare -q --csv -s p,verdict long.csv short.csv | sed 1d | cut -d, -f4-)" "1,unsure" \
	"sides that differ only in the limits of their timeouts do not differ"
{ cat long.csv; sed 1d long.csv; } >twice.csv
is "$(bench-compare --csv -s n_old twice.csv short.csv 2>.err | sed 1d | cut -d, -f4)" 12 "duplicate timeouts count once"
like "$(cat .err)" '^bench-compare: 12 duplicate' "duplicate timeouts are reported with the other duplicates"

# Samples of one run that failed otherwise, and timeouts without a value, are left out.
{ echo "$head"; rows_of n a 12 5 20; echo n,a,12,wall,ns,,timeout; echo n,a,13,wall,ns,7e9,failed:exit=1; } >other.csv
is "$(bench-compare -q --csv -s n_new,censored_new long.csv other.csv 2>/dev/null | sed 1d | cut -d, -f4-)" 12,5 \
	"timeouts without a limit and samples that failed are not compared"
# Requests of an overloaded server: of each period, the first one is served soon, and the others take long or are never
# served.
requests() { # RUN UNSERVED
	awk -v run="$1" -v unserved="$2" 'BEGIN { for (p = 0; p < 8; p++) for (i = 0; i < 5; i++) {
		left = i >= 5 - unserved
		printf("%s,a,%d,%d,latency,ns,%s,%s\n", run, p, i, left ? "" : 10 * (i + 1) + p + (unserved ? -5 : 0),
			left ? "timeout" : "ok") } }'
}
head=run,bench,process,sample,metric,unit,value,status
for left in 0 2 4; do { echo "$head"; requests o$left $left; } >left$left.csv; done
is "$(bench-compare -q --csv -s n_new,censored_new,old,new,verdict left0.csv left4.csv | sed 1d | cut -d, -f4-)" \
	8,8,33.5,,unsure "a side that served only its fast requests is not better"
bench-compare -q --gate left0.csv left4.csv >gate
is "$?" 1 "--gate does not pass a side most of whose requests were never served"
is "$(bench-compare -q --csv -s censored_new,old,new,verdict left0.csv left2.csv | sed 1d | cut -d, -f4-)" \
	0,33.5,28.5,better "a median is known if fewer than half of the requests of each period were never served"
done_testing
