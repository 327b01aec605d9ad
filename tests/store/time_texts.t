#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Texts in the column time that are not times, which older versions of bench-store accepted: exports can be read.
. "${0%/*}/../lib/tap.sh"

cp "$ROOT/tests/fixtures/databases/version2.db" old.db
printf 'bench,metric,value\nnewer,wall,1\n' >row.csv
bench-store -q -D old.db add row.csv # upgrades it
rows=$(bench-store -D old.db info | sed -n 's/^rows,//p')
said="bench-store: old.db: exported 1 row with an empty time, because the text there is not a time; \
the first is 'yesterday' in run \\x1b[31mred"

status 0 "bench-store exports a database with a text that is not a time" bench-store -D old.db export
is "$(cat .err)" "$said" "bench-store export names the text that is not a time, and its run"
cp .out export.csv
is "$(grep -ac yesterday export.csv)" 0 "bench-store export leaves a time that is not a time empty"
status 0 "bench-stat reads an export of texts that were not times" bench-stat export.csv
status 0 "bench-store adds an export of texts that were not times to another database" bench-store -D new.db add export.csv
is "$(bench-store -D new.db info | sed -n 's/^rows,//p')" "$rows" "an export with an empty time has all rows"
bench-store -q -D old.db export >/dev/null 2>err
is "$(cat err)" "$said" "bench-store -q export names the text that is not a time"
status 0 "bench-store exports other runs of a database with a text that is not a time" bench-store -D old.db export --where "run = 'new1'"
is "$(cat .err)" '' "bench-store export reports no text of a run that it does not export"
status 0 "bench-store --anonymize exports a database with a text that is not a time" bench-store -D old.db export --anonymize
bench-stat .out >/dev/null 2>err
is "$? $(cat err)" '0 ' "bench-stat reads an anonymous export of texts that were not times"
for database in old new; do
	bench-store -q -D $database.db add export.csv 2>err
	is "$? $(cat err)" '0 ' "bench-store adds an export without texts that are not times again: $database"
done
status 0 "bench-store merges a text that is not a time into its export" bench-store -D new.db merge old.db
is "$(bench-store -D new.db info | sed -n 's/^rows,//p')" "$rows" "merging a text that is not a time into its export adds no row"
sed 's/\(red,\),/\12026-01-31,/' export.csv >other.csv
status 2 "bench-store refuses another time of a row with a text that is not a time" bench-store -D old.db add other.csv
like "$(cat .err)" 'time 2026-01-31, not yesterday; nothing was added' "bench-store names the text of the row whose time differs"
is "$(bench-store -q -D old.db check 2>&1)" '' "bench-store check finds no damage in texts that are not times"
done_testing
