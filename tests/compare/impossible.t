#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Values that cannot have been measured, such as a wall time of 0.
. "${0%/*}/../lib/tap.sh"

# sides METRIC VALUE COUNT: sort in old.csv, and in new.csv with its first COUNT values replaced
sides() {
	awk -v m="$1" -v v="$2" -v n="$3" 'BEGIN { for (s = 0; s < 2; s++) {
		file = s ? "new.csv" : "old.csv"
		print "run,bench,sample,metric,unit,value" >file
		for (i = 0; i < 20; i++)
			print s ",sort," i "," m ",ns," (s && i < n ? v : 1000 + i * 7 % 20 + s / 2) >file } }'
}
for value in 0 -5; do
	sides wall "$value" 20
	status 2 "a new side whose wall times are all $value is not decided" bench-compare --gate old.csv new.csv
	is "$(head -n 1 .out)" "cannot decide: sort: wall: all values must be above 0, but one is $value in 'new.csv' (correct what measures it, or leave it out with --filter)" \
		"the wall time $value is named with its benchmark and side"
done
status 2 "an old side whose wall times are all -5 is not decided" bench-compare --gate new.csv old.csv
like "$(cat .out)" "one is -5 in 'new.csv' " "the old side of an impossible value is named"
for options in '' --markdown --allow-missing '--unsure pass' '--threshold 1000%'; do
	# shellcheck disable=SC2086
	status 2 "a wall time of -5 is not decided with the options '$options'" bench-compare $options old.csv new.csv
done
printf 'bench,metric,threshold\n*,wall,5%%\n' >margins.csv
status 2 "a line of the thresholds does not accept a wall time of -5" bench-compare --gate --thresholds margins.csv old.csv new.csv
status 2 "a wall time of -5 is an error of JUnit" bench-compare --gate --junit cases.xml old.csv new.csv
like "$(cat cases.xml)" '<error.*all values must be above 0' "JUnit has the line about an impossible value"
printf 'bench,metric,threshold,better\n*,wall,,none\n' >neither.csv
status 0 "impossible values of a metric without a direction do not fail" bench-compare --gate --thresholds neither.csv old.csv new.csv
sides wall 0 1
status 2 "a single wall time of 0 is not decided" bench-compare --gate old.csv new.csv
for metric in user widgets; do
	sides "$metric" 0 20
	status 0 "values of $metric may all be 0" bench-compare --gate --metric '*' old.csv new.csv
done

# history METRIC COMMIT VALUE: a run of each of 40 commits, and this value of one of them
history() {
	awk -v m="$1" -v c="$2" -v v="$3" 'BEGIN { print "run,commit,time,bench,metric,unit,value"
		for (i = 10; i < 50; i++)
			print i ",c" i ",2026-01-02T00:" i ":00Z,sort," m ",ns," (i == c ? v : 1000 + i * 7 % 20) }' >history.csv
}
said="bench-compare: cannot decide: bench=sort metric=wall: all values must be above 0, but one is 0 in 'c"
history wall 49 0
for option in --since-change --history '--since-change --allow-missing' '--since-change --unsure pass'; do
	# shellcheck disable=SC2086
	status 2 "a newest wall time of 0 is not decided with $option" bench-compare -q $option history.csv
	is "$(cut -d\' -f1,2 .err | grep above)" "${said}49" "the commit of a wall time of 0 is named with $option"
done
history wall 30 0
for option in --since-change --history; do
	status 2 "an older wall time of 0 is not decided with $option" bench-compare -q $option history.csv
done
status 0 "--history ignores an impossible value before the requested range" bench-compare -q --history --since c31 history.csv
status 0 "--filter leaves an impossible value out" bench-compare -q --since-change --filter commit!=c30 history.csv
history user 49 0
status 0 "a newest value of user may be 0" bench-compare -q --since-change --metric user history.csv
done_testing
