#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store on a PostgreSQL server that this test starts: it prints the same as on a file, and loses
# no row if writers conflict, a connection or the server is lost, or a program is killed.
# slow
. "${0%/*}/../lib/tap.sh"

skip_unless postgresql "a PostgreSQL server starts" || done_testing
skip_unless pq "libpq is installed" || done_testing
bin=$(echo /usr/lib/postgresql/*/bin | sed 's/.* //')
server=$T/server
XDG_STATE_HOME=$T/state
export XDG_STATE_HOME
unset PGHOST PGPORT PGUSER PGDATABASE PGPASSWORD PGOPTIONS PGSERVICE
as_server() { "$@"; }
[ "$(id -u)" != 0 ] || as_server() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
pg_ctl() { as_server "$bin/pg_ctl" -s -w -D "$server/data" -l "$server/log" -o "-p 5432 -k $server" "$@" >"$T/.ctl" 2>&1; }
down() { [ ! -e "$server/data/postmaster.pid" ] || pg_ctl -m immediate stop; }
perl=
trap 'down; [ -z "$perl" ] || kill "$perl"; rm -rf "$T"' EXIT

chmod 755 "$T"
mkdir "$server"
[ "$(id -u)" != 0 ] || chown postgres "$server"
cd "$server" || exit 1
# The server sorts texts by the rules of a language, which must not affect the output.
as_server "$bin/initdb" -A trust -U tester -N -E UTF8 --locale=C --locale-provider=icu --icu-locale=en-US -D "$server/data" >"$T/.initdb" 2>&1 ||
	{ sed 's/^/# /' "$T/.initdb"; result 1 "initdb creates a cluster"; done_testing; }
cat >>"$server/data/postgresql.conf" <<'E2'
listen_addresses = ''
max_connections = 60
shared_buffers = 16MB
fsync = off
E2
echo 'local all locked_out scram-sha-256' | cat - "$server/data/pg_hba.conf" >"$T/.hba"
cat "$T/.hba" >"$server/data/pg_hba.conf"
cd "$T" || exit 1
pg_ctl start
sql() { psql -X -q -A -t -h "$server" -U tester -d bench -v ON_ERROR_STOP=1 "$@"; }
psql -X -q -h "$server" -U tester -d postgres -c 'CREATE DATABASE bench' >"$T/.out" 2>&1
result $? "a PostgreSQL server starts"

# Each database of the test is a schema of one database of the server.
url() { echo "postgresql://tester@/bench?host=$server&options=-csearch_path%3D$1"; }
database() { url "$1"; }
db=$(url main)
fresh() { sql -c 'SET client_min_messages = warning' -c 'DROP SCHEMA IF EXISTS main CASCADE'; }
blob="'\\x00ff'::bytea"
. "$ROOT/tests/lib/store.sh"

# --- opening

status 2 "export from an empty server database fails" store export
like "$(message)" 'empty .use bench-store add' "the message about an empty server database names bench-store add"
one_line "an empty server database"
status 2 "tag in an empty server database fails" store tag x
sql -c 'CREATE SCHEMA foreigner' -c 'CREATE TABLE foreigner.benchmark_runs (a int)'
for verb in 'add plain.csv' export 'init --overwrite'; do
	eval "status 2 'a server database with a table of another program is refused: $verb' bench-store -D '$(url foreigner)' $verb"
	like "$(message)" 'belongs to another program; left unchanged' "the message says that the table is of another program: $verb"
done
status 0 "init creates the tables on a server" store init
status 2 "init refuses existing tables on a server" store init
like "$(message)" 'exists' "the message of init says that the database exists"
store -q add plain.csv
status 0 "init --overwrite succeeds on a server" store init --overwrite
is "$(rows)" 0 "init --overwrite removes all rows on a server"
for i in 1 2 3 4; do
	sed "s/^r/p$i-/" plain.csv >"part$i.csv"
	bench-store -q -D "$(url together)" add "part$i.csv" &
done
wait
db=$(url together)
is "$(rows)" 24 "concurrent additions to a new server database all succeed"
sql -c 'UPDATE together.benchutils_schema SET version = 99'
for verb in 'add plain.csv' export; do
	eval "status 2 'a newer schema on a server is refused: $verb' store $verb"
	like "$(message)" 'newer version .schema 99' "the message names the version of the newer schema: $verb"
done
db=$(url main)

status 2 "add to a server database that does not exist fails" bench-store -D "postgresql://tester@/none?host=$server" --wait 9 add plain.csv
like "$(message)" 'database "none" does not exist' "the message says that the server database does not exist"
psql -X -q -h "$server" -U tester -d bench -c "CREATE ROLE locked_out LOGIN PASSWORD 'right'"
secret="postgresql://locked_out:wr%6fng@/bench?host=$server"
for wrong in "$secret" "postgresql://locked_out@/bench?host=$server&password=wrong"; do
	status 2 "add with a wrong password fails" bench-store -D "$wrong" --wait 9 add plain.csv
	like "$(message)" 'password authentication failed' "the message says that the password is wrong"
	unlike "$(message)" 'wrong|wr%6fng' "the message does not show the wrong password"
	one_line "a wrong password"
done
ok "no rows are spooled because of a wrong password or database" [ ! -e "$XDG_STATE_HOME" ]
for wrong in 'postgresql://?pass%77ord=wrong&port=0' 'postgresql://u:wrong@[::1/b' 'postgresql://u:wr@ng@h:port/b' 'postgresql://u:wrong@h/b?color=1'; do
	status 2 "a malformed URL is refused: $wrong" bench-store -D "$wrong" --wait 0 add plain.csv
	unlike "$(message)" 'wrong|wr@ng' "the message does not show the password of a malformed URL: $wrong"
	one_line "a malformed URL: $wrong"
done
is "$(BENCH_DB=$(url main) bench-store info | sed -n 2p)" "database,$(url main)" "\$BENCH_DB may be a URL"
ok "bench-store creates no directory for a URL in \$BENCH_DB" [ ! -e postgresql: ]
unlike "$(ldd "$BUILD/bin/bench-store")" libpq "bench-store is not linked with libpq"

# --- the verbs, as on a file

fresh
. "$ROOT/tests/store/verbs.sh"
. "$ROOT/tests/store/about_runs.sh"
. "$ROOT/tests/store/keep.sh"

fresh
for statement in 'DELETE FROM run_tags' 'CREATE TABLE x (a int)' 'COMMIT' 'SELECT 1; DROP TABLE run_tags' \
	"SET default_transaction_read_only = off" "COPY run_tags TO PROGRAM 'cat'" \
	"WITH x AS (DELETE FROM run_tags RETURNING *) SELECT * FROM x" 'EXPLAIN ANALYZE DELETE FROM run_tags' \
	"SELECT set_config('transaction_read_only', 'off', false); SELECT 1"; do
	store -q add plain.csv
	status 2 "sql without -w refuses to write on a server: $statement" store sql "$statement"
	like "$(message)" 'does more than read|read-only|read-write' "the message says why the statement was refused: $statement"
done
is "$(store sql "SELECT 'a;b' AS a, \$x\$c;d\$x\$ AS b /* ; /* ; */ */ -- ;
; SELECT E'\\';' AS c" | tr '\n' ' ')" 'a,b a;b,c;d c '"';"' ' "sql separates statements with quoted semicolons and comments"
status 2 "backup of a server database fails" store backup copy
like "$(message)" 'pg_dump' "the message of backup names pg_dump"

# The same verbs on a server and on a file, and their output.
answers() {
	store add plain.csv awkward.csv long.csv 2>&1
	store add plain.csv 2>&1
	for verb in export 'export --json --bench g*' 'export --bench [fg]?ip' 'export --factor n=10' 'export --factor n=' \
		'export --last 1' 'export --last 2 --bench [!z]?ip' 'export --bench g? --since 2026-01-01 --until 2026-02-01T02:00:00+02:00' 'list --table' 'list benches' 'tag base r1' 'tag both' 'list tags' 'untag both' 'check' \
		'prune --until 2026-02-01 --keep-tagged -n' 'prune --thin 1/year' 'list' 'list nothing' 'add none.csv' \
		'export --where x(' 'export --facts'; do
		echo "$verb"
		# shellcheck disable=SC2086
		store $verb 2>&1
		echo "status $?"
	done
	for view in benchmark_history benchmark_latest hardware_comparison architecture_throughput; do
		store sql "SELECT * FROM $view ORDER BY 1, 2, 3, 4, 5, 6, 7, 8" | wc -l
	done
}
# Replaces times of this test and messages of the engine.
plain() { sed "s|^\(bench-store: .*\)$1: |\1DB: |; /--where: /s/DB: .*//; s/$(date -u +%Y-%m)-[0-9:.T]*Z/NOW/g"; }
fresh
answers | plain "$db" >theirs
db=$T/file.db
answers | plain "$db" >ours
db=$(url main)
diff ours theirs >differ
is "$(cat differ)" '' "all verbs print the same on a server as on a file"
is "$(grep -c -e ^status ours) $(grep -c 'status 0' ours)" '22 19' "22 verbs were compared, and 19 of them succeed"

fresh
. "$ROOT/tests/site/store.sh"
{ history 0 60; printf 'env,fact,value\nenv0,cpu_model,quick\n'; } >site.csv
for name in "$db" "$T/site.db"; do
	bench-store -q -D "$name" add site.csv
	bench-store -q -D "$name" tag v1.0 run-40-0
done
status 0 "bench-report --site reads a server" bench-report --site site_of_server --since v1.0 "$db"
bench-report -q --site site_of_file --since v1.0 site.db
like "$(cat site_of_server/index.html)" 'since v1.0' "a site from a server has the change since a tag"
ok "a site from a server equals a site from a file" diff -r -x .bench-site site_of_file site_of_server

fresh
name=$(awk 'BEGIN { srand(1); for (i = 0; i < 9000; i++) printf "%c", 97 + rand() * 26 }')
printf 'run,bench,f,sample,metric,value\nr,%s,%s,0,m,1\n' "$name" "$name" >big.csv
ok "add accepts names of 9000 characters" store add big.csv
is "$(store export | bench-stat -s mean)" "$(bench-stat -s mean <big.csv)" "export writes names of 9000 characters"
is "$(store export --bench "$name" --factor "f=$name" | wc -l)" 2 "filters select names of 9000 characters"
printf 'run,bench,sample,metric,value\n%s,b,0,m,1\n' "$name" >big.csv
status 2 "add refuses the name of a run that is too long" store add big.csv
one_line "the name of a run that is too long"

# Results of 240 MB in 200 MB of memory, which is not enough for a sanitizer.
if skip_unless unsanitized "export writes samples that are larger than memory"; then
	fresh
	awk 'BEGIN { printf "run,bench,sample,metric,value,status\nr,b,0,m,1,failed:"; for (i = 0; i < 40000; i++) printf "0123456789"; print "" }' |
		store -q add
	sql -c 'INSERT INTO main.raw_benchmark_data SELECT result_id, g, row_count, data FROM main.raw_benchmark_data, generate_series(1, 299) AS g' \
		-c 'UPDATE main.benchmark_results SET row_count = 300, failed = 300'
	# shellcheck disable=SC3045 # dash knows it
	little() { (ulimit -v 200000 && "$@"); }
	is "$(little store export | wc -l)" 301 "export writes samples that are larger than memory"
	status 1 "check reads samples that are larger than memory" little store check
	like "$(message)" 'checked 300 rows' "check reads all samples that are larger than memory"
	is "$(little store sql "SELECT repeat('x', 1000) FROM generate_series(1, 240000)" | wc -l)" 240001 "sql prints rows that are larger than memory"
fi

# --- a database of an older version

psql -X -q -h "$server" -U tester -d postgres -c 'CREATE DATABASE recorded' >"$T/.out" 2>&1
psql -X -q -h "$server" -U tester -d recorded -v ON_ERROR_STOP=1 -f "$ROOT/tests/fixtures/databases/version2.sql" >"$T/.out" 2>&1
result $? "a recorded database is loaded"
raw() { psql -X -q -A -t -h "$server" -U tester -d recorded -v ON_ERROR_STOP=1 -c "$1"; }
database() { echo "$T/$1.db"; }
records=$ROOT/tests/fixtures/databases
shares_version2=$T/share
mkdir -p share/store
sed '/^-- version 3/,$d' "$ROOT/share/store/schema.sql" >share/store/schema.sql
db="postgresql://tester@/recorded?host=$server"
. "$ROOT/tests/store/upgrade.sh"
raw 'CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader'
status 0 "a role that may only read can list an upgraded database" \
	bench-store -D "postgresql://reader@/recorded?host=$server" list
database() { url "$1"; }
db=$(url main)

# --- changes by another client

. "$ROOT/tests/store/changes.sh"

# --- conflicts

# Starts another client, as tester in the schema main, which runs what is written to descriptor 3.
another() {
	rm -f pipe "$T/.another"
	mkfifo pipe
	PGOPTIONS='-csearch_path=main -cdeadlock_timeout=10min' PGAPPNAME=another sql <pipe >"$T/.another" 2>&1 &
	client=$!
	exec 3>pipe
	echo "$*; SELECT 'is there';" >&3
	wait_for grep -q 'is there' "$T/.another"
}
no_other() {
	echo 'ROLLBACK;' >&3
	exec 3>&-
	wait "$client"
}
waiting() {
	[ "$(sql -c "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = '$1'")" -ge 1 ]
}
sed 's/,2,,1,wall,ns,99,failed:exit=1,/,3,,1,wall,ns,14,ok,/' plain.csv >more.csv

fresh
store -q add plain.csv
another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
store add more.csv 2>err &
writer=$!
ok "add waits for a run that another client locked" wait_for waiting bench-store
sql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bench-store'" >"$T/.out"
no_other
wait "$writer"
is "$? $(cat err)" '0 bench-store: added 1 row in 1 run, 5 already in the database' "add reconnects and succeeds after its connection was killed"
sound "a server database is sound after a connection was killed"

another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
sed 's/,14,ok/,15,ok/; s/,3,,1/,4,,1/' more.csv >still.csv
bench-store -D "$(url 'main%20-cdeadlock_timeout%3D3s')" add still.csv 2>err &
writer=$!
wait_for waiting bench-store
echo "SELECT FROM benchmark_runs WHERE run = 'r1' FOR UPDATE; COMMIT; SELECT 'second';" >&3
wait "$writer"
is "$? $(cat err)" '0 bench-store: added 1 row in 1 run, 5 already in the database' "add retries after the server ended its transaction because of a deadlock"
ok "the other client of a deadlock continues" wait_for grep -q second "$T/.another"
no_other

another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
sed 's/,15,ok/,16,ok/; s/,4,,1/,5,,1/; s/^r1,/r0,/' still.csv >killed.csv
bench-store -D "$db" add killed.csv 2>err &
writer=$!
wait_for waiting bench-store
kill -KILL "$writer"
wait "$writer" 2>err
no_other
is "$(rows) $(store list | wc -l)" '8 3' "add that is killed on a server adds no row"
status 0 "add succeeds after it was killed on a server" store add killed.csv
is "$(rows) $(store list | wc -l)" '13 4' "add that is run again adds all rows"

fresh
store -q add plain.csv more.csv
another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
store prune --until 2027-01-01 2>err &
writer=$!
ok "prune waits for a client that locked a run" wait_for waiting bench-store
sql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bench-store'" >"$T/.out"
no_other
wait "$writer"
is "$? $(cat err) $(rows)" '0 bench-store: removed 2 runs with 7 rows 0' "prune reconnects and succeeds after its connection was killed"
store -q add plain.csv more.csv
another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
store prune --bench zstd 2>err &
writer=$!
wait_for waiting bench-store
echo "INSERT INTO benchmark_results (run_id, host, env, commit_id, kind, bench, factors, metric, unit, row_count, n, failed)
	SELECT run_id, 'h', 'e1', 'beef', 'command', 'new', '{}', 'wall', 'ns', 0, 0, 0 FROM benchmark_runs WHERE run = 'r2'; COMMIT;" >&3
no_other
wait "$writer"
is "$? $(cat err)" '0 bench-store: removed 0 runs with 0 rows' "prune keeps a run to which rows were added meanwhile"
status 1 "check finds what another client added" store -q check
like "$(cat "$T/.out")" '^run r2: does not match its seal' "the finding names the run that another client changed"
sql -c "DELETE FROM main.benchmark_runs WHERE run = 'r2'"
status 1 "check finds series of runs that another client removed" store -q check
like "$(cat "$T/.out")" '^row [0-9]+ of benchmark_results refers to a row of benchmark_runs that does not exist$' "the finding names the series of a removed run"
sql -c 'DELETE FROM main.benchmark_results'
status 1 "check finds samples of series that another client removed" store -q check
like "$(cat "$T/.out")" '^row [0-9]+ of raw_benchmark_data refers to a row of benchmark_results that does not exist$' "the finding names the samples of a removed series"

fresh
sed 's/,15,ok/,16,ok/; s/,4,,1/,5,,1/; s/^r1,/r0,/' still.csv | store -q add plain.csv more.csv still.csv -
another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
sed 's/^r1/late/' plain.csv >late.csv
status 0 "add succeeds while a run stays locked on a server" store --wait 0.1 add late.csv
like "$(message)" 'locked by another program for more than 0.1 s.*; the rows are spooled in .*/state/benchutils/postgresql-.*-spool[.]' \
	"add reports that rows are spooled because of a lock on a server"
one_line "a run that stays locked on a server"
status 0 "export does not wait for a locked run on a server" store --wait 0.1 export
no_other
store -q check 2>err
status 0 "the next add to a server succeeds" store add plain.csv
like "$(message)" 'added 1 spooled file with 5 rows' "the next add to a server adds spooled rows"
is "$(rows) $(find "$XDG_STATE_HOME" -type f | wc -l)" '18 0' "all spooled rows are added to a server"

fresh
store init
for i in 1 2 3 4 5 6; do
	measured one 2026-01-01T00:00:00Z "bench$i" "$i" >"part$i.csv"
	measured two 2026-01-01T00:00:00Z "bench$i" "$i" | sed 1d >>"part$i.csv"
	bench-store -q -D "$(url 'main%20-cdefault_transaction_isolation%3Dserializable')" add "part$i.csv" 2>"err$i" &
done
wait
is "$(cat err?)$(rows) $(store list | wc -l)" '36 3' "concurrent writers of the same runs succeed in serializable transactions"
sound "runs with concurrent writers are sound"

# --- a new database, and a server without an address

sql -c 'SET client_min_messages = warning' -c 'DROP SCHEMA IF EXISTS late CASCADE'
tables() { sql -c "SELECT count(*) FROM pg_tables WHERE schemaname = 'late'"; }
printf 'run,bench,metric,value\nr,b,wall,one\n' >wrong.csv
echo run,bench,metric,value >header.csv
for input in wrong.csv none.csv /dev/null; do
	status 2 "adding $input to a new server database fails" bench-store -D "$(url late)" add $input
	is "$(tables)" 0 "adding $input to a new server database creates no table"
done
status 0 "adding a header to a new server database is no error" bench-store -D "$(url late)" add header.csv
is "$(tables)" 0 "adding a header to a new server database creates no table"
status 0 "adding rows to a new server database succeeds" bench-store -D "$(url late)" add plain.csv
is "$(bench-store -D "$(url late)" export | wc -l)" 7 "a server database that is created when rows arrive has these rows"

nowhere=postgresql://tester@a..b/bench
status 2 "list fails at once if the server has no address" timeout 20 bench-store -D "$nowhere" --wait 60 list
like "$(message)" 'could not translate host name' "the message says that the server has no address"
status 0 "add does not wait for a server without an address" timeout 20 bench-store -D "$nowhere" --wait 60 add plain.csv
like "$(message)" 'could not translate host name .*; the rows are spooled in ' "add reports that rows are spooled because the server has no address"
rm -r "$XDG_STATE_HOME"

# --- a server that cannot write

db=$(url unwritable)
store -q init
sql -c 'CREATE FUNCTION unwritable.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
		RAISE EXCEPTION $t$could not extend file$t$ USING ERRCODE = $t$disk_full$t$; END$$' \
	-c 'CREATE TRIGGER full_disk BEFORE INSERT ON unwritable.benchmark_runs FOR EACH ROW EXECUTE FUNCTION unwritable.full_disk()'
status 0 "add succeeds if the disk of the server is full" store add plain.csv
like "$(message)" 'could not extend file; the rows are spooled in .*-spool[.]' "add reports that rows are spooled because the disk of the server is full"
is "$(rows)" 0 "no row is on a server whose disk is full"
sql -c 'DROP TRIGGER full_disk ON unwritable.benchmark_runs'
sql -c 'ALTER ROLE tester SET default_transaction_read_only = on'
status 0 "add succeeds if the server is read-only" store add late.csv
like "$(message)" 'read-only transaction.*; the rows are spooled in .*-spool[.]' "add reports that rows are spooled because the server is read-only"
sql -c 'SET default_transaction_read_only = off' -c 'ALTER ROLE tester RESET default_transaction_read_only'
status 0 "add succeeds once the server can write" store add plain.csv
is "$(find "$XDG_STATE_HOME" -type f | wc -l)" 0 "no spooled file is left once the server can write"
is "$(rows)" 11 "spooled rows are added once the server can write"
rm -r "$XDG_STATE_HOME"
db=$(url main)

# --- a lost server

pg_ctl -m fast stop
status 2 "export fails if the server is down" store --wait 0 export
like "$(message)" '/.*server.*: ' "the message about a server that is down names its socket"
one_line "a server that is down"
status 2 "init fails if the server is down" store --wait 0 init
status 0 "add succeeds if the server is down" store --wait 0 add plain.csv
like "$(message)" '; the rows are spooled in .*-spool[.]' "add reports that rows are spooled because the server is down"
status 2 "add of a missing file fails if the server is down" store --wait 0 add none.csv
for place in XDG_STATE_HOME=/proc '-u XDG_STATE_HOME -u HOME'; do
	# shellcheck disable=SC2086
	status 2 "add fails if the server is down and rows cannot be spooled: $place" env $place bench-store -D "$db" --wait 0 add plain.csv
	like "$(message)" 'the rows cannot be spooled either: (cannot create the directory /proc|neither)' "the message says why rows cannot be spooled: $place"
	one_line "no place for rows: $place"
done
mkdir mute
perl -e 'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])) or die; listen(S, 9);
	while (accept(my $c, S)) { push @c, $c }' "$PWD/mute/.s.PGSQL.5432" &
perl=$!
wait_for test -S mute/.s.PGSQL.5432
status 2 "list fails if the server does not answer" timeout 60 bench-store -D "postgresql://tester@/bench?host=$PWD/mute" --wait 1 list
like "$(message)" '/mute: no answer in time$' "the message says that the server did not answer in time"
one_line "a server that says nothing"
kill "$perl"
perl=
store add late.csv 2>err &
pg_ctl start
wait $!
is "$? $(grep -c 'added 1 spooled file' err)" '0 1' "add that waits for a server succeeds once it is up, and adds the spooled rows"
is "$(rows) $(find "$XDG_STATE_HOME" -type f | wc -l)" '47 0' "all rows are added once the server is up"

# 32 writers with six inputs each: a run of its own, and a series of a run that all of them write to.
fresh
store init
writers=32
[ -z "${SANITIZED:-}" ] || writers=12
for writer in $(seq $writers); do
	mkdir "w$writer"
	(
		cd "w$writer" || exit
		for i in 1 2 3 4 5 6; do
			{
				measured "r$writer-$i" 2026-01-01T00:00:00Z gzip "$i" 20
				measured all 2026-01-01T00:00:00Z "bench$writer-$i" "$i" | sed 1d
			} >"$i.csv"
		done
		for i in 1 2 3 4 5 6; do
			store --wait 50 add "$i.csv" >>log 2>&1 || echo "failed $i" >>log
		done
	) &
	pids="${pids:-} $!"
done
with() { [ "$(rows)" -ge $((writers * 23 * $1)) ]; }
ok "$writers writers add rows" wait_for with 1
pg_ctl -m fast restart
result $? "the server is restarted while writers add rows"
wait_for with 3
pg_ctl -m immediate restart
result $? "the server is restarted immediately while writers add rows"
# shellcheck disable=SC2086
wait $pids
is "$(cat w*/log | grep -v ' already in the database$')" '' "no writer fails because of a restart of the server"
is "$(rows)" $((writers * 6 * 23)) "no row is lost or duplicated by restarts of the server"
is "$(store list | wc -l)" $((writers * 6 + 2)) "no run is lost or duplicated by restarts of the server"
sound "a server database is sound after restarts of the server"
cat w*/?.csv | awk '!/^run,/ || NR == 1' >want.csv
store export >out.csv
ok "export writes the rows of all writers after restarts of the server" same_rows want.csv out.csv
done_testing
