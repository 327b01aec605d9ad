#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store compared with .import of sqlite3 of the same rows into a table without types, one
# after the other in each round; the time of small jobs; the same on databases of SIZES samples
# (10^7 need 5 GB below $TMPDIR, 10^8 ten times as much); and 64 writers at the same time. Prints
# medians and ratios.
set -eu

ROOT=$(cd "${0%/*}/../.." && pwd)
PATH=${BUILD:-$ROOT/build}/bin:$PATH
ROWS=${ROWS:-2000000} ROUNDS=${ROUNDS:-5} SIZES=${SIZES:-100000 1000000 10000000} MORE=${MORE:-300000}
T=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
trap 'rm -rf "$T"' EXIT
cd "$T"

# took NAME COMMAND [ARG...]: adds the milliseconds it took to NAME
took() {
	name=$1
	shift
	begin=$(date +%s%N)
	"$@"
	end=$(date +%s%N)
	echo "$begin $end" | awk '{ printf "%.3f\n", ($2 - $1) / 1e6 }' >>"$name"
}

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

export_rows() { bench-store -D add.db export >exported.csv; }
scan_import() { sqlite3 -csv import.db 'SELECT * FROM t' >imported.csv; }
small_export() { bench-store -D small.db export >/dev/null; }
nothing() { bench-store --version >/dev/null; }

awk -v n="$ROWS" -f "$ROOT/tests/perf/rows.awk" >rows.csv
awk -v n=100 -f "$ROOT/tests/perf/rows.awk" >small.csv
for _ in $(seq "$ROUNDS"); do
	rm -f ./*.db
	took import sqlite3 import.db -cmd '.mode csv' '.import rows.csv t'
	took add bench-store -q -D add.db add rows.csv
	took scan scan_import
	took export export_rows
	took again bench-store -q -D add.db add rows.csv
done
for _ in $(seq 50); do
	rm -f small.db
	took small_new bench-store -q -D small.db add small.csv
	took small_add bench-store -q -D small.db add small.csv
	took small_export small_export
	took nothing nothing
done

add=$(median add) import=$(median import) out=$(median export)
echo "rows                       $ROWS"
echo "add                        $add ms; $(ratio "$add" "$import") of sqlite3 .import, $import ms (at most 1.2)"
echo "add again, nothing new     $(median again) ms"
echo "export                     $out ms, $(awk -v n="$ROWS" -v ms="$out" 'BEGIN { printf "%.0f", n / ms * 1000 }') rows/s (at least 1000000); $(ratio "$out" "$(median scan)") of sqlite3 -csv SELECT"
echo "size                       $(ratio "$(wc -c <add.db)" "$(wc -c <import.db)") of the imported table"
echo "100 rows, new database     $(median small_new) ms (at most 5, where the disk allows)"
echo "100 rows again             $(median small_add) ms (at most 5)"
echo "export of 100 rows         $(median small_export) ms (at most 5)"
echo "start and end              $(median nothing) ms, the clock's own $(took clock true; median clock) included"

# A history of many runs: 10 benchmarks of 30 samples each.
generate() { awk -v n="$1" -v first="${2:-0}" -f "$ROOT/tests/perf/history.awk"; }
quietly() { "$@" >/dev/null; }
round() { awk -v ms="$(median "$1")" 'BEGIN { printf "%9.1f", ms }'; }
rate() { awk -v n="$1" -v ms="$(median "$2")" 'BEGIN { printf "%9.0f", n / ms * 1000 }'; }
echo
echo "on a history    add     .import   add more  .import   +100   last 30  rare    list page  export    size"
echo "of samples     rows/s    rows/s    rows/s   rows/s     ms       ms     ms       ms      rows/s   B/sample"
for size in $SIZES; do
	rm -f ./*.db ./*.took
	generate "$size" >rows.csv
	took first_import.took sqlite3 import.db -cmd '.mode csv' '.import rows.csv t'
	took first_add.took bench-store -q -D add.db add rows.csv
	rm rows.csv
	bytes=$(wc -c <add.db)
	{ generate 30 1900000 && echo; } | sed 's/bench-0/rare/; /^$/d' | bench-store -q -D add.db add
	for i in 1 2 3 4 5; do
		generate "$MORE" $((i * 100000 + 400000)) >more.csv
		took import.took sqlite3 import.db -cmd '.mode csv' '.import --skip 1 more.csv t'
		took add.took bench-store -q -D add.db add more.csv
	done
	took export.took quietly bench-store -D add.db export
	for i in $(seq 20); do
		generate 100 $((i + 1000000)) >small.csv
		took small.took bench-store -q -D add.db add small.csv
		took last.took quietly bench-store -D add.db export --bench bench-7 --last 30
		took rare.took quietly bench-store -D add.db export --bench rare --last 30
		took list.took quietly bench-store -D add.db list --last 30
	done
	printf '%10d %s %s %s %s %s %s %s %s %s %9.1f\n' "$size" "$(rate "$size" first_add.took)" \
		"$(rate "$size" first_import.took)" "$(rate "$MORE" add.took)" "$(rate "$MORE" import.took)" \
		"$(round small.took)" "$(round last.took)" "$(round rare.took)" "$(round list.took)" \
		"$(rate $((size + 5 * MORE)) export.took)" "$(awk -v b="$bytes" -v n="$size" 'BEGIN { print b / n }')"
done

# 64 writers of 1,000 rows; .import is set to wait for a lock, and then loses no rows.
together() {
	for writer in $(seq 64); do
		"$@" "$writer" &
	done
	wait
}
add_one() { bench-store -q -D add.db add "part-$1"; }
import_one() { sqlite3 import.db -cmd '.timeout 600000' -cmd '.mode csv' ".import --skip 1 part-$1 t"; }
for writer in $(seq 64); do
	generate 1000 $((writer * 10)) | sed "s/^run-/$writer-/" >"part-$writer"
done
for _ in $(seq "$ROUNDS"); do
	rm -f ./*.db
	sqlite3 import.db -cmd '.mode csv' '.import part-1 t' 'DELETE FROM t'
	bench-store -D add.db init
	took add_together together add_one
	took import_together together import_one
done
echo
echo "64 writers                 $(median add_together) ms, $(bench-store -D add.db sql 'SELECT sum(row_count) FROM benchmark_results' --csv | tail -n 1) rows kept;" \
	"$(ratio "$(median add_together)" "$(median import_together)") of 64 .import, $(median import_together) ms, $(sqlite3 import.db 'SELECT count(*) FROM t') rows kept (at most 1)"
