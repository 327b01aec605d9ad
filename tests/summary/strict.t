#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat --strict and --diagnose on input without values, with few values, and without findings.
. "${0%/*}/../lib/tap.sh"

echo run,bench,sample,metric,unit,value,status >header.csv
{ cat header.csv && for i in $(seq 12); do echo "r,b,$i,wall,ns,5,failed:exit=1"; done; } >failed.csv
{ cat header.csv && echo r,b,,wall,ns,,skipped; } >skipped.csv
{ cat failed.csv && echo r,b,0,wall,ns,5,ok; } >one.csv
for input in header failed skipped; do
	status 2 "--strict rejects input without a successful sample: $input" bench-stat --strict $input.csv
	like "$(cat .err)" '^bench-stat: --strict: .*no successful sample' "--strict says why it checks nothing: $input"
	status 2 "--strict --diagnose rejects input without a successful sample: $input" bench-stat --strict --diagnose $input.csv
	status 0 "bench-stat without --strict accepts input without a successful sample: $input" bench-stat $input.csv
done
status 2 '--strict rejects input with one successful sample' bench-stat --strict one.csv
is "$(cat .err)" 'bench-stat: --strict: no group has 10 values, so nothing was checked' \
	'--strict says that groups with few values were not checked'
many() { for i in $(seq "$2"); do echo "r,$1,$i,wall,ns,$((100 + i * 7 % 13)),ok"; done; }
{ cat header.csv && many b 12; } >many.csv
status 0 '--strict accepts ten values or more without a finding' bench-stat --strict many.csv
bench-stat --diagnose many.csv >.out 2>.err
is "$(cat .err)" 'bench-stat: no findings in 1 group' '--diagnose says how many groups have no findings'
{ cat many.csv && many c 9 && many d 12; } >few.csv
status 0 '--strict accepts a group with few values among others' bench-stat --strict few.csv
bench-stat --diagnose few.csv >.out 2>.err
is "$(cat .err)" 'bench-stat: no findings in 2 groups
bench-stat: 1 group has fewer than 10 values, too few to be checked' '--diagnose counts the groups with too few values'
bench-stat -q --diagnose few.csv >.out 2>.err
is "$(cat .err)" '' '--diagnose -q reports no groups'
done_testing
