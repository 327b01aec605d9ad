#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat --strict on input without values.
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
status 0 '--strict accepts input with one successful sample' bench-stat --strict one.csv
done_testing
