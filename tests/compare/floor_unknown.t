#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare --floor with files that give no noise floor.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

header=run,host,bench,sample,metric,unit,value,status
table() { echo "$header" && cat; }
samples old b 1e7 0.01 12 1 | table >old.csv
samples new b 1e7 0.01 12 2 | table >new.csv
samples other x 1e7 0.01 12 3 | table >other.csv
for run in r1 r2 r3 r4; do samples $run b 1e7 0.01 12 "${run#r}"; done | table >runs.csv
: >empty.csv

# notes FILE: what bench-compare reports about noise floors
notes() { bench-compare --floor "$1" old.csv new.csv 2>&1 >/dev/null | grep floor; }
for file in empty other old; do
	like "$(notes $file.csv)" '^bench-compare: --floor: no row has a noise floor' "bench-compare reports a --floor that gives no noise floor: $file"
done
unlike "$(notes runs.csv)" '--floor:' 'bench-compare reports no missing noise floor if several runs give one'
is "$(bench-compare -q --floor empty.csv old.csv new.csv 2>&1 >/dev/null)" '' '-q suppresses the note on a missing noise floor'
unlike "$(bench-compare old.csv new.csv 2>&1 >/dev/null)" 'floor' 'bench-compare without --floor reports no missing noise floor'
done_testing
