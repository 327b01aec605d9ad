#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store on a real PostgreSQL server of this test's own: the same answers as on a file,
# and nothing is lost when writers meet, a connection or the server goes away, or a program is
# killed.
# slow
. "${0%/*}/../lib/tap.sh"

skip_unless postgresql "a PostgreSQL server" || done_testing
skip_unless pq "the library of its clients" || done_testing
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
# The order of texts is that of a language, which must not show.
as_server "$bin/initdb" -A trust -U tester -N -E UTF8 --locale=C --locale-provider=icu --icu-locale=en-US -D "$server/data" >"$T/.initdb" 2>&1 ||
	{ sed 's/^/# /' "$T/.initdb"; result 1 "a cluster is made"; done_testing; }
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
result $? "a server runs"

# A database is a schema of the server's one.
url() { echo "postgresql://tester@/bench?host=$server&options=-csearch_path%3D$1"; }
database() { url "$1"; }
db=$(url main)
fresh() { sql -c 'SET client_min_messages = warning' -c 'DROP SCHEMA IF EXISTS main CASCADE'; }
blob="'\\x00ff'::bytea"
. "$ROOT/tests/lib/store.sh"

# --- opening

status 2 "a database without our tables has nothing to export" store export
like "$(message)" 'empty .use bench-store add' "and says what to do"
one_line "an empty one"
status 2 "nor can a tag be given" store tag x
sql -c 'CREATE SCHEMA foreigner' -c 'CREATE TABLE foreigner.benchmark_runs (a int)'
for verb in 'add plain.csv' export 'init --overwrite'; do
	eval "status 2 'a table of another program: $verb' bench-store -D '$(url foreigner)' $verb"
	like "$(message)" 'belongs to another program; left unchanged' "says so: $verb"
done
status 0 "init makes the tables" store init
status 2 "but not twice" store init
like "$(message)" 'exists' "and says so"
store -q add plain.csv
status 0 "init --overwrite" store init --overwrite
is "$(rows)" 0 "empties them"
for i in 1 2 3 4; do
	sed "s/^r/p$i-/" plain.csv >"part$i.csv"
	bench-store -q -D "$(url together)" add "part$i.csv" &
done
wait
db=$(url together)
is "$(rows)" 24 "several that make and fill it at once all succeed"
sql -c 'UPDATE together.benchutils_schema SET version = 99'
for verb in 'add plain.csv' export; do
	eval "status 2 'a newer schema: $verb' store $verb"
	like "$(message)" 'newer version .schema 99' "says so: $verb"
done
db=$(url main)

status 2 "a database that is not there" bench-store -D "postgresql://tester@/none?host=$server" --wait 9 add plain.csv
like "$(message)" 'database "none" does not exist' "is no outage"
psql -X -q -h "$server" -U tester -d bench -c "CREATE ROLE locked_out LOGIN PASSWORD 'right'"
secret="postgresql://locked_out:wr%6fng@/bench?host=$server"
for wrong in "$secret" "postgresql://locked_out@/bench?host=$server&password=wrong"; do
	status 2 "a wrong password" bench-store -D "$wrong" --wait 9 add plain.csv
	like "$(message)" 'password authentication failed' "is none either"
	unlike "$(message)" 'wrong|wr%6fng' "and is never shown"
	one_line "a wrong password"
done
ok "nor were rows put aside" [ ! -e "$XDG_STATE_HOME" ]
for wrong in 'postgresql://?pass%77ord=wrong&port=0' 'postgresql://u:wrong@[::1/b' 'postgresql://u:wr@ng@h:port/b' 'postgresql://u:wrong@h/b?colour=1'; do
	status 2 "a URL that cannot be: $wrong" bench-store -D "$wrong" --wait 0 add plain.csv
	unlike "$(message)" 'wrong|wr@ng' "and its password is not shown: $wrong"
	one_line "a URL that cannot be: $wrong"
done
is "$(BENCH_DB=$(url main) bench-store info | sed -n 2p)" "database,$(url main)" "\$BENCH_DB takes a URL, too"
ok "and makes no folder of it" [ ! -e postgresql: ]
unlike "$(ldd "$BUILD/bin/bench-store")" libpq "libpq is not linked"

# --- the same as on a file

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
	status 2 "sql only reads: $statement" store sql "$statement"
	like "$(message)" 'does more than read|read-only|read-write' "and says so: $statement"
done
is "$(store sql "SELECT 'a;b' AS a, \$x\$c;d\$x\$ AS b /* ; /* ; */ */ -- ;
; SELECT E'\\';' AS c" | tr '\n' ' ')" 'a,b a;b,c;d c '"';"' ' "statements are told apart"
status 2 "backup names the program for it" store backup copy
like "$(message)" 'pg_dump' "pg_dump"

# The same verbs on a file, with what both print.
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
# Moments of this test, and what each engine says of SQL.
plain() { sed "s|^\(bench-store: .*\)$1: |\1DB: |; /--where: /s/DB: .*//; s/$(date -u +%Y-%m)-[0-9:.T]*Z/NOW/g"; }
fresh
answers | plain "$db" >theirs
db=$T/file.db
answers | plain "$db" >ours
db=$(url main)
diff ours theirs >differ
is "$(cat differ)" '' "all verbs answer as on a file"
is "$(grep -c -e ^status ours) $(grep -c 'status 0' ours)" '22 19' "which is something"

fresh
name=$(awk 'BEGIN { srand(1); for (i = 0; i < 9000; i++) printf "%c", 97 + rand() * 26 }')
printf 'run,bench,f,sample,metric,value\nr,%s,%s,0,m,1\n' "$name" "$name" >big.csv
ok "long names are added" store add big.csv
is "$(store export | bench-stat -s mean)" "$(bench-stat -s mean <big.csv)" "and come out"
is "$(store export --bench "$name" --factor "f=$name" | wc -l)" 2 "and are found"
printf 'run,bench,sample,metric,value\n%s,b,0,m,1\n' "$name" >big.csv
status 2 "a run's name has a limit" store add big.csv
one_line "a run's name"

# Answers of 240 MB where there is room for 200 with all else: a sanitizer alone needs more.
if skip_unless unsanitized "answers that are larger than memory"; then
	fresh
	awk 'BEGIN { printf "run,bench,sample,metric,value,status\nr,b,0,m,1,failed:"; for (i = 0; i < 40000; i++) printf "0123456789"; print "" }' |
		store -q add
	sql -c 'INSERT INTO main.raw_benchmark_data SELECT result_id, g, row_count, data FROM main.raw_benchmark_data, generate_series(1, 299) AS g' \
		-c 'UPDATE main.benchmark_results SET row_count = 300, failed = 300'
	# shellcheck disable=SC3045 # dash knows it
	little() { (ulimit -v 200000 && "$@"); }
	is "$(little store export | wc -l)" 301 "samples larger than memory are exported"
	status 1 "and checked" little store check
	like "$(message)" 'checked 300 rows' "to the last"
	is "$(little store sql "SELECT repeat('x', 1000) FROM generate_series(1, 240000)" | wc -l)" 240001 "as are the rows of a statement"
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

# --- what another client changes

. "$ROOT/tests/store/changes.sh"

# --- in each other's way

# Another client, which does what is written to descriptor 3, as tester in the schema main.
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
ok "a run is locked by another" wait_for waiting bench-store
sql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bench-store'" >"$T/.out"
no_other
wait "$writer"
is "$? $(cat err)" '0 bench-store: added 1 row in 1 run, 5 already in the database' "a connection that is killed is made again"
sound "and all is sound"

another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
sed 's/,14,ok/,15,ok/; s/,3,,1/,4,,1/' more.csv >still.csv
bench-store -D "$(url 'main%20-cdeadlock_timeout%3D3s')" add still.csv 2>err &
writer=$!
wait_for waiting bench-store
echo "SELECT FROM benchmark_runs WHERE run = 'r1' FOR UPDATE; COMMIT; SELECT 'second';" >&3
wait "$writer"
is "$? $(cat err)" '0 bench-store: added 1 row in 1 run, 5 already in the database' "who is chosen to end a deadlock tries again"
ok "the other one went on" wait_for grep -q second "$T/.another"
no_other

another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
sed 's/,15,ok/,16,ok/; s/,4,,1/,5,,1/; s/^r1,/r0,/' still.csv >killed.csv
bench-store -D "$db" add killed.csv 2>err &
writer=$!
wait_for waiting bench-store
kill -KILL "$writer"
wait "$writer" 2>err
no_other
is "$(rows) $(store list | wc -l)" '8 3' "of one that is killed nothing is there"
status 0 "the same again" store add killed.csv
is "$(rows) $(store list | wc -l)" '13 4' "is all there"

fresh
store -q add plain.csv more.csv
another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
store prune --until 2027-01-01 2>err &
writer=$!
ok "prune waits for who adds to a run" wait_for waiting bench-store
sql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bench-store'" >"$T/.out"
no_other
wait "$writer"
is "$? $(cat err) $(rows)" '0 bench-store: removed 2 runs with 7 rows 0' "and is tried again when its connection is killed"
store -q add plain.csv more.csv
another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
store prune --bench zstd 2>err &
writer=$!
wait_for waiting bench-store
echo "INSERT INTO benchmark_results (run_id, host, env, commit_id, kind, bench, factors, metric, unit, row_count, n, failed)
	SELECT run_id, 'h', 'e1', 'beef', 'command', 'new', '{}', 'wall', 'ns', 0, 0, 0 FROM benchmark_runs WHERE run = 'r2'; COMMIT;" >&3
no_other
wait "$writer"
is "$? $(cat err)" '0 bench-store: removed 0 runs with 0 rows' "what was added meanwhile keeps its run"
status 1 "check finds what another client added" store -q check
like "$(cat "$T/.out")" '^run r2: does not match its seal' "the finding names the run that another client changed"
sql -c "DELETE FROM main.benchmark_runs WHERE run = 'r2'"
status 1 "check finds series of runs that another client removed" store -q check
like "$(cat "$T/.out")" '^row [0-9]+ of benchmark_results refers to a row of benchmark_runs that does not exist$' "and says which"
sql -c 'DELETE FROM main.benchmark_results'
status 1 "and samples of such series" store -q check
like "$(cat "$T/.out")" '^row [0-9]+ of raw_benchmark_data refers to a row of benchmark_results that does not exist$' "which it says"

fresh
sed 's/,15,ok/,16,ok/; s/,4,,1/,5,,1/; s/^r1,/r0,/' still.csv | store -q add plain.csv more.csv still.csv -
another "BEGIN; SELECT FROM benchmark_runs WHERE run = 'r2' FOR UPDATE"
sed 's/^r1/late/' plain.csv >late.csv
status 0 "a lock that lasts" store --wait 0.1 add late.csv
like "$(message)" 'locked by another program for more than 0.1 s.*; the rows are spooled in .*/state/benchutils/postgresql-.*-spool[.]' \
	"rows for a server that is down are spooled"
one_line "a lock that lasts"
status 0 "reading does not wait" store --wait 0.1 export
no_other
store -q check 2>err
status 0 "the next one" store add plain.csv
like "$(message)" 'added 1 spooled file with 5 rows' "the next add to a server adds spooled rows"
is "$(rows) $(find "$XDG_STATE_HOME" -type f | wc -l)" '18 0' "all of them"

fresh
store init
for i in 1 2 3 4 5 6; do
	measured one 2026-01-01T00:00:00Z "bench$i" "$i" >"part$i.csv"
	measured two 2026-01-01T00:00:00Z "bench$i" "$i" | sed 1d >>"part$i.csv"
	bench-store -q -D "$(url 'main%20-cdefault_transaction_isolation%3Dserializable')" add "part$i.csv" 2>"err$i" &
done
wait
is "$(cat err?)$(rows) $(store list | wc -l)" '36 3' "writers of the same runs, even where the server asks for serial order"
sound "leave them sound"

# --- a server that goes away

pg_ctl -m fast stop
status 2 "a server that is down: export" store --wait 0 export
like "$(message)" '/.*server.*: ' "says which"
one_line "a server that is down"
status 2 "a server that is down: init" store --wait 0 init
status 0 "a server that is down: add" store --wait 0 add plain.csv
like "$(message)" '; the rows are spooled in .*-spool[.]' "rows for a server that is down are spooled"
status 2 "rows that cannot be read" store --wait 0 add none.csv
for place in XDG_STATE_HOME=/proc '-u XDG_STATE_HOME -u HOME'; do
	# shellcheck disable=SC2086
	status 2 "no place for rows: $place" env $place bench-store -D "$db" --wait 0 add plain.csv
	like "$(message)" 'the rows cannot be spooled either: (/proc|neither)' "says so, and why the server has not got them: $place"
	one_line "no place for rows: $place"
done
mkdir mute
perl -e 'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])) or die; listen(S, 9);
	while (accept(my $c, S)) { push @c, $c }' "$PWD/mute/.s.PGSQL.5432" &
perl=$!
wait_for test -S mute/.s.PGSQL.5432
status 2 "a server that says nothing" timeout 60 bench-store -D "postgresql://tester@/bench?host=$PWD/mute" --wait 1 list
like "$(message)" '/mute: no answer in time$' "is not waited for"
one_line "a server that says nothing"
kill "$perl"
perl=
store add late.csv 2>err &
pg_ctl start
wait $!
is "$? $(grep -c 'added 1 spooled file' err)" '0 1' "one that waits goes on when it is up, and takes them in"
is "$(rows) $(find "$XDG_STATE_HOME" -type f | wc -l)" '47 0' "all are there"

# 32 writers of six inputs each: a run of its own, and a series of one that all write to.
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
ok "the writers write" wait_for with 1
pg_ctl -m fast restart
result $? "the server is restarted in the middle"
wait_for with 3
pg_ctl -m immediate restart
result $? "and once more, without asking anybody"
# shellcheck disable=SC2086
wait $pids
is "$(cat w*/log | grep -v ' already in the database$')" '' "no writer fails"
is "$(rows)" $((writers * 6 * 23)) "no row is lost, and none there twice"
is "$(store list | wc -l)" $((writers * 6 + 2)) "nor a run"
sound "and all is sound"
cat w*/?.csv | awk '!/^run,/ || NR == 1' >want.csv
store export >out.csv
ok "what comes out is what went in" same_rows want.csv out.csv
done_testing
