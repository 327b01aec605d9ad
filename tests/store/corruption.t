#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store check finds every corruption that changes the output of export, list or sql: 2,000
# corruptions, from a seed, of a small database with rows in every table.
# slow
. "${0%/*}/../lib/tap.sh"

db=$T/test.db
fresh() { rm -f "$db" "$db"-*; }
. "$ROOT/tests/lib/store.sh"
count=2000
[ -z "${SANITIZED:-}" ] || count=100

# --- a database with rows in every table

awk -v n=60 -f "$ROOT/tests/perf/rows.awk" >models.csv
awk 'BEGIN {
	print "run,time,bench,process,sample,t,iterations,metric,unit,value,status,running_pct"
	for (i = 0; i < 5000; i++) printf "long,2026-01-31T%02d:%02d:%02d.%03dZ,b,%d,%d,,%d,wall,ns,%.17g,%s,\n",
		i / 3600, i / 60 % 60, i % 60, i % 1000, i % 3, i, 1 + i % 2, (i + 1) / 8, i % 500 ? "ok" : "timeout"
	for (i = 0; i < 40; i++) printf "power,,b,,%d,%d,,power,W,%d,ok,%d\n", i / 8, i % 8, i * i, i
}' >long.csv
printf 'bench,metric,value\nb,wall,1\nb,wall,1\nb,wall,-0\nc,size,\n' >bare.csv
printf 'env,fact,value\ne1,cpu_model,"A, ""B"""\ne1,load,1\ne1,cpu_cores,8\ne2,cpu_model,Ä\n' >facts.csv
head -n 4 plain.csv | store -q add
store -q add facts.csv plain.csv models.csv long.csv bare.csv
sed 's/load,1/load,2/; s/^r1/r3/' facts.csv plain.csv | store -q add
for day in 01 02 03 04; do
	measured "d$day" "2026-01-${day}T10:00:00Z" gzip 10
done | store -q add
store -q tag base r1
store -q tag both --bench 'g*'
store -q untag both r3
store -q annotate 'a new disk' r1
store -q annotate 'a new kernel' --at 2026-01-03T00:00:00Z --host h
printf 'run,time,kind,bench,metric,unit,value,status\nd04,2026-01-04T11:00:00Z,,,rows,1,3,ok\n' | store -q add
store -q prune --until 2026-01-02
measured m1 2025-01-01T00:00:00Z merged 5 | bench-store -q -D other.db add
bench-store -q -D other.db tag base
store -q merge other.db
sound "a database that was added to, tagged, pruned and merged is sound"
is "$(store sql 'SELECT (SELECT count(*) FROM annotations), (SELECT count(expected_rows) FROM benchmark_runs),
	(SELECT count(*) FROM run_tags), (SELECT count(*) > 0 FROM run_fact_sets)' | sed 1d)" 2,1,6,1 "the database to be corrupted has rows in every table"
sqlite3 "$db" 'PRAGMA wal_checkpoint(TRUNCATE)' >"$T/.out"

"$BUILD/tests/corruption" "$db" $count >out 2>err
is "$? $(cat err)" '0 ' "check finds each of $count corruptions, except those without a visible effect"
sed 's/^/# /' out
done_testing
