# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store check finds changes by another client of the server: a value in each column of each
# table, a row of each table, and each view. postgres.t sources it.
# shellcheck shell=sh

: "${db:?}"

fresh
for i in 1 2 3; do
	# The second run begins a set of facts, the third has changes of it.
	printf 'env,fact,value\n' >facts.csv
	printf 'e1,%s\n' cpu_model,A "load,$i" >>facts.csv
	[ $i = 1 ] || printf 'e1,%s\n' a,1 b,1 c,1 d,1 e,1 >>facts.csv
	sed "s/^r\([12],\)/r$i\1/" plain.csv >"part$i.csv"
	store -q add facts.csv "part$i.csv"
done
store -q tag base r11
sound "a database that no other client has changed is sound"

sql -c 'CREATE SCHEMA saved'
sql -c "SELECT format('CREATE TABLE saved.%I AS TABLE main.%I', tablename, tablename) FROM pg_tables
	WHERE schemaname = 'main' AND tablename <> 'benchutils_schema'" >statements
sed "s/$/;/" statements | sql -f -
sql -c "SELECT format('DELETE FROM main.%I; INSERT INTO main.%I SELECT * FROM saved.%I;', tablename, tablename, tablename)
	FROM pg_tables WHERE schemaname = 'saved'" >restore.sql
sql -f - <<'E2' >changes
SELECT format('UPDATE main.%1$I SET %2$I = %3$s WHERE ctid = (SELECT min(ctid) FROM main.%1$I)', table_name, column_name, CASE data_type
	WHEN 'bigint' THEN format('coalesce(%I, 6) + 1000', column_name)
	WHEN 'double precision' THEN format('coalesce(%I, 0) * 2 + 1', column_name)
	WHEN 'bytea' THEN format('%I || ''\x00''::bytea', column_name)
	WHEN 'jsonb' THEN format('%I || ''{"z": "1"}''', column_name)
	ELSE format('coalesce(%I, '''') || ''x''', column_name) END)
FROM information_schema.columns WHERE table_schema = 'saved' AND table_name <> 'annotations';
SELECT format('UPDATE main.%1$I SET %2$I = NULL WHERE ctid = (SELECT min(ctid) FROM main.%1$I WHERE %2$I IS NOT NULL)', table_name, column_name)
FROM information_schema.columns WHERE table_schema = 'main' AND is_nullable = 'YES'
	AND table_name IN ('benchmark_runs', 'store_seal', 'run_fact_changes') AND column_name NOT IN ('expected_rows', 'ended');
SELECT format('DELETE FROM main.%1$I WHERE ctid = (SELECT min(ctid) FROM main.%1$I)', tablename)
FROM pg_tables WHERE schemaname = 'saved' AND tablename <> 'annotations';
SELECT format('ALTER VIEW main.%I RENAME TO gone', viewname) FROM pg_views WHERE schemaname = 'main';
E2
ok "at least 80 changes by another client are tried" [ "$(wc -l <changes)" -ge 80 ]
# All take the same ways through the program, so under sanitizers a fourth of them is enough.
[ -z "${SANITIZED:-}" ] || sed -i -n '1~4p' changes
other() { sql -c 'SET session_replication_role = replica' "$@"; }
sql -c 'ALTER TABLE main.store_seal DROP CONSTRAINT store_seal_state_check'
: >missed
undo='SELECT'
while read -r change; do
	other -c "$undo" -f restore.sql -c "$change" 2>&1
	store -q check >out 2>&1 && echo "$change" >>missed
	undo=SELECT view=${change#*main.}
	[ "$change" = "${change#ALTER VIEW}" ] || undo="ALTER VIEW main.gone RENAME TO ${view%% *}"
done <changes >changes.out
other -c "$undo" -f restore.sql
is "$(cat missed changes.out)" '' "check finds changes of values, rows and views by another client"
sound "a database that was restored is sound"

sql -c 'CREATE OR REPLACE VIEW main.run_facts AS SELECT run_id, NULL::text COLLATE "C" AS env,
	NULL::text COLLATE "C" AS fact, NULL::text COLLATE "C" AS value FROM main.run_fact_sets'
status 1 "check finds a changed view" store -q check
is "$(cat "$T/.out")" 'tables, views or indexes are not as bench-store created them' "a changed view is reported"
sql -c "UPDATE main.benchmark_results SET median = 0 WHERE bench = 'zstd'"
status 1 "changes by another client are not sealed unasked" store check --seal
status 0 "changes by another client are sealed with --force" store check --seal --force
sound "a database whose changes were sealed is sound"
store -q add many.csv
sound "a database whose changes were sealed stays sound when more is added"
