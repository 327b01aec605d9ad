#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads JSON after lines that the program, or another one, printed before it.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data
note='note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1'
bench-convert "$data/formats/fio.json" >rows.csv
{ echo "$note"; cat "$data/formats/fio.json"; } >fio.json
is "$(bench-convert fio.json 2>err)" "$(cat rows.csv)" 'bench-convert reads JSON of fio after a note'
is "$(cat err)" 'bench-convert: fio.json: 1 line before the JSON is not read' 'a warning counts the lines before JSON'
is "$(bench-convert -f fio fio.json 2>err)" "$(cat rows.csv)" 'bench-convert -f reads JSON after a note'
{ echo "$note"; echo; cat "$data/formats/fio.json" "$data/formats/fio.json"; } >twice.json
is "$(bench-convert twice.json 2>err | grep -c ',bandwidth,')" "$((2 * $(grep -c ',bandwidth,' rows.csv)))" \
	'bench-convert reads several JSON documents after a note'
like "$(cat err)" 'twice.json: 2 lines before the JSON are not read' 'a warning counts the lines before several documents'
{ echo "$note"; head -c 3000 "$data/formats/fio.json"; } >cut.json
status 2 'bench-convert rejects JSON after a note that was cut off' bench-convert cut.json
{ echo "$note"; echo '{"x": 1}'; } >other.json
status 2 'bench-convert rejects JSON of an unknown format after a note' bench-convert other.json
like "$(cat "$T/.err")" 'other.json: unknown format' 'the message about JSON of an unknown format after a note has no warning before it'
cat "$data/convert/go.txt" "$data/formats/fio.json" >go.txt
is "$(bench-convert go.txt 2>err)" "$(bench-convert "$data/convert/go.txt")" 'bench-convert reads text of a known format before JSON'
done_testing
