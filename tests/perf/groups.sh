#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat over COUNT groups (1,000,000) of three values in random order, compared with datamash, DuckDB
# and Polars, run in random order by bench-run. Prints medians, ratios and peak memory. PYTHON is a
# Python that may have DuckDB and Polars.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-3}
python=${PYTHON:-python3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
awk -v n="${COUNT:-1000000}" 'BEGIN {
	print "bench,sample,metric,unit,value"
	seed = 1
	for (k = 0; k < 3; k++)
		for (i = 0; i < n; i++) {
			seed = (seed * 16807) % 2147483647
			printf "b%07d,%d,wall,ns,%.2f\n", i * 7919 % n, k, 1e6 + seed % 100000 / 100
		}
}' >rows.csv
cat >in_duckdb.py <<'END'
import duckdb
print(duckdb.sql("SELECT bench, avg(value), median(value), quantile_cont(value, 0.95) FROM 'rows.csv' GROUP BY ALL"))
END
cat >in_polars.py <<'END'
import polars as pl
value = pl.col("value")
print(pl.scan_csv("rows.csv").group_by("bench").agg(
    value.mean().alias("mean"), value.median().alias("median"), value.quantile(0.95, "linear").alias("p95")).collect())
END
set -- -n three -c 'bench-stat -q -s mean,median,p95 rows.csv' -n all -c 'bench-stat -q rows.csv' \
	-n sorted -c 'bench-stat -q -s median --sort median rows.csv'
if command -v datamash >/dev/null; then
	set -- "$@" -n datamash -c 'sh -c "datamash -t, -H -g1 -s mean 5 median 5 perc:95 5 <rows.csv"'
fi
for name in duckdb polars; do
	! "$python" -c "import $name" 2>/dev/null || set -- "$@" -n $name -c "$python in_$name.py"
done
bench-run -q -e none -r "$rounds" "$@" >out.csv

# of NAME METRIC: prints the median
of() { bench-stat -g bench -s median out.csv | awk -F, -v b="$1" -v m="$2" '$1 == b && $2 == m { print $4 }'; }
for name in three all sorted datamash duckdb polars; do
	wall=$(of $name wall)
	[ -z "$wall" ] || echo "$name $wall $(of $name max_rss) $(of three wall)" |
		awk '{ printf "%-10s %8.3f s, peak memory %5.0f MB; bench-stat mean,median,p95 / it %.3f\n", $1, $2 / 1e9, $3 / 1e6, $4 / $2 }'
done
