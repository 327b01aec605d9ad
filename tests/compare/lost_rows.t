#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs whose end marks are missing: which of them a decision rejects, and which filters it accepts.
. "${0%/*}/../lib/tap.sh"

# run NUMBER FACTOR: a run as bench-run writes it, of 12 samples of two commands
run() {
	awk -v n="$1" -v factor="$2" 'BEGIN {
		id = sprintf("0193f2c4-8f6a-7000-8000-%012d", n)
		print "run,time,kind,bench,sample,metric,unit,value,status,running_pct"
		for (i = 0; i < 12; i++)
			for (b = 1; b <= 2; b++) {
				row = sprintf("%s,2026-01-31T12:%02d:%02dZ,command,b%d,%d", id, i, b, b, i)
				printf "%s,wall,ns,%d,ok,\n", row, 1e6 * factor * (1 + i % 5 / 500)
				printf "%s,max_rss,B,%d,ok,\n%s,ok,1,1,ok,\n", row, 1e6 + 4096 * (i % 3), row
			}
		printf "%s,2026-01-31T12:30:00Z,,,,rows,1,72,ok,\n", id
	}'
}
run 1 1 >old.csv
run 2 1.001 >new.csv
unmarked old.csv >old_unmarked.csv
unmarked new.csv >unmarked.csv
head -n 61 new.csv >cut.csv
head -n 60 new.csv >inside.csv
grep -v ',6,wall,' new.csv >fewer.csv
new_run=0193f2c4-8f6a-7000-8000-000000000002

# gate FILE...: the exit status of --gate, and its lines except the last
gate() {
	bench-compare --gate "$@" >.out 2>.err
	echo "$? $(sed '$d' .out | paste -sd' ')" | sed 's/ $//'
}
cut_by() { echo "2 cannot decide: $1: run $2, so rows $3 missing (use --allow-missing to accept this)"; }
is "$(gate old.csv new.csv)" 0 'two complete runs are compared without remarks'
is "$(cat .err)" '' 'two complete runs have no note about their ends'
is "$(gate old.csv cut.csv)" "$(cut_by cut.csv "$new_run has no end mark, but another run has one" 'may be')" \
	'a new run that was cut after a sample is not decided'
is "$(tail -n 1 .out)" 'FAIL: 4 compared: 0 worse, 0 warnings, 0 unsure, 0 better, 4 same, 1 incomplete' \
	'the last line of --gate counts incomplete runs'
is "$(gate cut.csv old.csv)" "$(cut_by cut.csv "$new_run has no end mark, but another run has one" 'may be')" \
	'an old run that was cut after a sample is not decided'
is "$(gate old_unmarked.csv inside.csv)" "$(cut_by inside.csv "$new_run ends inside a sample" are)" \
	'a run that ends inside a sample is not decided, even if no run has an end mark'
bench-compare -q old.csv cut.csv >out.csv 2>err
is "$? $(cut -d: -f1-3 err)" '2 bench-compare: cannot decide: cut.csv' 'a table has the decision of --gate for an incomplete run'
is "$(gate --allow-missing old.csv cut.csv)" 0 '--allow-missing accepts a run that was cut'
is "$(bench-compare --markdown old.csv cut.csv | grep -c 'has no end mark')" 1 '--markdown reports an incomplete run'
is "$(gate --unsure fail old_unmarked.csv unmarked.csv | sed 's/ (use.*//')" \
	"2 cannot decide: old_unmarked.csv: run ${new_run%2}1 has no end mark, so it is unknown whether rows are missing" \
	'--unsure fail does not decide if no run has an end mark'
is "$(tail -n 1 .out | sed 's/.*, //') $(cat .err)" '2 perhaps incomplete ' \
	'the last line of --gate counts runs that are perhaps incomplete, once'
is "$(gate --unsure fail --allow-missing old_unmarked.csv unmarked.csv)" 0 '--allow-missing accepts runs without end marks'
bench-compare --gate --junit cases.xml old.csv cut.csv >/dev/null
like "$(cat cases.xml)" 'name="runs".*' '--junit has a case for incomplete runs'
like "$(cat cases.xml)" 'errors="1"' 'an incomplete run is an error in --junit'
status 125 '--bisect skips an incomplete run' bench-compare --bisect old.csv cut.csv
bench-convert -t json cut.csv >cut.json
is "$(gate old.csv cut.json)" "$(cut_by cut.json "$new_run has no end mark, but another run has one" 'may be')" \
	'an incomplete run in JSON is not decided'

is "$(gate old_unmarked.csv unmarked.csv)" 0 'two runs without end marks are compared'
is "$(cat .err)" "bench-compare: old_unmarked.csv: run 0193f2c4-8f6a-7000-8000-000000000001 has no end mark, so it is unknown whether rows are missing; the same holds for 1 more run" \
	'a note says that runs without end marks may be incomplete'
is "$(bench-compare -q old_unmarked.csv unmarked.csv 2>&1 >/dev/null)" '' '-q leaves out the note about end marks'
is "$(gate old.csv fewer.csv)$(cat .err)" "0bench-compare: fewer.csv: run $new_run has fewer rows than its end mark states" \
	'a note says that a run has fewer rows than its end mark states'

# accepts DESCRIPTION OLD NEW: a comparison of filtered runs passes
accepts() { is "$(gate "$2" "$3")" 0 "$1"; }
for metrics in wall 'wall|max_rss'; do
	grep -E "^run|,($metrics)," new.csv >filtered.csv
	grep -E "^run|,($metrics)," old.csv >old_filtered.csv
	accepts "a new side with only $metrics selected by grep is compared" old.csv filtered.csv
	accepts "an old side with only $metrics selected by grep is compared" old_filtered.csv new.csv
	accepts "two sides with only $metrics selected by grep are compared" old_filtered.csv filtered.csv
done
{ head -n 1 new.csv; sed 1d unmarked.csv | sort -t, -k6,6; } >sorted.csv
accepts 'rows sorted by metric, as bench-store exports them, are compared' old.csv sorted.csv
sed "s/$new_run/x/" unmarked.csv >other.csv
accepts 'a run of another program, without an end mark, is compared' old.csv other.csv
{ cat new.csv && sed 's/0002,/0003,/' cut.csv; } >both.csv
gate old.csv both.csv >.all
like "$(cat .all)" "^2 .*cannot decide: both.csv: run ${new_run%2}3 has no end mark" \
	'a run that was cut is found among those of a joined file'
is "$(gate --filter 'run!=*0003' old.csv both.csv)" 0 'a run that --filter leaves out may be incomplete'
run 4 1 | unmarked | grep -v ',ok,1,' >floor.csv
is "$(gate --floor floor.csv old.csv new.csv | cut -c1)" 0 'a run in a file of --floor may be incomplete'

# Budgets
printf 'bench,metric,max\n,wall,1s\n' >budget.csv
# budget FILE...: the exit status of --budget, and its messages
budget() {
	bench-stat -q --budget budget.csv "$@" 2>.err >/dev/null
	echo "$? $(cat .err)" | sed 's/ $//'
}
decides() { echo "2 bench-stat: cannot decide: $1: run $2, so rows $3 missing (use --allow-missing to accept this)"; }
is "$(budget old.csv new.csv)" 0 'a budget of complete runs is decided'
is "$(budget inside.csv)" "$(decides inside.csv "$new_run ends inside a sample" are)" \
	'a budget of a run that ends inside a sample is not decided'
is "$(budget old.csv cut.csv)" "$(decides cut.csv "$new_run has no end mark, but another run has one" 'may be')" \
	'a budget of a run that was cut after a sample is not decided'
is "$(budget --allow-missing old.csv cut.csv)" 0 '--allow-missing accepts an incomplete run for a budget'
is "$(budget --filter 'run=*1' old.csv cut.csv)" 0 'a run that --filter leaves out may be incomplete for a budget'
is "$(budget old_unmarked.csv unmarked.csv)" 0 'a budget of runs without end marks is decided'
is "$(budget --strict unmarked.csv)" "$(decides unmarked.csv "$new_run has no end mark" 'unknown' | sed 's/so rows unknown/so it is unknown whether rows are/')" \
	'--strict does not decide a budget of runs without end marks'
printf 'bench,metric,max\n,wall,1ns\n' >budget.csv
is "$(budget inside.csv | cut -c1)" 1 'a budget that the samples of an incomplete run break is broken'
bench-stat -q --budget budget.csv --junit cases.xml inside.csv >/dev/null 2>&1
like "$(cat cases.xml)" 'name="runs"' '--junit of budgets has a case for incomplete runs'
status 2 '--allow-missing without --budget is refused' bench-stat --allow-missing old.csv

# Histories: twelve commits of one run each, of which the newest is cut. Its samples are slower.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	[ $i = 12 ] && factor=2 || factor=1.00$((i % 3))
	run $i "$factor" | awk -v i="$i" -v FS=, -v OFS=, '{ sub(/T12/, "T" 10 + i, $2); print (NR == 1 ? "commit" : "c" i), $0 }' |
		if [ $i = 12 ]; then head -n 61; else cat; fi
done | awk 'NR == 1 || !/^commit/' >commits.csv
sed '$d' commits.csv >inside_commits.csv
# newest OPTION FILE: the exit status, and the messages without the names of runs
newest() {
	bench-compare --csv "$@" >.out 2>.err
	echo "$? $(cut -d' ' -f2- .err | sed 's/run 0[^ ]*//' | paste -sd' ')"
}
left='left out: commits.csv:  has no end mark, but another run has one, so rows may be missing (use --allow-missing to accept this)'
missing() {
	for series in 'b1 metric=wall' 'b1 metric=ok' 'b2 metric=wall' 'b2 metric=ok'; do
		echo "kind=command bench=$series: no complete run of the newest commit, 'c12' (use --allow-missing to accept this)"
	done
}
is "$(newest --since-change commits.csv)" "2 $left $(missing | paste -sd' ')" 'a newest commit whose only run is cut is not decided'
is "$(newest --since-change -q inside_commits.csv)" "2 $(missing | paste -sd' ')" 'a newest commit whose run ends inside a sample is not decided'
is "$(newest --history commits.csv)" "2 $left $(missing | paste -sd' ')" '--history leaves out a run that is cut, and says so'
is "$(newest --since-change --allow-missing commits.csv)" '1 ' '--allow-missing compares a newest run that is cut'
bench-store -q -D h.db add commits.csv
bench-store -D h.db export >export.csv
is "$(newest --since-change -q export.csv | cut -c1)" 2 'a newest run that is cut is found in an export of bench-store'
bench-store -D h.db export --bench b1 >export.csv
is "$(newest --since-change -q export.csv)" '1 ' 'an export of a part of the runs says nothing about their ends'

bench-store -q -D s.db add new.csv cut.csv
bench-store -D s.db export >export.csv
accepts 'an export of bench-store is compared' old.csv export.csv
bench-store -D s.db export --metric wall >export.csv
accepts 'a part of a run that bench-store exports is compared' old.csv export.csv
done_testing
