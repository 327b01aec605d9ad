# SPDX-License-Identifier: GPL-3.0-or-later
# The upgrade of a database of version 2 of the schema. Source this file after store.sh, with $db
# naming such a database, $records the directory of databases, $shares_version2 a directory for shared files
# with the schema of that time, and raw, a function that runs a statement by the engine's own client.
# shellcheck shell=sh

: "${db:?}" "${records:?}" "${shares_version2:?}"

series='result_id, run_id, host, env, commit_id, kind, bench, factors, metric, unit, row_count, n, failed, mean, sd, min'
series="$series, p5, median, p95, max, mad, ci_lo, ci_hi"
# old_values: prints all values of the tables and views of version 2
old_values() {
	raw 'SELECT run_id, run, time, added, host, env, commit_id, checksum FROM benchmark_runs ORDER BY run_id'
	raw "SELECT $series FROM benchmark_results ORDER BY result_id"
	raw 'SELECT result_id, chunk, row_count, data FROM raw_benchmark_data ORDER BY result_id, chunk'
	raw 'SELECT env, fact, value FROM hardware_info ORDER BY env, fact'
	raw 'SELECT tag, run_id FROM run_tags ORDER BY tag, run_id'
	raw "SELECT run, time, added, at, $series FROM benchmark_history ORDER BY result_id"
	raw "SELECT run, time, added, at, $series, newness FROM benchmark_latest ORDER BY result_id"
	raw 'SELECT * FROM hardware_comparison ORDER BY kind, bench, factors, metric, unit, host, env'
	raw 'SELECT * FROM architecture_throughput ORDER BY 1, 2, 3, 4, 5, 6'
}

old_values >before
ok "a recorded database has values" [ "$(wc -l <before)" -gt 60 ]
for verb in export list info check 'sql SELECT'; do
	# shellcheck disable=SC2086
	status 2 "a database of version 2 is not read: $verb" store $verb
	like "$(message)" 'created by an older version .schema 2 of 3.; bench-store add upgrades it' \
		"the message about a database of version 2 says how to upgrade it: $verb"
done
old_values >after
ok "reading a database of version 2 does not change it" cmp before after

# That version also took rows whose time is not a time; there is one. Its time is exported as empty.
sed 's/,yesterday,/,,/' "$records/version2.csv" >exported.csv
status 0 "an export of a database of version 2 can be added to the same database" store add exported.csv
is "$(message)" "bench-store: added 0 rows in 0 runs, $(store info | sed -n 's/^rows,//p') already in the database" \
	"an export adds no row to the database that it came from"
is "$(store info | sed -n 's/^schema,//p')" 3 "adding to a database of version 2 upgrades it to version 3"
old_values >after
ok "the upgrade keeps every value of every table and view" cmp before after
store export >out.csv
ok "the upgrade does not change the exported rows" cmp exported.csv out.csv
store export --facts >out.csv
ok "the upgrade does not change the exported facts" cmp "$records/version2-facts.csv" out.csv
is "$(store list tags | cut -d , -f 1,2 | sed 1d)" "$(printf 'base,2\n'"t'; --\033,1")" "the upgrade does not change the tags"
is "$(store sql 'SELECT count(*) FROM benchmark_runs AS r WHERE row_count <> (SELECT sum(s.row_count)
	FROM benchmark_results AS s WHERE s.run_id = r.run_id)' | sed 1d)" 0 "the upgrade computes the number of rows of each run"
is "$(store sql 'SELECT DISTINCT completeness FROM benchmark_history' | sed 1d)" unknown "the completeness of old runs is unknown"
is "$(store sql 'SELECT count(*) FROM benchmark_results WHERE coalesce(p90, p99, p999, p9999, n_censored) IS NOT NULL' | sed 1d)" 0 \
	"the upgrade leaves statistics that version 2 does not have empty"
is "$(store sql 'SELECT DISTINCT state FROM store_seal' | sed 1d)" unsealed "an upgraded database is not sealed"
store -q check >out 2>&1
is "$(cat out)" '' "check finds nothing in an upgraded database"

{ printf 'env,fact,value\ne1,load_1min,0.5\n'; measured new 2026-03-01T10:00:00Z gzip 1; } >new.csv
status 0 "rows and facts are added to an upgraded database" store add new.csv
is "$(store export --where "run = 'new'" | wc -l) $(store list facts | sed 1d)" \
	'4 new,e1,load_1min,0.5' "export and list write the rows and facts that were added to an upgraded database"
store export --where "run <> 'new'" >out.csv
ok "rows that are added to an upgraded database leave the old rows unchanged" cmp exported.csv out.csv
sed -n '1p; /^new1.*,11,,1,wall,/s/,11,,1,wall,ns,[0-9]*/,12,,1,wall,ns,2010/p' "$records/version2.csv" >more.csv
is "$(wc -l <more.csv)" 2 "a row of an old series is prepared for addition"
status 0 "rows are added to a series of an older version" store add more.csv
is "$(store sql "SELECT n, failed, n_censored, p99 FROM benchmark_results WHERE metric = 'wall' AND run_id =
	(SELECT run_id FROM benchmark_runs WHERE run = 'new1')" | sed 1d)" \
	"9,4,2,$(store export --metric wall --where "run = 'new1'" | bench-stat -s p99 | sed '1d; s/.*,//')" \
	"a series of an older version gets all its statistics when rows are added"
store -q check >out 2>&1
is "$(cat out)" '' "check finds nothing after rows are added to old series"
other=$(database upgraded)
status 0 "an upgraded database is merged into another" bench-store -D "$other" merge "$db"
store export >want.csv
bench-store -D "$other" export >out.csv
ok "a merged upgraded database has the same rows" same_rows want.csv out.csv
status 0 "an upgraded database is sealed" store check --seal
is "$(store sql 'SELECT DISTINCT state FROM store_seal' | sed 1d) $(store sql 'SELECT count(*) FROM benchmark_runs WHERE seal IS NULL' | sed 1d)" \
	'sealed 0' "all runs of a sealed database have seals"
for statistic in p90 p99 p999; do
	is "$(store sql "SELECT $statistic FROM benchmark_results WHERE bench LIKE 'gzip%' AND metric = 'wall' ORDER BY 1" | sed 1d)" \
		"$(store export --bench 'gzip*' --metric wall | grep -v ,timeout, | bench-stat -g run -s $statistic | sed '1d; s/.*,//' | sort -g)" \
		"the $statistic of old series in a sealed database is that of bench-stat"
done
sound "a sealed database is sound"
for verb in 'add new.csv' export; do
	# shellcheck disable=SC2086
	status 2 "a program of version 2 refuses an upgraded database: $verb" env BENCH_SHARE="$shares_version2" bench-store -D "$db" $verb
	like "$(message)" 'created by a newer version .schema 3; this version supports 2.: update benchutils' "a program of version 2 reports the newer version: $verb"
done
