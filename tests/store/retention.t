#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Maintenance of a database file: prune, merge, check, backup, and the views of the schema.
. "${0%/*}/../lib/tap.sh"

db=$T/test.db
fresh() { rm -f "$db" "$db"-*; }
database() { echo "$T/$1.db"; }
. "$ROOT/tests/lib/store.sh"
. "$ROOT/tests/store/keep.sh"

# --- check

fresh
printf 'env,fact,value\ne1,cpu_model,A\n' | store -q add - plain.csv days.csv
store tag base r1 2>err
status 0 "check accepts an intact database" store check
is "$(cat "$T/.out")" '' "check prints no finding in an intact database"
like "$(message)" 'checked 30 rows in 10 runs: 0 findings' "check reports the numbers of rows, runs and findings"
# found STATEMENT PATTERN DESCRIPTION: check finds the damage that a statement causes
found() {
	cp "$db" bad.db
	sqlite3 bad.db "$1"
	status 1 "check finds $3" bench-store -q -D bad.db check
	like "$(cat "$T/.out")" "$2" "the finding names the place: $3"
	is "$(wc -l <"$T/.err")" 0 "check -q prints nothing on standard error: $3"
}
found "UPDATE raw_benchmark_data SET data = substr(data, 1, 20) || x'55' || substr(data, 22) WHERE raw_id = 1" \
	'^run r1, bench gzip, metric wall ..n.:.10..: a chunk of samples is damaged$' "a damaged chunk"
found 'DELETE FROM raw_benchmark_data WHERE raw_id = 1' '^run r1, bench gzip.*: has 0 of 4 rows' "lost samples"
found 'UPDATE benchmark_results SET row_count = 9 WHERE result_id = 1' 'r1.*: has 4 of 9 rows' "a wrong count"
found 'DELETE FROM raw_benchmark_data WHERE raw_id = 1; UPDATE benchmark_results SET row_count = 0, n = 0, failed = 0
	WHERE result_id = 1' '^run r1: the checksum does not match its rows' "lost samples and counts"
found 'PRAGMA foreign_keys = ON; DELETE FROM benchmark_results WHERE result_id = 2' '^run r1: the checksum' "a lost series"
found "UPDATE benchmark_results SET bench = 'x' WHERE result_id = 1" '^run r1: the checksum' "another name"
found "UPDATE benchmark_results SET factors = json_object('n', '11') WHERE result_id = 1" '^run r1: the checksum' \
	"another factor"
found 'UPDATE raw_benchmark_data SET data = (SELECT data FROM raw_benchmark_data WHERE raw_id = 3) WHERE raw_id = 2' \
	'^run r1: the checksum' "samples of another run"
found 'UPDATE raw_benchmark_data SET chunk = 1 WHERE raw_id = 1' 'chunk 1 with 4 rows of 4 found instead of chunk 0' \
	"a wrong chunk"
found 'UPDATE run_tags SET run_id = 99' '^row .* of run_tags refers to a row of benchmark_runs that does not exist$' \
	"a reference to a missing run"
seal='does not match its seal: another program changed it$'
found 'UPDATE benchmark_results SET median = median * 2' \
	'^run r1, bench gzip, metric wall .*: does not follow from its samples: median$' "a changed median"
found 'UPDATE benchmark_results SET failed = 0' 'metric wall .*: does not follow from its samples: failed$' "a changed number of failures"
found 'UPDATE benchmark_results SET p9999 = NULL, ci_lo = 0 WHERE result_id = 1' 'its samples: ci_lo, p9999$' "other changed statistics"
found "UPDATE benchmark_runs SET time = '2026-01-30T12:00:00.000000000Z' WHERE run = 'r1'" \
	'^run r1: its time differs from the time of its first sample$' "a changed time"
found "UPDATE benchmark_runs SET added = time WHERE run = 'r1'" "^run r1: $seal" "a changed time of addition"
found "UPDATE benchmark_runs SET host = 'x' WHERE run = 'r1'" '^run r1: none of its series has its host' "a changed host"
found "UPDATE benchmark_runs SET commit_id = 'x', host = 'h' WHERE run = 'r1'" "^run r1: $seal" "a changed commit"
found "UPDATE benchmark_runs SET run = 'r7' WHERE run = 'r1'" "^run r7: $seal" "a changed name of a run"
found "UPDATE benchmark_runs SET checksum = NULL WHERE run = 'r1'" '^run r1: has no checksum$' "a missing checksum"
found "UPDATE benchmark_runs SET seal = NULL" '^run r1: has no seal$' "missing seals"
found "UPDATE benchmark_runs SET checksum = NULL, seal = NULL WHERE run = 'r1'" '^run r1: has no seal$' "a missing checksum and seal"
found "UPDATE hardware_info SET value = 'x'" '^facts: do not match their seal' "a changed fact"
found "UPDATE fact_set_values SET value = 'x'" '^facts: do not match their seal' "a changed fact of runs"
found "UPDATE run_tags SET tag = 'x'" '^tags: do not match their seal' "a changed tag"
found "DELETE FROM run_tags" '^tags: do not match their seal' "a lost tag"
found "INSERT INTO annotations VALUES (1, 1, NULL, '', '', 'x', '', '')" '^annotations: do not match their seal' "a foreign annotation"
found "DELETE FROM store_seal" '^runs: have no seal$' "parts without a seal"
found "UPDATE store_seal SET state = 'unsealed'" '^runs: the state of their seal is damaged$' "a seal that is marked as unsealed"
found 'PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 3 WHERE name = '"'benchmark_results_by_bench'" \
	. "an index on other pages"
cp "$db" bad.db
dd if=/dev/urandom of=bad.db bs=4096 seek=5 count=2 conv=notrunc 2>"$T/.dd"
status 1 "check finds damaged pages" bench-store -q -D bad.db check
unlike "$(cat "$T/.out")" '\\n|^\*' "check prints each damage of pages in one line"

cp "$db" bad.db
sqlite3 bad.db "UPDATE benchmark_results SET sd = sd * 2 WHERE bench = 'gzip'; UPDATE run_tags SET tag = 'x'"
sed 's/,13.5,/,13.25,/; s/,1,,1,wall/,7,,1,wall/' plain.csv | bench-store -q -D bad.db add
bench-store -q -D bad.db tag y r1
bench-store -q -D bad.db check >out
is "$(grep -c -e '^run r1: does not match its seal' -e '^tags: do not match' out) $(grep -c '^run r1, .*follows' out)" '2 0' \
	"changes are still found after rows are added to the changed runs"

# --- seals

is "$(perl "$ROOT/tests/store/seals.pl" "$db")" "$(sqlite3 "$db" "SELECT run_id, seal FROM benchmark_runs ORDER BY run_id;
	SELECT part, seal FROM store_seal ORDER BY part = 'runs' DESC, part")" "seals can be computed from their description in bench-store(5)"
status 1 "changes are not sealed without --force" bench-store -D bad.db check --seal
like "$(message)" 'not sealed: use --force to seal the changes that were found' "the message about unsealed changes names --force"
status 0 "changes are sealed with --force" bench-store -D bad.db check --seal --force
like "$(cat "$T/.out")" '^run r1: does not match its seal' "check --seal --force prints the changes"
sound "a database whose changes were sealed is sound" bad.db
sqlite3 bad.db 'DELETE FROM raw_benchmark_data WHERE raw_id = (SELECT max(raw_id) FROM raw_benchmark_data)'
status 1 "damage is not sealed even with --force" bench-store -D bad.db check --seal --force
like "$(message)" 'not sealed: --seal does not repair damage' "the message about damage says that --seal does not repair it"
status 2 "--force alone is refused" bench-store -D bad.db check --force
status 2 "--seal with another verb is refused" bench-store -D bad.db list --seal

# --- versions

fresh
store -q add plain.csv
{
	sed '/^-- version 2/,$d' "$ROOT/share/store/schema.sql"
	echo "PRAGMA user_version = 1; PRAGMA application_id = 0x626e6368; ATTACH '$db' AS new;"
	echo 'INSERT INTO benchmark_runs SELECT run_id, run, time, added, host, env, commit_id FROM new.benchmark_runs;'
	first='result_id, run_id, host, env, commit_id, kind, bench, factors, metric, unit, row_count, n, failed, mean, sd, min'
	first="$first, p5, median, p95, max, mad, ci_lo, ci_hi"
	echo "INSERT INTO benchmark_results SELECT $first FROM new.benchmark_results;"
	for table in raw_benchmark_data hardware_info run_tags; do
		echo "INSERT INTO $table SELECT * FROM new.$table;"
	done
} | sqlite3 old.db
status 2 "export of a database of version 1 fails" bench-store -D old.db export
like "$(message)" 'created by an older version .schema 1 of 3.; bench-store add upgrades it' "the message about an older database says how to upgrade it"
status 2 "merge of a database of version 1 fails" store merge old.db
like "$(message)" 'old.db: created by an older version' "the message of merge names the database of version 1"
measured new 2026-03-01T10:00:00Z gzip 1 | bench-store -D old.db add 2>err
is "$(cat err)" 'bench-store: added 3 rows in 1 run, 0 already in the database' "adding to an older database upgrades it"
is "$(bench-store -D old.db check 2>&1)" "$(printf 'bench-store: %s\n' 'checked 9 rows in 3 runs: 0 findings' \
	'2 runs without a seal, added by an older version (use check --seal to add seals)')" \
	"runs of an upgraded database have no seal, and newer runs have one"
bench-store -q -D upgraded.db merge old.db
bench-store -D upgraded.db export --where "run <> 'new'" >out.csv
ok "merging an old database into a new one loses nothing" same_rows plain.csv out.csv
sound "all runs of a merged old database have seals" upgraded.db
is "$(bench-store -D upgraded.db check 2>&1 | grep -c 'without a seal')" 0 "check reports no run without a seal after an old database is merged into a new one"
status 0 "a database of an older version is sealed with check --seal" bench-store -D old.db check --seal
like "$(message)" 'sealed 2 runs' "the runs that had no seal are counted"
sound "a sealed database of an older version is sound" old.db
statistics='SELECT bench, metric, factors, n, failed, mean, p5, median, n_censored, p90, p99, p999, p9999, checksum
	FROM benchmark_results JOIN benchmark_runs USING (run_id) ORDER BY run, bench, metric'
is "$(bench-store -D old.db sql "$statistics")" "$(bench-store -D upgraded.db sql "$statistics")" \
	"a sealed old database has the same statistics and checksums as a new one"

# --- backup

fresh
store -q add plain.csv
status 0 "backup creates a copy" store backup copy.db
store export >want.csv
bench-store -D copy.db export >out.csv
ok "a copy has the rows of the database" cmp want.csv out.csv
sound "bench-store check finds nothing in a copy" copy.db
is "$(ls copy.db*)" copy.db "a copy is one file"
store -q add days.csv
status 0 "backup replaces an existing copy" store backup copy.db
is "$(bench-store -D copy.db sql 'SELECT sum(row_count) FROM benchmark_results' | sed 1d)" 30 "a replaced copy has the new rows"
echo mine >mine.txt
status 2 "backup refuses to replace a file that is not a database" store backup mine.txt
is "$(cat mine.txt)" mine "a file that backup refuses to replace is not changed"
sqlite3 foreign.db 'CREATE TABLE t (a)'
status 2 "backup refuses to replace a database of another program" store backup foreign.db
status 2 "backup refuses to replace the database itself" store backup "$db"
status 2 "backup fails in a directory that does not exist" store backup none/copy.db
like "$(message)" 'none/copy.db.*: No such file' "the message of backup says that the directory does not exist"
ln -s "$db" link.db
status 2 "backup refuses to replace the database itself through a link" store backup link.db
# The links have all names that a temporary file had in the past: the number in such a name is the
# predictable process id, which exec keeps.
sqlite3 precious.db "CREATE TABLE precious (a); INSERT INTO precious VALUES (1)"
cp precious.db precious.copy
mkdir shared
status 0 "backup ignores links planted where a temporary file could be" sh -c '
	for n in $$ $(seq $$ $(($$ + 400))); do
		ln -sf ../precious.db shared/copy.db.part$n
		ln -sf ../precious.db shared/copy.db.part$n-journal
	done
	exec bench-store -D "$1" backup shared/copy.db' - "$db"
ok "backup does not change the file that planted links name" cmp precious.db precious.copy
ok "backup creates a new file next to planted links" [ ! -L shared/copy.db ]
sound "a copy beside planted links is sound" shared/copy.db
ln -sf ../precious.db shared/link.db
status 2 "backup does not replace another program's database through a link" store backup shared/link.db
for part in wal journal; do
	echo planted >shared/new.db-$part
	status 2 "backup refuses a copy that a planted -$part would become a part of" store backup shared/new.db
	like "$(message)" "shared/new.db-$part: exists and would become a part" "the message names the planted -$part"
	rm shared/new.db-$part
done
chmod 640 copy.db
store backup copy.db
is "$(stat -c %a copy.db)" 640 "a copy keeps the permissions of the copy that it replaces"
for part in wal journal shm; do
	status 2 "backup refuses a name that SQLite uses for its own files: -$part" store backup "$db-$part"
	like "$(message)" "does not end in -$part" "the message says which names are allowed: -$part"
done
chmod 600 "$db"
store backup private.db
chmod 644 "$db"
is "$(stat -c %a private.db)" 600 "a new copy is readable only by users who can read the database"
if skip_unless another-user "a log that cannot be read without writing is refused"; then
	mkdir -m 755 read
	chmod 755 "$T"
	sqlite3 "$db" 'PRAGMA wal_autocheckpoint = 0; CREATE TABLE own (a);' ".shell cp '$db' read/log.db; cp '$db-wal' read/log.db-wal"
	status 2 "a log that cannot be read without writing is refused" setpriv --reuid 65534 --regid 65534 --clear-groups \
		bench-store -D "$T/read/log.db" list
	like "$(message)" 'read/log.db-wal: contains changes that only a user who may write' "the message names the log and who can help"
	status 0 "info by a user who may write processes the log" bench-store -D read/log.db info
	status 0 "list by a user who may only read succeeds after the log was processed" setpriv --reuid 65534 --regid 65534 --clear-groups bench-store -D "$T/read/log.db" list
	sqlite3 "$db" 'DROP TABLE own'
fi
sqlite3 "$db" 'PRAGMA wal_autocheckpoint = 0; BEGIN IMMEDIATE; DELETE FROM run_tags;' ".shell bench-store -D '$db' backup during.db" COMMIT
is "$(bench-store -D during.db list | wc -l)" 11 "backup copies the committed state while another program writes"
sound "a copy that was created while another program wrote is sound" during.db

# --- the views

fresh
cat >models.csv <<'E2'
run,time,host,env,kind,bench,arch,backend,device_type,dtype,sample,metric,unit,value
m1,2026-01-01T00:00:00Z,a,e1,model,resnet50,vision,cpu,cpu,float32,0,throughput,1/s,10
m1,2026-01-01T00:00:00Z,a,e1,model,vit,vision,cpu,cpu,float32,0,throughput,1/s,4
m2,2026-01-02T00:00:00Z,a,e1,model,resnet50,vision,cpu,cpu,float32,0,throughput,1/s,20
m2,2026-01-02T00:00:00Z,a,e1,model,gpt2,decoder,cpu,cpu,float32,0,throughput,1/s,2
m3,2026-01-01T12:00:00Z,b,e2,model,resnet50,vision,cpu,cpu,float32,0,throughput,1/s,40
E2
printf 'env,fact,value\ne1,cpu_model,Slow\ne2,cpu_model,Fast\n' | cat - models.csv | store -q add
ask() { sqlite3 -csv "$db" "$1" | tr -d '\r'; }
is "$(ask 'SELECT bench, host, median FROM benchmark_latest ORDER BY bench, host')" \
	"$(printf '%s\n' gpt2,a,2.0 resnet50,a,20.0 resnet50,b,40.0 vit,a,4.0)" \
	"benchmark_latest has the newest run of each subject and host"
is "$(ask "SELECT env, cpu_model, ratio FROM hardware_comparison WHERE bench = 'resnet50' ORDER BY env")" \
	"$(printf 'e1,Slow,1.0\ne2,Fast,2.0')" "hardware_comparison has the ratio of each machine"
is "$(ask "SELECT architecture, host, models, slowest, mean, fastest FROM architecture_throughput ORDER BY 1, 2")" \
	"$(printf '%s\n' decoder,a,1,2.0,2.0,2.0 vision,a,2,4.0,12.0,20.0 vision,b,1,40.0,40.0,40.0)" \
	"architecture_throughput summarizes models by type and host"
is "$(store sql 'SELECT count(*) FROM architecture_throughput' | sed 1d)" 3 "bench-store sql can query architecture_throughput"
done_testing
