#!/bin/sh
# bench-store beside sqlite3's .import of the same rows into a table without types, one after
# the other in each round; and the time of small jobs. Prints medians and ratios.
set -eu

ROOT=$(cd "${0%/*}/../.." && pwd)
PATH=${BUILD:-$ROOT/build}/bin:$PATH
ROWS=${ROWS:-2000000} ROUNDS=${ROUNDS:-5}
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
