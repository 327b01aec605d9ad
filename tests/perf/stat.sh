#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat over ROWS rows (2,000,000; 27,000,000 are 1 GB) compared with a bare scan of the same file
# and with its peers, run in random order by bench-run. Prints medians and ratios. All programs
# interpolate quantiles in the same way (type 7). PYTHON is a Python that may have DuckDB and Polars.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-7}
rows=${ROWS:-2000000}
python=${PYTHON:-python3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
awk -v n="$rows" -f "$here/rows.awk" >rows.csv
gcc -O2 -o scan "$here/scan.c" -lcsv
set -- -n scan -c './scan rows.csv' \
	-n three -c 'bench-stat -s mean,median,p95 rows.csv' \
	-n all -c 'bench-stat rows.csv' \
	-n wc -c 'wc -l rows.csv'
if command -v datamash >/dev/null; then
	set -- "$@" -n datamash -c 'sh -c "datamash -t, -H -g1,2 -s mean 6 median 6 perc:95 6 <rows.csv"'
fi
if command -v mlr >/dev/null; then
	set -- "$@" -n miller -c 'mlr --icsv --ocsv stats1 -i -a mean,p50,p95 -f value -g bench,size rows.csv'
fi
cat >in_duckdb.py <<'END'
import duckdb
print(duckdb.sql("SELECT bench, size, avg(value), median(value), quantile_cont(value, 0.95) FROM 'rows.csv' GROUP BY ALL"))
END
cat >in_polars.py <<'END'
import polars as pl
value = pl.col("value")
print(pl.scan_csv("rows.csv").group_by("bench", "size").agg(
    value.mean().alias("mean"), value.median().alias("median"), value.quantile(0.95, "linear").alias("p95")).collect())
END
for name in duckdb polars; do
	! "$python" -c "import $name" 2>/dev/null || set -- "$@" -n $name -c "$python in_$name.py"
done
bench-run -q -e none -w 1 -r "$rounds" "$@" >out.csv

# of NAME METRIC: prints the median
of() { bench-stat -g bench -s median out.csv | awk -F, -v b="$1" -v m="$2" '$1 == b && $2 == m { print $4 }'; }
printf '%d rows, %d bytes\n' "$rows" "$(wc -c <rows.csv)"
for name in scan three all wc datamash miller duckdb polars; do
	wall=$(of $name wall)
	[ -z "$wall" ] || echo "$name $wall" | awk '{ printf "%-10s %8.3f s\n", $1, $2 / 1e9 }'
done
# compare WHAT A B GOAL
compare() {
	a=$(of "$2" wall) b=$(of "$3" wall)
	[ -z "$b" ] || echo "$a $b" | awk -v what="$1" -v goal="$4" '{ printf "%-44s %.3f (goal: at most %s)\n", what, $1 / $2, goal }'
}
compare 'bench-stat, all statistics / scan' all scan 1
compare 'bench-stat mean,median,p95 / scan' three scan 1
compare 'bench-stat mean,median,p95 / datamash' three datamash 0.200
compare 'bench-stat mean,median,p95 / Miller' three miller 0.067
compare 'bench-stat mean,median,p95 / DuckDB' three duckdb 1
compare 'bench-stat mean,median,p95 / Polars' three polars 1
of all max_rss | awk -v n="$rows" '{ printf "peak memory %.1f MB; a value %.1f B beyond 16 MB (goal: at most 16)\n", $1 / 1e6, ($1 - 16e6 > 0 ? $1 - 16e6 : 0) / n }'
