#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store and databases that other people created: with any contents, each verb ends soon,
# with a message of one line.
. "${0%/*}/../lib/tap.sh"

db=$T/test.db
fresh() { rm -f "$db" "$db"-*; }
. "$ROOT/tests/lib/store.sh"

# verbs FILE: prints each verb with FILE as its database, one per line
verbs() {
	cat <<-E2
		-D $1 list
		-D $1 list benches
		-D $1 list tags
		-D $1 export
		-D $1 export --facts
		-D $1 info
		-D $1 check
		-D $1 sql 'SELECT 1'
		-D $1 add plain.csv
		-D $1 tag x
		-D $1 untag x
		-D $1 prune --keep 1d
		-D $1 backup copy.db
		-D $db merge $1
	E2
}
# refused WHAT FILE PATTERN [few]: every verb, or a few verbs, refuse FILE within 20 seconds, with
# status 2 and one line like PATTERN
refused() {
	verbs "$2" >list
	[ -z "${4:-}" ] || verbs "$2" | grep -e 'list$' -e ' add ' -e merge >list
	: >wrong
	while read -r verb; do
		eval "timeout 20 bench-store $verb" >"$T/.out" 2>"$T/.err" </dev/null
		got=$?
		[ "$got $(wc -l <"$T/.err")" = '2 1' ] && grep -Eq -e "$3" "$T/.err" ||
			printf '%s: status %s: %s\n' "$verb" "$got" "$(head -c 300 "$T/.err")" >>wrong
	done <list
	is "$(cat wrong)" '' "$1 is refused in one line"
}
# spoiled NAME SQL: copies a sound database with rows, and runs SQL on the copy
spoiled() {
	cp sound.db "$1"
	sqlite3 "$1" "$2"
}

bench-store -q -D sound.db add plain.csv
bench-store -q -D sound.db tag base
store init
endless="WITH RECURSIVE e(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e) SELECT"

for table in benchmark_runs benchmark_results raw_benchmark_data hardware_info run_tags; do
	columns=$(sqlite3 sound.db "SELECT group_concat('n AS ' || name) FROM pragma_table_info('$table')")
	spoiled "$table.db" "DROP TABLE $table; CREATE VIEW $table AS $endless $columns FROM e;"
	few=few; [ "$table" != benchmark_results ] || few=
	refused "an endless view in place of $table" "$table.db" "$table.db: '$table' is not as bench-store creates it" $few
done
spoiled view.db "DROP VIEW benchmark_history; CREATE VIEW benchmark_history AS $endless n AS run_id FROM e;"
refused "an endless view in place of benchmark_history" view.db "'benchmark_history' is not as bench-store creates it"
spoiled trigger.db "CREATE TRIGGER act AFTER INSERT ON benchmark_runs BEGIN DELETE FROM run_tags; END;"
refused "a trigger" trigger.db "'act' is a trigger" few
spoiled virtual.db "CREATE VIRTUAL TABLE words USING fts5(word);"
refused "a virtual table" virtual.db "'words' is a virtual table" few
spoiled column.db "ALTER TABLE hardware_info ADD COLUMN made TEXT AS (hex(value));"
refused "a generated column in hardware_info" column.db "'hardware_info' is not as bench-store creates it" few
spoiled missing.db "DROP TABLE run_tags;"
refused "a missing table" missing.db "'run_tags' is missing" few
spoiled index.db "DROP INDEX run_tags_by_run; CREATE INDEX run_tags_by_run ON run_tags (tag);"
refused "an index on another column" index.db "'run_tags_by_run' is not as bench-store creates it" few
spoiled hiding.db "CREATE VIEW pragma_integrity_check AS $endless 'ok' AS integrity_check FROM e;"
refused "a view that hides a function of SQLite" hiding.db "'pragma_integrity_check' is named like a function" few
spoiled lying.db "CREATE TABLE good (a); PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE pragma_x (a)' WHERE name = 'good';"
refused "a table that is defined under another name" lying.db "'good' is not defined under its own name|damaged" few
spoiled escape.db "CREATE VIRTUAL TABLE \"$(printf 'a\033[31mb\nc')\" USING fts5(word);"
refused "a name with control characters" escape.db "'a[^[:cntrl:]]*c[^[:cntrl:]]*' is a virtual table" few

# --- what a user may add

spoiled own.db "CREATE TABLE notes (run TEXT REFERENCES benchmark_runs (run), note TEXT);
	CREATE VIEW \"slow runs\" AS $endless n FROM e; CREATE INDEX [by \"note] ON notes (note);
	CREATE INDEX benchmark_runs_by_host ON benchmark_runs (host); CREATE TABLE copied AS SELECT * FROM run_tags; ANALYZE;"
sed 's/^r/n/' plain.csv >more.csv
status 0 "rows are added to a database with tables, views and indexes of the user's own" bench-store -D own.db add more.csv
status 0 "a database with tables of the user's own passes check" bench-store -D own.db check
status 0 "runs are removed from a database with tables of the user's own" bench-store -D own.db prune --until 1d --bench zstd --vacuum
is "$(bench-store -D own.db sql 'SELECT count(*) FROM copied' | sed 1d)" 1 "sql can query the user's own tables"
awk '/^-- version 2/ { exit } { print }' "$BUILD/share/benchutils/store/schema.sql" |
	{ cat && echo 'PRAGMA user_version = 1; PRAGMA application_id = 0x626e6368;'; } | sqlite3 first.db
cp first.db spoiled.db
status 0 "a database of version 1 is upgraded" bench-store -D first.db add plain.csv
ok "an upgraded database can be read" bench-store -D first.db check
sqlite3 spoiled.db "DROP TABLE run_tags; CREATE VIEW run_tags AS $endless n AS tag, n AS run_id FROM e"
status 2 "a database of version 1 with an endless view is refused" timeout 20 bench-store -D spoiled.db add plain.csv
like "$(message)" "'run_tags' is not as bench-store creates it" "the message names the endless view in a database of version 1"

# --- files that are not databases

mkdir directory.db
refused "a directory" directory.db 'directory.db: a directory, not a database'
mkfifo pipe.db
refused "a named pipe" pipe.db 'pipe.db: a device or pipe, not a database'
refused "a device" /dev/zero '/dev/zero: a device or pipe, not a database' few
head -c 20000 /dev/zero >zeros.db
refused "a file of zeros" zeros.db 'zeros.db: not an SQLite database' few

cp sound.db beside.db
mkfifo beside.db-journal
status 2 "list does not wait for a named pipe in place of a journal" timeout 20 bench-store -D beside.db list
like "$(message)" 'beside.db-journal: not a regular file.*; remove it' "the message of list names the pipe"
one_line "a named pipe in place of a journal"
measured waiting 2026-03-01T10:00:00Z gzip 1 >waiting.csv
status 0 "add does not wait for a named pipe in place of a journal" timeout 20 bench-store -D beside.db add waiting.csv
like "$(message)" 'beside.db-journal: not a regular file.* spooled in beside.db-spool' "add spools its rows because of a named pipe"
rm beside.db-journal
status 0 "add succeeds after the named pipe was removed" bench-store -D beside.db add plain.csv
like "$(message)" '1 spooled file with 3 rows' "add reports the rows that were spooled because of a pipe"
for part in wal shm; do
	mkfifo beside.db-$part
	status 0 "list does not wait for a named pipe in place of a -$part file" timeout 20 bench-store -D beside.db list
done

# Each page of a tree refers to the next page 30 times: a small file with more than 10^20 rows.
if skip_unless perl "info refuses a tree that refers to the same pages repeatedly"; then
	cp sound.db bomb.db
	sqlite3 bomb.db 'PRAGMA journal_mode = DELETE' >"$T/.out"
	root=$(sqlite3 bomb.db "SELECT rootpage FROM sqlite_master WHERE name = 'benchmark_results'")
	perl -e 'my ($name, $root) = @ARGV;
		open(F, "+<", $name) or die; binmode F;
		local $/; my $all = <F>; my $size = unpack("n", substr($all, 16, 2));
		my $pages = length($all) / $size; my $leaf = substr($all, ($root - 1) * $size, $size);
		for my $level (1 .. 15) {
			my ($child, $cells, $at) = ($pages + $level + 1, "", $size);
			my $page = "\0" x $size;
			for my $i (0 .. 29) { $at -= 5; substr($page, $at, 5) = pack("NC", $child, $i); $cells .= pack("n", $at) }
			substr($page, 0, 12) = pack("CnnnCN", 5, 0, 30, $at, 0, $child);
			substr($page, 12, length $cells) = $cells;
			if ($level == 1) { substr($all, ($root - 1) * $size, $size) = $page }
			$all .= $page;
		}
		$all .= $leaf; substr($all, 28, 4) = pack("N", length($all) / $size);
		seek(F, 0, 0); print F $all' bomb.db "$root"
	status 2 "info refuses a tree that refers to the same pages repeatedly" timeout 60 bench-store -D bomb.db info
	like "$(message)" 'bomb.db: reading takes far longer than a file of its size requires' "the message says why the statement was interrupted"
	one_line "an interrupted statement"
fi

# --- long statements of the user

bench-store -D sound.db sql "$endless n FROM e WHERE n < 0" 2>err &
long=$!
wait_for grep -q bench-store "/proc/$long/comm"
kill -TERM $long
wait $long 2>/dev/null
is "$?" 143 "a statement of the user runs until a signal ends it"
done_testing
