#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store reports runs whose times show that a clock is wrong.
. "${0%/*}/../lib/tap.sh"

# at TIME RUN: prints a row of a run
at() { printf 'run,time,bench,metric,value\n%s,%s,task,wall,1\n' "$2" "$1"; }
add() { bench-store -q -D bench.db add "$@"; }

at "$(date -u +%Y-%m-%dT%H:%M:%SZ)" now >now.csv
at "$(date -u -d '10 minutes' +%Y-%m-%dT%H:%M:%SZ)" soon >soon.csv
at 2199-01-01T00:00:00Z later >later.csv
at 2199-06-01T00:00:00Z latest >latest.csv
at 1678-01-01T00:00:00Z ancient >ancient.csv
status 0 'bench-store adds runs of the past and of clocks that differ by minutes' add now.csv soon.csv ancient.csv
is "$(cat "$T/.err")" '' 'bench-store reports no clock if runs begin within an hour'
status 0 'bench-store adds a run that begins in the future' add later.csv
is "$(cat "$T/.err")" 'bench-store: run later begins in the future, at 2199-01-01T00:00:00Z: check the clocks of its host and of this machine; bench-store sorts runs by time' \
	'bench-store reports a run that begins in the future'
add later.csv 2>err
is "$(cat err)" '' 'bench-store reports a run in the future once'
rm bench.db
add later.csv now.csv latest.csv 2>err
like "$(cat err)" '^bench-store: 2 runs begin in the future; the first is run later, at 2199-01-01' 'bench-store reports several runs in the future in one line'

done_testing
