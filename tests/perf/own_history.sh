#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The history of benchutils itself: builds COMMITS commits at equal distances since FIRST, measures
# three commands of each with the bench-run of this tree, keeps the samples in DIR/own.db, and builds
# the site DIR/site. A second call measures only commits that the database lacks.
#
#	own_history.sh DIR
set -eu

ROOT=$(cd "${0%/*}/../.." && pwd)
BUILD=${BUILD:-$ROOT/build}
COMMITS=${COMMITS:-60} FIRST=${FIRST:-HEAD~300} RUNS=${RUNS:-7}
dir=${1:?usage: own_history.sh DIR}
mkdir -p "$dir"
cd "$dir"
[ -d source ] || git clone -q --shared "$ROOT" source
git -C source fetch -q origin

awk 'BEGIN { srand(1); print "run,bench,n,sample,metric,unit,value"
	for (i = 0; i < 20000; i++)
		printf "r,b%d,%d,%d,wall,ns,%.6g\n", i % 40, i % 5, int(i / 200), 1e6 * (1 + i % 40) * (1 + rand() / 20) }' >rows.csv
sed 's/^r,/s,/' rows.csv >new.csv

# measure COMMIT: builds the programs of a commit and adds their times
measure() {
	git -C source checkout -q -f "$1"
	git -C source clean -q -fdx -e build
	make -s -C source CC="${CC:-gcc}" "$PWD/source/build/bin/bench-stat" \
		"$PWD/source/build/bin/bench-compare" >build.log 2>&1 || {
		echo "own_history.sh: $1 does not build; see build.log" >&2
		return
	}
	BENCH_SHARE=$PWD/source/share "$BUILD/bin/bench-run" -q -r "$RUNS" -w 1 -e none --commit "$1" \
		-n stat -c "$PWD/source/build/bin/bench-stat rows.csv" \
		-n stat-json -c "$PWD/source/build/bin/bench-stat -s mean,median,p95 --json rows.csv" \
		-n compare -c "$PWD/source/build/bin/bench-compare rows.csv new.csv" |
		"$BUILD/bin/bench-store" -q -D own.db add
}

git -C "$ROOT" rev-list --first-parent --reverse "$FIRST..HEAD" >all
total=$(wc -l <all)
awk -v n="$COMMITS" -v total="$total" 'int(NR * n / total) > int((NR - 1) * n / total)' all >chosen
while read -r commit; do
	[ ! -e own.db ] || ! "$BUILD/bin/bench-store" -D own.db list runs --commit "$commit" --csv | grep -q "$commit" || continue
	measure "$commit"
done <chosen
"$BUILD/bin/bench-report" --site site --title 'benchutils' own.db
