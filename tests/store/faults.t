#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store with faults: a database that cannot be used, a full disk, a program that is killed, and
# statements that may not write. Added rows stay, no addition is incomplete, and the message is one
# line.
. "${0%/*}/../lib/tap.sh"

db=$T/test.db
fresh() { rm -rf "$db" "$db"-*; }
. "$ROOT/tests/lib/store.sh"
awk -v n=30000 -f "$ROOT/tests/perf/rows.awk" >many.csv

# spooled SUFFIX: prints the number of spooled files next to the database
spooled() { find "$T" -path "*/test.db-spool.*/*.$1" | wc -l; }

# --- the database

fresh
store -q add plain.csv
status 2 "export of a database that does not exist fails" bench-store -D none.db export
like "$(message)" 'none.db: No such file' "the message about a database that does not exist has its name"
ok "export does not create a database" [ ! -e none.db ]
status 0 "add creates the default database and its directory" bench-store add plain.csv
is "$(bench-store info | sed -n 2p)" "database,$XDG_DATA_HOME/benchutils/bench.db" "info prints the path of the default database"
BENCH_DB=$db bench-store list >out
is "$(wc -l <out)" 3 "\$BENCH_DB names another database"
status 2 "init refuses an existing database" store init
is "$(rows)" 6 "init does not change an existing database"
status 0 "init --overwrite accepts an existing database" store init --overwrite
is "$(rows)" 0 "init --overwrite removes all rows"
status 0 "init creates a database" bench-store -D new.db init
is "$(bench-store -D new.db export | wc -l)" 1 "a database that init created has no rows"
: >empty.db
status 2 "export of an empty file fails" bench-store -D empty.db export
status 0 "add accepts an empty file as a new database" bench-store -D empty.db add plain.csv
for verb in 'add plain.csv' export info; do
	eval "status 2 'bench-store $verb uses no database without a home or data directory' env -u HOME -u XDG_DATA_HOME bench-store $verb"
	is "$(message | grep -c HOME)$(wc -l <"$T/.err")" 11 "bench-store $verb reports in one line with HOME that there is no home or data directory"
done
status 0 "-D works without a home or data directory" env -i "$BUILD/bin/bench-store" -D "$db" info
for name in mysql://u:secret@h/b PostgreSQL://u:secret@h/b 'dbname=b password=secret'; do
	for verb in 'add plain.csv' init list; do
		eval "status 2 'a name of an unknown kind of server is refused: $verb' env BENCH_DB='$name' bench-store $verb"
		like "$(message)" 'is an unknown kind of database .use a path or postgresql://' "the message about an unknown kind of server shows the known kinds: $verb"
		unlike "$(message)" secret "the message about an unknown kind of server shows no password: $verb"
	done
done
is "$(find . -iname 'mysql*' -o -iname 'postgresql*' -o -name 'dbname*')" '' "no file is created for a name of an unknown kind of server"
status 2 "bench-store without a verb fails" bench-store
status 2 "bench-store refuses an unknown verb" bench-store frobnicate
status 2 "add refuses filters" store add --bench x
status 2 "export refuses -w" store export -w
status 2 "a directory is not accepted as a database" bench-store -D "$T" list
like "$(message)" 'a directory, not a database' "the message about a directory says that it is one"
mkfifo pipe.db
status 2 "a pipe is not accepted as a database" timeout 10 bench-store -D pipe.db add plain.csv
like "$(message)" 'pipe.db: a device or pipe, not a database' "the message about a pipe says that it is one"

awk 'BEGIN { for (i = 0; i < 2000; i++) print "This is no database, but a file of some size." }' >text.db
cp text.db text.copy
for verb in 'add plain.csv' export 'init --overwrite' info; do
	eval "status 2 'a text file is refused: $verb' bench-store -D text.db $verb"
	like "$(message)" '^bench-store: text.db: not an SQLite database$' "the message about a text file says that it is not a database: $verb"
done
ok "a text file is not changed" cmp text.db text.copy
sqlite3 foreign.db 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'
for verb in 'add plain.csv' export 'init --overwrite'; do
	eval "status 2 'a database of another program is refused: $verb' bench-store -D foreign.db $verb"
	like "$(message)" 'of another program' "the message says that the database is of another program: $verb"
done
is "$(sqlite3 foreign.db 'SELECT * FROM t')" 1 "a database of another program is not changed"

fresh
store -q add many.csv
cp "$db" sound.db
cp sound.db unversioned.db
sqlite3 unversioned.db 'PRAGMA user_version = 0'
cp unversioned.db unversioned.copy
for verb in 'add plain.csv' export; do
	eval "status 2 'a database with tables and without a version is refused: $verb' bench-store -D unversioned.db $verb"
	like "$(message)" '^bench-store: unversioned.db: has tables, but no schema version: ' \
		"a database with tables and without a version is not called empty: $verb"
done
ok "a database with tables and without a version is not changed" cmp unversioned.db unversioned.copy
sqlite3 unversioned.db 'PRAGMA user_version = -1'
for verb in 'add plain.csv' list 'backup unversioned.copy'; do
	eval "status 2 'a negative schema version is refused: $verb' bench-store -D unversioned.db $verb"
	like "$(message)" '^bench-store: unversioned.db: has tables, but no schema version: ' "the message about a negative schema version says that there is no version: $verb"
done
cp sound.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 99'
for verb in 'add plain.csv' export; do
	eval "status 2 'a newer database is refused: $verb' bench-store -D newer.db $verb"
	like "$(message)" 'newer version .schema 99; this version supports 3' "the message about a newer database has both versions: $verb"
done
mkdir share
mkdir share/store && cp "$BUILD/share/benchutils/store/schema.sql" share/store
cp "$BUILD/share/benchutils/metrics.csv" share
printf -- '\n-- version 4\nCREATE TABLE later (a);\n' >>share/store/schema.sql
status 2 "export of an older database fails" env BENCH_SHARE=share bench-store -D sound.db export
like "$(message)" 'older version .schema 3 of 4.; bench-store add' "the message about an older database names bench-store add"
status 0 "add to an older database succeeds" env BENCH_SHARE=share bench-store -D sound.db add plain.csv
is "$(sqlite3 sound.db 'PRAGMA user_version; SELECT count(*) FROM later; SELECT count(*) FROM benchmark_runs')" \
	"$(printf '4\n0\n3')" "add upgrades an older database and keeps its runs"

cp "$db" torn.db
dd if=/dev/urandom of=torn.db bs=4096 seek=2 count=12 conv=notrunc 2>"$T/.dd"
status 2 "export of a damaged database fails" bench-store -D torn.db export
like "$(message)" 'torn.db: .*damaged' "the message says that the database is damaged"
one_line "a damaged database"
status 2 "add to a damaged database fails" bench-store -D torn.db add plain.csv
status 0 "init --overwrite empties a damaged database" bench-store -D torn.db init --overwrite
is "$(bench-store -D torn.db export | wc -l)" 1 "an emptied database has no rows"
head -c 20000 "$db" >cut.db
status 2 "export of a truncated database fails" bench-store -D cut.db export
cp "$db" bits.db
sqlite3 bits.db "UPDATE raw_benchmark_data SET data = substr(data, 1, 99) || x'55' || substr(data, 101)"
status 2 "export of a damaged chunk fails" bench-store -D bits.db export
like "$(message)" 'bits.db: a chunk of samples is damaged' "the message says that a chunk is damaged"
cp "$db" lost.db
sqlite3 lost.db "DELETE FROM raw_benchmark_data WHERE result_id = 2"
status 2 "export fails if samples are missing" bench-store -D lost.db export
like "$(message)" 'lost.db: damaged: a series has only 0 of its [0-9]+ samples' "the message about missing samples has their numbers"
for name in host value; do
	cp "$db" names.db
	sqlite3 names.db "UPDATE benchmark_results SET factors = json_object('$name', 'x') WHERE result_id = 2"
	status 2 "export fails if a factor has the name of a column: $name" bench-store -D names.db export
	is "$(message)" 'bench-store: names.db: the factors of a series are damaged' "the message says that factors are damaged: $name"
done

# An unreadable text could contain a name.
cp "$db" names.db
sqlite3 names.db "UPDATE benchmark_results SET factors = '{\"n\": ' WHERE result_id = 2"
for command in 'bench-store -D names.db export' 'bench-store -D names.db export --facts' 'bench-report -q --site hidden names.db'; do
	# shellcheck disable=SC2086 # words
	status 2 "$command --anonymize fails if factors are damaged" $command --anonymize
	is "$(message)" "${command%% *}: names.db: the factors of a series are damaged" "$command --anonymize reports damaged factors"
done
is "$(find hidden -name '*.html' 2>/dev/null)" '' "no page of a site is written if names in damaged factors cannot be replaced"

# --- what SQL may do

fresh
store -q add plain.csv
store -q tag base
for statement in 'DELETE FROM run_tags' "ATTACH 'x.db' AS x" "VACUUM INTO 'x.db'" 'PRAGMA query_only = 0' \
	'CREATE TABLE x (a)' 'CREATE TEMP TABLE x (a)' 'PRAGMA user_version = 7' 'SELECT 1; DROP TABLE run_tags'; do
	status 2 "sql without -w refuses to write: $statement" store sql "$statement"
	like "$(message)" 'does more than read' "the message says that the statement does more than read: $statement"
done
ok "sql without -w creates no file" [ ! -e x.db ]

# --- failure from outside

status 2 "export to a full disk fails" sh -c 'bench-store -D "$1" export >/dev/full' sh "$db"
like "$(message)" 'No space left' "the message about a full disk under standard output has the reason"
one_line "a full disk"
fresh
store -q add many.csv
{ store export 2>err; } | head -n 1 >out
is "$(cat out err)" "$(head -n 1 many.csv | sed 's/.*/run,time,host,env,commit,kind,bench,size,process,sample,t,iterations,metric,unit,value,status,running_pct/')" \
	"export prints no message if its reader ends"
{ (trap '' PIPE; store export 2>err; echo $? >code) } | true
is "$(cat err code)" 2 "export exits with status 2 and without a message if SIGPIPE is ignored"

# A limit on the size of files ends the transaction in the middle.
fresh
store -q add plain.csv
store export >before
(ulimit -f 100; bench-store -D "$db" add many.csv) 2>"$T/.err"
is "$?" 2 "add fails if a file reaches the limit of its size"
one_line "the limit of the size of files"
store export >after
ok "add that reaches the limit of the size of files changes no row" cmp before after
is "$(sqlite3 "$db" 'PRAGMA integrity_check')" ok "a database is sound after a file reached the limit of its size"
(trap '' XFSZ; ulimit -f 100; bench-store -D "$db" add many.csv) 2>"$T/.err"
is "$?" 2 "add fails if there is no space for the transaction"
one_line "no space for the transaction"
store export >after
ok "add that has no space changes no row" cmp before after
store -q add many.csv
is "$(rows)" 30006 "add succeeds once there is space"

# While add reads its input, it locks nothing; if it is killed then, it has added nothing.
fresh
store -q add plain.csv
mkfifo slow
bench-store -D "$db" add slow 2>err &
exec 3<>slow
head -n 500 many.csv >&3
# Before it opens its input, it locks the database for a moment to look at its version.
until readlink /proc/$!/fd/* | grep -q slow || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
sed 's/^r/s/' plain.csv >other.csv
status 0 "add does not wait for an add that still reads its input" store --wait 0 add other.csv
kill -KILL $!
wait $! 2>err
exec 3>&-
is "$(rows)" 12 "add that is killed while it reads adds nothing"

mkfifo in out.fifo
sqlite3 "$db" <in >out.fifo &
exec 3<>in 4<>out.fifo
printf 'BEGIN IMMEDIATE;\n.shell echo locked\n' >&3
read -r answer <&4
is "$answer" locked "another program locks the database"
status 2 "tag fails if the database stays locked" store --wait 0 tag x
like "$(message)" 'locked by another program' "the message of tag says that the database is locked"
one_line "locked"
sed 's/^r/u/' plain.csv >other.csv
status 0 "add spools its rows if the database is locked" store --wait 0 add other.csv
like "$(message)" 'locked by another program.*; the rows are spooled in .*/test.db-spool.[0-9]*/[^ ]*.db, and your next bench-store add adds them' \
	"add reports the file with spooled rows"
one_line "spooled rows"
sed 's/^r/v/' plain.csv >other.csv
status 0 "add -q spools its rows if the database is locked" store -q --wait 0 add other.csv
is "$(wc -l <"$T/.err")$(spooled db)" 02 "add -q reports nothing and creates a second spooled file"
is "$(for spool in "$db"-spool.*/*.db; do bench-store -D "$spool" export; done | grep -c ,ok,)" 10 "each spooled file is a database"
status 0 "export does not wait for a lock" store --wait 0 export
exec 3>&- 4<&-
wait
is "$(rows)" 12 "spooled rows are not in the database yet"
store check 2>err
like "$(cat err)" '2 spooled files; your next bench-store add adds the rows' "check reports spooled files"
status 0 "the next add succeeds with spooled files" store add many.csv
like "$(message)" 'added 2 spooled files with 12 rows' "the next add reports the spooled files that it added"
is "$(rows) $(ls "$db"-* 2>/dev/null)" '30024 ' "all spooled rows are added and all spooled files are removed"
sound "a database is sound after spooled rows were added"

# lock, unlock: another program locks the database
lock() {
	sqlite3 "$db" <in >out.fifo &
	exec 3<>in 4<>out.fifo
	printf 'BEGIN IMMEDIATE;\n.shell echo locked\n' >&3
	read -r _ <&4
}
unlock() {
	exec 3>&- 4<&-
	wait
}
fresh
store -q add plain.csv
lock
sed 's/,13.5,/,14,/' plain.csv | store -q --wait 0 add
sed 's/^r/t/' plain.csv | store -q --wait 0 add
unlock
status 2 "add fails if a spooled file contradicts the database" store add other.csv
like "$(message)" 'spooled rows cannot be added.*run r1.* value 14, not 13.5' "a contradicting spooled file is reported with the row"
is "$(rows) $(spooled refused)" '18 1' "other rows are added, and the contradicting spooled file is kept"
status 1 "check exits with status 1 if a spooled file was refused" store -q check
is "$(cat "$T/.out")" '1 spooled file could not be added' "check reports a refused spooled file in one line"
status 0 "a refused spooled file does not fail the next add" store add other.csv
fresh
store -q add plain.csv
lock
store -q --wait 0 add many.csv
unlock
dd if=/dev/urandom of="$(ls "$db"-spool.*/*.db)" bs=4096 seek=2 count=12 conv=notrunc 2>"$T/.dd"
status 2 "add fails if a spooled file is damaged" store add other.csv
like "$(message)" 'spooled rows cannot be added.*damaged' "a damaged spooled file is reported"
is "$(rows)" 12 "no row of a damaged spooled file is added"

fresh
for i in 1 2 3 4; do
	sed "s/^r/p$i-/" plain.csv >"part$i.csv"
	store -q add "part$i.csv" &
done
wait
is "$(rows)" 24 "concurrent additions to a new database all succeed"

# As an ordinary user, because nothing is read-only for root.
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$T"
	as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
else
	as_user() { "$@"; }
fi
fresh
store -q add plain.csv
store export >want
mkdir locked
cp "$db" locked/ro.db
chmod 444 locked/ro.db
chmod 555 locked
if as_user test -x "$BUILD/bin/bench-store"; then
	status 2 "add to a read-only file fails" as_user bench-store -D locked/ro.db add plain.csv
	like "$(message)" 'ro.db: cannot be written' "the message says that a read-only file cannot be written"
	one_line "a read-only file"
	as_user bench-store -D locked/ro.db export >after
	ok "a read-only file can be exported" cmp want after
	status 2 "add fails in a read-only directory" as_user bench-store -D locked/new.db add plain.csv
	like "$(message)" 'locked/new.db: ' "the message about a read-only directory names the database"
	one_line "a read-only directory"
	status 2 "add fails if the default directory cannot be created" as_user env XDG_DATA_HOME=/proc bench-store add plain.csv
else
	result 0 "a read-only database # SKIP $BUILD is not open to other users"
fi
chmod 755 locked

# --- a full disk

mkdir full
cat >full.sh <<'E2'
mount -t tmpfs -o size=400k full full || exit 9
cd full || exit 9
bench-store -q -D full.db add ../plain.csv || exit 8
dd if=/dev/zero of=fill bs=4096 2>../dd.err
for verb in list export 'export --facts' info check "sql SELECT(1)"; do
	bench-store -D full.db $verb >../full.out 2>../full.err || echo "$verb: $(cat ../full.err)"
done >../read
ls >../left
bench-store -D full.db add ../other.csv >../full.out 2>../add.err
echo $? >../add.status
ls >../left.add
rm fill
bench-store -q -D full.db add ../other.csv && bench-store -q -D full.db check || exit 7
rm full.db
# From no space at all to all but the last pages of the rows.
for free in 0 1 2 8 16 60; do
	dd if=/dev/zero of=fill bs=4096 2>../dd.err
	truncate -s -$((free * 4096)) fill
	for verb in 'add ../many.csv' 'merge ../many.db'; do
		bench-store -D full.db $verb 2>/dev/null && exit 6
		echo "${verb% *}: $(ls | tr '\n' ' ')"
		rm -rf full.db*
	done
done >../left.new
bench-store -D ../many.db backup full.db 2>../backup.err && exit 5
ls >../left.backup
E2
if skip_unless own-mounts "add on a full disk succeeds once there is space"; then
	sed 's/^r\([0-9]\)/n\1/' plain.csv >other.csv
	bench-store -q -D many.db add many.csv
	status 0 "add on a full disk succeeds once there is space" unshare -m sh full.sh
	is "$(cat read)" '' "a database on a full disk can be read"
	is "$(tr '\n' ' ' <left)" 'fill full.db ' "reading a database on a full disk creates no file"
	is "$(cat add.status) $(wc -l <add.err)" '2 1' "add on a full disk fails with a message of one line"
	like "$(cat add.err)" 'full.db: No space left on device; the rows cannot be spooled either: .*No space left' \
		"the message of add on a full disk says that the rows cannot be spooled"
	is "$(tr '\n' ' ' <left.add)" 'fill full.db ' "add on a full disk leaves no file"
	is "$(cat backup.err left.backup)" 'bench-store: full.db: no space left on the disk
fill' "backup to a full disk says so, and leaves no file"
	for verb in add merge; do
		is "$(grep "^$verb" left.new | uniq -c | tr -d ' ')" "6$verb:fill" "$verb to a new database on a full disk leaves no database"
	done
fi

# --- permissions, as an ordinary user, because root has all of them

if skip_unless another-user "a directory that must not be written to is named as the reason"; then
	mkdir rights rights/readable rights/closed
	bench-store -q -D rights/private.db add plain.csv
	cp plain.csv rights/
	chmod 755 . rights
	chmod 600 rights/private.db
	chmod 555 rights/readable
	chmod 700 rights/closed
	other() { setpriv --reuid 65534 --regid 65534 --clear-groups bench-store "$@"; }
	for verb in 'add rights/plain.csv' init; do
		eval "status 2 'a database cannot be made in a directory that must not be written to: $verb' other -D rights/readable/new.db $verb"
		is "$(message)" 'bench-store: rights/readable/new.db: cannot be created: Permission denied' \
			"a directory that must not be written to is named as the reason: $verb"
		eval "status 2 'a database cannot be made in a closed directory: $verb' other -D rights/closed/new.db $verb"
		like "$(message)" 'rights/closed/new.db: .*Permission denied' "a closed directory is named as the reason: $verb"
	done
	status 2 "a database that must not be read is not listed" other -D rights/private.db list
	is "$(message)" 'bench-store: rights/private.db: Permission denied' "a database that must not be read is named as the reason"
	chmod 755 rights/readable
fi
status 2 "add reads no closed standard input" sh -c 'exec bench-store -D "$1" add <&-' - "$db"
is "$(message)" 'bench-store: standard input: Bad file descriptor' "a closed standard input is named as the reason"

done_testing
