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

# Ages: a run of the future or of 1970 is no reason to remove the others, nor is a clock that is far ahead.
ago() { at "$(date -u -d "$1 ago" +%Y-%m-%dT%H:%M:%SZ)" "$2"; }
prune() { bench-store -D bench.db prune "$@"; }
runs() { bench-store -D bench.db list | sed 1d | cut -d, -f1 | paste -sd' '; }
rm bench.db
ago '1000 days' first >first.csv
ago '990 days' second >second.csv
ago '1 day' recent >recent.csv
at 1970-01-01T00:00:00Z reset >reset.csv
add first.csv second.csv reset.csv later.csv 2>err
status 2 'prune --keep fails if no run is newer than its age and none was measured for long' prune --keep 90d
like "$(cat "$T/.err")" '^bench-store: --keep: no run is between second .20[^ ]*Z. and now .20[^ ]*Z., so the clock may be wrong, and nothing is removed; if the clock is right, use --until instead of --keep$' \
	'prune --keep reports the time without runs up to the clock'
status 2 'prune --keep --dry-run fails as well if the clock may be wrong' prune -n --keep 90d
add recent.csv
status 2 'prune --keep fails if the runs that it keeps begin long after the others' prune --keep 90d
like "$(cat "$T/.err")" ' between second (.*) and recent (.*), so' 'prune --keep reports the time without runs between two runs'
is "$(runs)" 'reset first second recent later' 'prune --keep removes nothing if the clock may be wrong'
status 0 'prune --keep succeeds if its age is not within a long time without runs' prune --keep 995d
is "$(runs)" 'second recent later' 'prune --keep removes older runs even if there are runs of the future'
status 0 'prune --until does not check the clock' prune --until 90d
is "$(runs)" 'recent later' 'prune --until removes runs before a long time without runs'
ago '170 days' before >before.csv
add before.csv
status 0 'prune --keep accepts half a year without runs' prune --keep 7d
is "$(runs)" 'recent later' 'prune --keep removes runs before half a year without runs'
add first.csv
status 0 'prune --keep accepts an age of 100 years' prune --keep 36525d
is "$(runs)" 'first recent later' 'prune --keep removes nothing with an age of 100 years'
status 2 'prune --keep rejects an age of more years than a time can have' prune --keep 200000d

done_testing
