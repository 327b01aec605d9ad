#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare --metric: which rows are compared, in each kind of output.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# side RUN WALL: a stream of eight samples with wall, user and sys; user is always the same and
# sys becomes ten times as much
side() {
	echo run,time,commit,bench,sample,metric,unit,value,status
	for sample in 0 1 2 3 4 5 6 7; do
		echo "r$1,2026-01-01T0$1:00:00Z,c$1,a,$sample,wall,ns,$(($2 + sample)),ok"
		echo "r$1,2026-01-01T0$1:00:00Z,c$1,a,$sample,user,ns,$((1000 + sample)),ok"
		echo "r$1,2026-01-01T0$1:00:00Z,c$1,a,$sample,sys,ns,$(($1 * 10000)),ok"
	done
	echo "r$1,2026-01-01T0$1:00:00Z,c$1,,,rows,1,24,ok"
}
side 1 10000 >old.csv
side 2 20000 >new.csv

is "$(bench-compare -q --no-geomean old.csv new.csv | column metric | tr '\n' ' ')" 'wall user sys ' \
	"bench-compare without --metric compares all metrics"
status 1 "bench-compare --metric finds that the metric became worse" bench-compare --metric wall old.csv new.csv
is "$(columns metric,verdict .out | sort -u)" wall,worse "bench-compare --metric compares only the metric that it names"
unlike "$(cat .err)" 'incomplete|truncated|rows' "bench-compare --metric does not take complete streams for truncated ones"
status 0 "bench-compare --metric ignores that other metrics became worse" bench-compare --metric user old.csv new.csv
is "$(bench-compare -q --no-geomean --metric 'us*' --metric sys,wall old.csv new.csv)" \
	"$(bench-compare -q --no-geomean old.csv new.csv)" "bench-compare --metric takes patterns and lists and is repeatable"
cat old.csv new.csv >both.csv
is "$(bench-compare -q --no-geomean -b run --metric user both.csv | columns metric,verdict)" user,same \
	"bench-compare -b --metric compares only the metric that it names"
is "$(bench-compare -q --no-geomean -b run --metric user <both.csv | columns metric,verdict)" user,same \
	"bench-compare --metric selects rows of standard input"
is "$(bench-compare -q --gate --metric user old.csv new.csv)" \
	'PASS: 1 compared: 0 worse, 0 warnings, 0 unsure, 0 better, 1 same' \
	"bench-compare --gate --metric counts only the metric that it names"
like "$(bench-compare -q --markdown --metric user,wall old.csv new.csv)" '^\*\*FAIL: 2 compared: 1 worse' \
	"bench-compare --markdown --metric counts only the metrics that it names"
bench-compare -q --markdown --metric user,wall old.csv new.csv >.out
unlike "$(cat .out)" '>sys<' "bench-compare --markdown --metric leaves other metrics out"

# A metric that only one file has.
grep -v ',user,' new.csv | sed '$s/24/16/' >without.csv
status 2 "bench-compare --metric fails when one side lacks the metric" \
	bench-compare --metric user old.csv without.csv
like "$(cat .err)" "bench=a: no successful sample in 'without.csv'" \
	"bench-compare --metric names the subject without values of the metric"
bench-compare --metric sys old.csv without.csv >.out 2>.err
unlike "$(cat .err)" 'no successful sample' "bench-compare --metric ignores that another metric vanished"

# --metric also selects rows of a floor. A metric that only a floor has is not in the input.
sed 's/,user,/,cycles,/' old.csv >floor.csv
is "$(bench-compare -q --no-geomean --metric wall --floor floor.csv old.csv new.csv | column metric)" wall \
	"bench-compare --metric selects rows of a floor"
status 2 "bench-compare refuses a --metric that only a floor has" \
	bench-compare --metric cycles --floor floor.csv old.csv new.csv
is "$(cat .err)" "bench-compare: --metric 'cycles' matches no metric of the input (there are: wall, user, sys)" \
	"bench-compare lists the metrics of the input when --metric matches none"
status 125 "bench-compare --bisect ends with 125 when --metric matches none" \
	bench-compare --bisect --metric cycles old.csv new.csv
status 2 "bench-compare refuses an empty pattern of --metric" bench-compare --metric ,wall old.csv new.csv

# Histories: wall doubles at the ninth commit, and user is always the same.
for commit in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16; do
	[ $commit -gt 08 ] 2>/dev/null && wall=20000 || wall=10000
	side "${commit#0}" "$wall" | sed "s/T.*:00:00Z/T$commit:00:00Z/"
done >history.csv
status 1 "bench-compare --history --metric finds the change" bench-compare -q --history --metric wall history.csv
is "$(columns metric,commit .out)" wall,c9 "bench-compare --history --metric follows only the metric that it names"
status 0 "bench-compare --history --metric finds no change of a steady metric" \
	bench-compare -q --history --metric user history.csv
status 2 "bench-compare --history refuses a --metric that matches nothing" \
	bench-compare --history --metric 'w?' history.csv
is "$(cat .err)" "bench-compare: --metric 'w?' matches no metric of the input (there are: wall, user, sys)" \
	"bench-compare --history lists the metrics of the input when --metric matches none"
is "$(bench-compare -q --since-change --metric user history.csv | columns metric,verdict)" user,same \
	"bench-compare --since-change --metric follows only the metric that it names"
done_testing
