#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat --budget: its verdicts, its exit status, its intervals against R, and the file of --junit.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# stream BENCH METRIC UNIT STATUS FROM STEP COUNT [FIRST]: rows with evenly spaced values, numbered from
# FIRST (0); a value of - is empty
stream() {
	awk -v bench="$1" -v metric="$2" -v unit="$3" -v status="$4" -v from="$5" -v step="$6" -v n="$7" -v first="${8:-0}" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "r,%s,%d,%s,%s,%s,%s\n", bench, first + i, metric, unit, from == "-" ? "" : from + i * step, status
	}'
}
head='run,bench,sample,metric,unit,value,status'

# verdict STATUS VERDICT LINE WHAT: checks one budget on rows.csv
verdict() {
	printf 'bench,metric,statistic,min,max\n%s\n' "$3" >one.csv
	status "$1" "$4: status $1" bench-stat -q --budget one.csv rows.csv
	is "$(column verdict .out)" "$2" "$4: $2"
}

# 20 values from 5 ms to 5.19 ms: the median is 5.095 ms, in [5.05 ms, 5.14 ms].
{ echo "$head"; stream sort wall ns ok 5000000 10000 20; } >rows.csv
verdict 0 met 'sort,wall,median,,5.15ms' 'a median whose interval is below its maximum'
verdict 0 met 'sort,wall,,,5.14ms' 'a median whose interval ends at its maximum'
verdict 0 undecided 'sort,wall,median,,5.1ms' 'a median whose interval contains its maximum'
verdict 1 broken 's*,wall,median,,5ms' 'a median whose interval is above its maximum'
verdict 1 broken 'sort,wall,median,5.2ms,' 'a median whose interval is below its minimum'
verdict 0 met 'sort,wall,median,5ms,0.006s' 'a median whose interval is between two limits'
verdict 0 met 'sort,wall,mean,,5200us' 'a mean whose interval is below its maximum'
verdict 1 broken ',wall,mean,,5ms' 'a mean whose interval is above its maximum'
verdict 0 undecided '*,wall,mean,,5.095ms' 'a mean whose interval contains its maximum'
verdict 2 undecided 'sort,wall,p99,,9ms' 'a quantile of too few values'
is "$(column note .out)" '20 values; the interval needs at least 368' 'the note has the number of values that a quantile needs'
verdict 2 undecided 'sort,wall,p5,1ms,' 'a low quantile of too few values'
is "$(column note .out)" '20 values; the interval needs at least 72' 'the note has the number of values that the minimum of a low quantile needs'
verdict 1 broken 'sort,wall,p99,,1ms' 'a quantile of too few values that are all above its maximum'
verdict 0 met 'sort,wall,max,,5.19ms' 'a greatest value at its maximum'
is "$(columns value,lo,hi,max .out)" 5190000,,,5190000 'a statistic without an interval has no lo and hi'
like "$(cat .out)" 'judged by the value, because max has no interval' 'the note says that the value is judged'
verdict 1 broken 'sort,wall,max,,5.18ms' 'a greatest value above its maximum'
verdict 0 met 'sort,wall,n,20,' 'a number of values at its minimum'
is "$(columns metric,unit,value,min .out)" wall,1,20,20 'a number of values has the unit 1'
verdict 1 broken 'sort,wall,n,21,' 'a number of values below its minimum'
verdict 0 met 'sort,wall,failed,,0' 'a number of failures at its maximum'
verdict 0 met 'sort,wall,sd,,1ms' 'a standard deviation below its maximum'

# Shares are no successes and failures: their mean, 0.9095, has the interval of a mean.
{ echo "$head"; stream sort ok 1 ok 0.9 0.001 20; } >rows.csv
verdict 0 met 'sort,ok,mean,0.9,' 'a mean of shares whose interval is above its minimum'
# Equal values of both halves of an A/A measurement are no duplicates.
{ echo "$head,aa"; for half in a b; do stream sort wall ns ok 5000000 10000 20 | sed "s/\$/,$half/"; done; } >rows.csv
verdict 0 met 'sort,wall,n,40,40' 'the samples of both halves of an A/A measurement'

# Too few values for any interval of a median, and none.
{ echo "$head"; stream sort wall ns ok 5000000 10000 5; } >rows.csv
verdict 2 undecided 'sort,wall,median,,1s' 'a median of five values'
is "$(column note .out)" '5 values; the interval needs at least 6' 'the note has the number of values that a median needs'
like "$(cat .err)" "one\.csv:2: undecided: sort: wall: median at most 1s, is 5\.020 ms \[-inf, inf\]" '-q leaves the message about a budget that cannot be decided'
{ echo "$head"; stream sort wall ns ok 5000000 10000 1; } >rows.csv
verdict 2 undecided 'sort,wall,mean,,1s' 'a mean of one value'
{ echo "$head"; stream sort wall ns skipped - 0 1; } >rows.csv
verdict 2 undecided 'sort,wall,median,,1s' 'a subject that was skipped'

# Timeouts after 9 ms are at least that. 20 samples: the interval is from the 6th to the 15th.
{ echo "$head"; stream sort wall ns ok 5000000 10000 15; stream sort wall ns timeout 9000000 0 5; } >rows.csv
verdict 0 met 'sort,wall,median,,6ms' 'a median with 5 timeouts of 20, which are beyond its interval'
is "$(columns n,failed,lo,hi .out)" 15,5,5050000,5140000 'the ranks of an interval include the timeouts'
is "$(column value .out)" 5095000 'the median of a budget counts the timeouts'
is "$(column note .out)" '5 of 20 samples failed' 'the note counts the samples that timed out'
verdict 2 undecided 'sort,wall,max,,10ms' 'a greatest value that is a timeout'
verdict 1 broken 'sort,wall,max,,8ms' 'a greatest value that is a timeout after its maximum'
verdict 2 undecided 'sort,wall,mean,,60s' 'a mean with timeouts'
verdict 1 broken 'sort,wall,mean,,5.1ms' 'a mean with timeouts that is above its maximum even if they end at the limit'
verdict 1 broken 'sort,wall,failed,,4' 'a number of failures above its maximum'
verdict 2 undecided 'sort,wall,sd,,60s' 'a standard deviation with timeouts'
verdict 1 broken 'sort,wall,censored,,4' 'a number of timeouts above its maximum'
{ echo "$head"; stream sort wall ns ok 5000000 10000 14; stream sort wall ns timeout 9000000 0 6; } >rows.csv
verdict 2 undecided 'sort,wall,median,,60s' 'a median with 6 timeouts of 20, which are part of its interval'
{ echo "$head"; stream sort wall ns timeout 9000000 0 20; } >rows.csv
verdict 1 broken 'sort,wall,median,,8ms' 'a median of timeouts after its maximum'
verdict 2 undecided 'sort,wall,median,,9ms' 'a median of timeouts at its maximum'
# With different limits a timeout is at least the least of them: the 6th value is that limit.
{ echo "$head"; stream sort wall ns ok 5000000 10000 14; stream sort wall ns timeout 1000000 0 1 14; stream sort wall ns timeout 9000000 0 5 15; } >rows.csv
verdict 2 undecided 'sort,wall,median,,4ms' 'a median with timeouts at different limits'
is "$(columns lo,hi .out)" 1000000, 'a timeout is at least the least limit'

# The value of a sample that failed in another way is not known, neither is another metric of a timeout.
{ echo "$head"; stream sort wall ns ok 5000000 10000 15; stream sort wall ns failed:exit=1 100 0 5; } >rows.csv
verdict 0 met 'sort,wall,median,,6ms' 'a median with 5 failures of 20, which are beyond its interval'
verdict 0 undecided 'sort,wall,median,,5.01ms' 'a median with 5 failures of 20, which may be below its maximum'
is "$(columns lo,hi .out)" 5000000,5140000 'a failed sample widens the interval at both ends'
verdict 2 undecided 'sort,wall,min,4ms,' 'a least value with failures'
verdict 2 undecided 'sort,wall,sd,,60s' 'a standard deviation with failures'
stream sort wall ns timeout 9000000 0 5 20 >>rows.csv
verdict 2 undecided 'sort,wall,mean,,5.1ms' 'a mean with timeouts and failures, which may be below its maximum'
{ echo "$head"; stream sort rate 1/s ok 200 1 15; stream sort rate 1/s timeout 900 0 6; } >rows.csv
verdict 2 undecided 'sort,rate,median,180,' 'a rate with timeouts'

# A failed sample may have no row of another metric.
{ echo "$head"; stream sort wall ns ok 5e6 1e4 8; stream sort wall ns failed:signal=SEGV - 0 6
	stream sort max_rss B ok 1e6 10 8; } >rows.csv
verdict 2 undecided 'sort,max_rss,median,,1GiB' 'a metric without rows of failed samples'
is "$(columns n,failed .out)" 8,6 'failures of wall count for other metrics'
{ echo "$head"; stream sort ok 1 ok 1 0 8; stream sort ok 1 ok 0 0 6; stream sort max_rss B ok 1e6 10 8; } >rows.csv
verdict 2 undecided 'sort,max_rss,median,,1GiB' 'a metric of samples that are not ok'
{ echo "$head"; stream sort max_rss B ok 1e6 10 8; stream find wall ns skipped - 0 1; } >rows.csv
verdict 2 met ',max_rss,median,,1GiB' 'a subject that failed and lacks the metric'
like "$(cat .err)" "one\.csv:2: samples of 'find' failed and have no metric that matches 'max_rss'" 'a subject that failed and lacks the metric is reported'

# A success rate is a proportion.
{ echo "$head"; stream sort ok 1 ok 1 0 20; } >rows.csv
verdict 0 undecided 'sort,ok,mean,99%,' 'a success rate of 20 of 20'
verdict 0 met 'sort,ok,mean,0.83,' 'a success rate of 20 of 20 with a low minimum'

# Units of limits.
{ echo "$head"; stream sort load s ok 5 0.1 20; stream sort size B ok 20971520 0 20; stream sort rate 1/s ok 2000 0 20
	stream sort power W ok 2000 0 20; stream sort io B/s ok 1048576 0 20; } >rows.csv
verdict 0 met 'sort,load,max,6899ms,6901ms' 'a duration in seconds between limits in milliseconds'
verdict 0 met 'sort,size,max,20MiB,20MiB' 'a size at a limit with a prefix'
verdict 0 met 'sort,rate,max,2k/s,2000 1/s' 'a rate at limits with a unit'
verdict 0 met 'sort,power,max,2kW,2000' 'a power at limits with a prefix and without'
verdict 0 met 'sort,io,max,1MiB/s,1MiB/s' 'a data rate at its limit'
for wrong in 'sort,load,,,5:has no unit of time' 'sort,load,,,5MB:is not a duration' 'sort,size,,,5ms:is not a size' \
	'sort,rate,,,5ms:is not a count' 'sort,load,,2s,1s:min is greater than max'; do
	printf 'bench,metric,statistic,min,max\n%s\n' "${wrong%%:*}" >one.csv
	status 2 "bench-stat rejects the budget ${wrong%%:*}" bench-stat --budget one.csv rows.csv
	like "$(cat .err)" "^bench-stat: one\.csv:2: .*${wrong#*:}" "the message about the budget ${wrong%%:*} has its line and the reason"
done

# Values that cannot have been measured.
for value in 0 -5; do
	{ echo "$head"; stream sort wall ns ok 1000 1 19; stream sort wall ns ok "$value" 0 1 19; stream sort user ns ok 0 0 20; } >rows.csv
	verdict 2 undecided 'sort,wall,,,1ms' "a wall time of $value"
	like "$(cat .err)" "^bench-stat: one\.csv:2: undecided: sort: wall: .*\(all values must be above 0, but one is $value: correct what measures it" "the wall time $value is reported"
	verdict 0 met 'sort,wall,n,20,' "a number of values of which one is $value"
done
verdict 0 met 'sort,user,,,1ms' 'a user time of 0'
head -n 20 rows.csv >old.csv
printf 'bench,metric,max\n*,wall,1ms\n' >one.csv
like "$(bench-compare --gate --budget one.csv old.csv rows.csv)" '^one\.csv:2: undecided: sort: wall: .*all values must be above 0' 'bench-compare reports a budget of impossible values'

# The table of budgets.
while IFS='|' read -r text why; do
	printf '%b' "$text" >one.csv
	status 2 "bench-stat rejects a table of budgets: $why" bench-stat --budget one.csv rows.csv
	like "$(cat .err)" "^bench-stat: one\.csv.*: .*$why" "the message about a table of budgets says: $why"
done <<'END'
|the file is empty
bench,metric,max\n|the table has no budget
bench,metric,limit\nsort,wall,1s\n|unknown column 'limit'
bench,max\nsort,1s\n|the column 'metric' is missing
bench,metric\nsort,wall\n|the columns 'min' and 'max' are missing
bench,metric,max,max\nsort,wall,1s,1s\n|duplicate column 'max'
bench,metric,statistic,max\nsort,wall,middle,1s\n|unknown statistic 'middle'
bench,metric,max\nsort,wall\n|neither min nor max has a limit
bench,metric,max\nsort,,1s\n|the metric is missing
bench,metric,max\nsort,wall,1s,2s\n|4 fields, but the header has 3 columns
END
status 2 'bench-stat reports a table of budgets that does not exist' bench-stat --budget nowhere.csv rows.csv
like "$(cat .err)" '^bench-stat: .*nowhere\.csv' 'the message about a missing table of budgets has its name'
for pair in "-s median" "--sort median" --components --diagnose '--metric wall'; do
	# shellcheck disable=SC2086
	status 2 "--budget excludes $pair" bench-stat --budget one.csv $pair rows.csv
done
status 2 '--junit is rejected without --budget' bench-stat --junit x.xml rows.csv

# Several budgets: 1 for a broken one, even if another one cannot be judged.
{ echo "$head"; stream sort wall ns ok 5e6 1e4 20; stream '"a<b&""c"' wall ns ok 1e6 1e3 20; } >rows.csv
cat >all.csv <<'END'
metric,bench,max
wall,sort,5.1ms
wall,,5ms
wall,nothing,1s
END
status 1 'a broken budget takes precedence over one that matches nothing' bench-stat --budget all.csv --junit all.xml --csv rows.csv
is "$(columns bench,verdict .out | sort | paste -sd' ')" '"a<b&""c",met sort,broken sort,undecided' 'each budget has a row for each group that it matches'
like "$(cat .err)" "^bench-stat: all\.csv:4: no samples match the budget for bench 'nothing' and metric 'wall'" 'a budget that matches nothing is reported'
sed -i '/5ms/d' all.csv
status 2 'a budget that matches nothing is an error' bench-stat --budget all.csv rows.csv
sed -i '/nothing/d' all.csv
status 0 'an undecided budget passes' bench-stat --budget all.csv rows.csv
like "$(cat .err)" 'all\.csv:2: undecided: sort: wall: median at most 5\.1ms, is 5\.095 ms \[5\.050 ms, 5\.140 ms\]' 'an undecided budget is reported'
status 1 'an undecided budget fails with --strict' bench-stat --strict --budget all.csv rows.csv
status 0 '-q reports no undecided budget' bench-stat -q --budget all.csv rows.csv
is "$(cat .err)" '' '-q prints nothing about an undecided budget'
printf 'bench,metric,max\nsort,wall,1ms\n' >one.csv
status 1 '-q does not change the exit status of a broken budget' bench-stat -q --budget one.csv rows.csv
is "$(cat .err)" '' '-q prints nothing about a broken budget, which the table shows'
printf 'bench,metric,max\nsort,wall,5.13ms\n' >one.csv
status 0 'an interval of less confidence is narrower' bench-stat -C 50 --budget one.csv rows.csv
is "$(column verdict .out)" met 'an interval of less confidence decides a budget'

# The file of --junit.
cp rows.csv kept.csv
status 2 '--junit rejects the name of an input' bench-stat --budget all.csv --junit rows.csv rows.csv
status 2 '--junit rejects the name of the table of budgets' bench-stat --budget all.csv --junit all.csv rows.csv
status 2 '--junit rejects a hyphen as a name' bench-stat --budget all.csv --junit - rows.csv
is "$(cmp rows.csv kept.csv 2>&1)" '' '--junit does not replace an input'
like "$(head -n 1 all.xml)" '^<\?xml version="1.0" encoding="UTF-8"\?>$' '--junit writes XML'
if skip_unless xmllint '--junit writes a document that fits the schema'; then
	status 0 '--junit writes a document that fits the schema' xmllint --noout --schema "$ROOT/tests/fixtures/junit.xsd" all.xml
	is "$(xmllint --xpath 'concat(//testsuite/@tests, " ", //testsuite/@failures, " ", //testsuite/@errors, " ", //testsuite/@skipped)' all.xml)" \
		'4 1 1 1' '--junit counts the test cases by outcome'
	is "$(xmllint --xpath 'string(//testcase[failure]/@name)' all.xml)" 'wall: median at most 5ms' '--junit names a broken budget'
	is "$(xmllint --xpath 'string(//testcase[not(*)]/@classname)' all.xml)" 'a<b&"c' '--junit escapes names'
fi
if skip_unless /usr/lib/python3/dist-packages/junitparser 'junitparser reads the file of --junit'; then
	is "$(/usr/bin/python3 -c '
import junitparser
for suite in junitparser.JUnitXml.fromfile("all.xml"):
    print(suite.tests, suite.failures, suite.errors, suite.skipped, *[type(r).__name__ for c in suite for r in c.result])')" \
		'4 1 1 1 Skipped Failure Error' 'junitparser reads the file of --junit'
fi
rm -f all.xml
status 2 '--junit fails if the file cannot be written' bench-stat --junit nowhere/all.xml --budget all.csv rows.csv

# Intervals against R.
if skip_unless R 'the intervals of budgets agree with R'; then
	cat >intervals.R <<'END'
set.seed(7)
stats <- c(p5 = .05, median = .5, p90 = .9, p95 = .95, p99 = .99)
rows <- file("random.csv", "w"); limits <- file("limits.csv", "w"); want <- file("want", "w")
writeLines("bench,metric,unit,value", rows); writeLines("bench,metric,statistic,max", limits)
for (n in c(2, 6, 7, 30, 150, 400)) {
	x <- rlnorm(n, 3); s <- c(-Inf, sort(x), Inf)
	writeLines(sprintf("b%d,m,1,%.17g", n, x), rows)
	for (k in seq_along(stats)) {
		r <- c(qbinom(.025, n, stats[k]), qbinom(.025, n, stats[k], lower.tail = FALSE) + 1)
		writeLines(sprintf("b%d,m,%s,1", n, names(stats)[k]), limits)
		writeLines(paste(s[r + 1], collapse = " "), want)
	}
	writeLines(sprintf("b%d,m,mean,1", n), limits)
	writeLines(paste(format(t.test(x)$conf.int, digits = 15), collapse = " "), want)
}
END
	Rscript intervals.R
	bench-stat -q --budget limits.csv --csv random.csv 2>/dev/null | columns lo,hi | tr , ' ' >got
	ok 'the intervals of budgets agree with R' awk '
		function close_to(a, b) { return a == b || (a - b) ^ 2 <= (b * 1e-12) ^ 2 }
		NR == FNR { want[FNR] = $0; next }
		{
			n++
			split($0, a, " *,* "); split(want[FNR], b, " ")
			lo = b[1] == "-Inf" ? "" : b[1]; hi = b[2] == "Inf" ? "" : b[2]
			if ($0 ~ /^ /) { a[1] = ""; a[2] = substr($0, 2) }
			if (!close_to(a[1] "", lo "") && !close_to(a[1] + 0, lo + 0) || (a[1] == "") != (lo == "") ||
			    !close_to(a[2] + 0, hi + 0) || (a[2] == "") != (hi == "")) { print "# " $0 " | " want[FNR]; bad = 1 }
		}
		END { exit bad || n != 36 }' want got
fi
done_testing
