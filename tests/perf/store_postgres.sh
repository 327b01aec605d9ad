#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store on PostgreSQL compared with COPY by psql of the same rows into one table of texts, one
# after the other in each round, on a temporary server. Prints medians and ratios.
set -eu

ROOT=$(cd "${0%/*}/../.." && pwd)
PATH=${BUILD:-$ROOT/build}/bin:$PATH
ROUNDS=${ROUNDS:-5}
T=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
bin=$(echo /usr/lib/postgresql/*/bin | sed 's/.* //')
as_server() { "$@"; }
[ "$(id -u)" != 0 ] || as_server() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
pg_ctl() { as_server "$bin/pg_ctl" -s -w -D "$T/server/data" -l "$T/server/log" -o "-p 5432 -k $T/server" "$@" >/dev/null; }
trap 'pg_ctl -m immediate stop || true; rm -rf "$T"' EXIT
chmod 755 "$T"
mkdir "$T/server"
[ "$(id -u)" != 0 ] || chown postgres "$T/server"
cd "$T/server"
as_server "$bin/initdb" -A trust -U tester -E UTF8 --locale=C -D data >/dev/null
echo "listen_addresses = ''" >>data/postgresql.conf
cd "$T"
pg_ctl start
sql() { psql -X -q -h "$T/server" -U tester -d "$@"; }
sql postgres -c 'CREATE DATABASE bench'
db="postgresql://tester@/bench?host=$T/server"

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

# rows N SERIES: prints N rows of one run in SERIES series
rows() {
	awk -v n="$1" -v series="$2" 'BEGIN {
		srand(7)
		print "run,time,host,env,commit,kind,bench,size,process,sample,t,iterations,metric,unit,value,status,running_pct"
		for (i = 0; i < n; i++) {
			s = i % series
			printf "r,2026-01-31T%02d:%02d:%02d.%03dZ,h,e1,c0ffee,command,sort-%d,%d,0,%d,,1,wall,ns,%.6f,ok,\n",
				i / 36000000 % 24, i / 600000 % 60, i / 10000 % 60, i % 1000, s, s % 7, i / series, 1e6 * (1 + rand())
		}
	}'
}
copy() { sql bench -c "\\copy plain FROM '$1' WITH (FORMAT csv, HEADER)"; }

for what in '1000000 10' '100 1' '100000 10000'; do
	# shellcheck disable=SC2086
	rows $what >rows.csv
	columns=$(head -n 1 rows.csv | sed 's/[^,]*/"&" text/g')
	rm -f add copy again export
	for _ in $(seq "$ROUNDS"); do
		sql bench -c 'SET client_min_messages = warning' -c 'DROP TABLE IF EXISTS plain' \
			-c "CREATE TABLE plain ($columns)" -c CHECKPOINT
		took copy copy rows.csv
		bench-store -D "$db" init --overwrite
		sql bench -c CHECKPOINT
		took add bench-store -q -D "$db" add rows.csv
		took again bench-store -q -D "$db" add rows.csv
		took export bench-store -D "$db" export >out.csv
	done
	echo "${what% *} rows in ${what#* } series: add $(median add) ms, COPY $(median copy) ms," \
		"ratio $(awk -v a="$(median add)" -v b="$(median copy)" 'BEGIN { printf "%.2f", a / b }') (at most 1.5);" \
		"nothing new $(median again) ms, export $(median export) ms," \
		"$(sql bench -A -t -c "SELECT round(sum(pg_total_relation_size(c))::numeric / pg_total_relation_size('plain'), 2) FROM unnest('{benchmark_runs,benchmark_results,raw_benchmark_data}'::regclass[]) AS c") of its size"
done
