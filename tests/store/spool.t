#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows that bench-store cannot add yet wait in a folder of the user's own. What other users leave
# beside the database under such names is neither waited for nor taken in.
. "${0%/*}/../lib/tap.sh"

db=$T/test.db
fresh() { rm -rf "$db" "$db"-*; }
. "$ROOT/tests/lib/store.sh"
me=$(id -u)
own=$db-spool.$me
mkfifo in out.fifo
# lock [STATEMENT], unlock: another program holds the lock
lock() {
	sqlite3 "$db" <in >out.fifo &
	locker=$!
	exec 3<>in 4<>out.fifo
	printf '%s;\n.shell echo locked\n' "${1:-BEGIN IMMEDIATE}" >&3
	read -r _ <&4
}
unlock() {
	exec 3>&- 4<&-
	wait "$locker"
}
# other RUN: the rows of plain.csv in runs of another name
other() { sed "s/^r\([0-9]\)/$1\1/" plain.csv; }
# add FILE...: adds, and fails when that takes long
add() { timeout 20 bench-store -D "$db" --wait 0 add "$@"; }

# --- what stands beside the database under the name of a file of rows

fresh
store -q add plain.csv
other s >s.csv
bench-store -q -D waits.db add s.csv
mkfifo "$db-spool-1.db"
status 0 "add does not wait for a named pipe that is named like a file of rows" add plain.csv
like "$(message)" "test.db-spool-1.db: passed over: a named pipe" "and says that it passes it over"
is "$(grep -c 'passed over' "$T/.err")" 1 "in one line"
rm "$db-spool-1.db"
# passed WHAT PATTERN: the file of rows beside the database is not taken in
passed() {
	status 0 "add goes on beside $1" add plain.csv
	like "$(message)" "test.db-spool-1.db: passed over: $2" "and says that it passes over $1"
	is "$(rows)" 6 "no row of $1 is added"
	ok "$1 is left where it is" ls -d "$db-spool-1.db"
	rm -rf "$db-spool-1.db"
}
ln -s "$T/waits.db" "$db-spool-1.db"
passed "a symbolic link" "a symbolic link"
ln waits.db "$db-spool-1.db"
passed "a hard link" "a file with a second name"
mkdir "$db-spool-1.db"
passed "a folder" "a folder"
cp waits.db "$db-spool-1.db"
chmod 666 "$db-spool-1.db"
passed "a file that others may write to" "a file that others may write to"
if skip_unless root "a file of another user beside the database"; then
	cp waits.db "$db-spool-1.db"
	chown 65534 "$db-spool-1.db"
	passed "a file of another user" "a file of another user"
	mknod "$db-spool-1.db" c 1 5
	passed "a device" "a device"
fi
for i in 1 2 3 4 5; do
	mkfifo "$db-spool-$i.db"
done
status 0 "add passes over many pipes" add plain.csv
is "$(grep -c 'passed over' "$T/.err")$(sed -n 's/.*: \([0-9]* more\).*/ \1/p' "$T/.err")" '4 2 more' "and says so in few lines"
rm "$db"-spool-?.db

# A file that an older version left is taken in, and what stands beside it is not read.
cp waits.db planted.db
sqlite3 planted.db "PRAGMA wal_autocheckpoint = 0" "UPDATE benchmark_runs SET run = 'forged' WHERE run = 's1'" \
	".shell cp planted.db-wal '$db-spool-1.db-wal'" >"$T/.out"
cp waits.db "$db-spool-1.db"
status 0 "a file of one's own that an older version left is taken in" add plain.csv
like "$(message)" 'took in 1 file that waited, 6 rows' "and counted"
is "$(store list | grep -c -e '^s[12],') $(store list | grep -c forged)" '2 0' "without a log that somebody put beside it"
is "$(find . -name 'test.db-spool*')" '' "and nothing is left of it"
fresh
store -q add plain.csv
awk '/^-- version 2/ { exit } { print }' "$BUILD/share/benchutils/store/schema.sql" |
	{ cat && echo 'PRAGMA user_version = 1; PRAGMA application_id = 0x626e6368;
		INSERT INTO hardware_info VALUES ("e1", "cpu_model", "old");'; } | sqlite3 "$db-spool-1.db"
status 0 "one of an older version of the schema is taken in, too" add plain.csv
is "$(store export --facts | grep -c old)" 1 "with what it holds"

# --- the folder

fresh
store -q add plain.csv
lock
status 0 "rows are kept while the database is locked" add s.csv
is "$(find "$own" -name '*.db' -links 1 | wc -l) $(stat -c %a "$own")" '1 700' "in a folder that only their user may read"
is "$(stat -c %a "$own"/*.db)" 600 "as a file that only they may read"
is "$(store info | grep -e waiting -e refused)" "$(printf 'waiting,1\nrefused,0')" "info counts it"
unlock
status 0 "the next add takes them in" add plain.csv
is "$(rows) $(find . -name 'test.db-spool*')" '12 ' "and removes the folder"

mkdir elsewhere
ln -s elsewhere "$own"
lock
status 2 "rows are not kept in a folder that a link names" add s.csv
like "$(message)" "locked by another.*nor can the rows be kept for later: .*-spool.$me: is not a folder" "and the message says so"
one_line "a link in place of the folder"
rm "$own"
mkdir "$own"
chmod 777 "$own"
status 2 "nor in one that others may write to" add s.csv
like "$(message)" "spool.$me: can be written by others" "and the message says so of it"
rmdir "$own"
if skip_unless root "a folder of another user in place of one's own"; then
	mkdir "$own"
	chown 65534 "$own"
	status 2 "nor in one of another user" add s.csv
	like "$(message)" "spool.$me: belongs to another user" "and the message says so of its owner"
	cp waits.db "$own/x.db"
	chown 0 "$own/x.db"
fi
unlock
if [ -d "$own" ]; then
	status 0 "nothing is taken from a folder of another user" add plain.csv
	like "$(message)" "spool.$me: belongs to another user: passed over" "and add says so"
	is "$(rows)" 12 "its rows are not added"
	rm -r "$own"
fi
is "$(ls elsewhere)" '' "nothing was written where the link led"

# Sixteen who add without waiting, and the folder comes and goes.
fresh
store -q add plain.csv
for writer in $(seq 16); do
	measured "w$writer" 2026-01-01T00:00:00Z b "$writer" >"in-$writer"
	(
		bench-store -q -D "$db" --wait 0 add "in-$writer" 2>>errors && bench-store -q -D "$db" --wait 0 add s.csv 2>>errors
	) &
done
wait
store -q add plain.csv
is "$(cat errors)$(store list | grep -c '^w')" 16 "writers that do not wait lose nothing while the folder is made and removed"
is "$(find . -name 'test.db-spool*')" '' "and at last it is gone"

# --- two users

if skip_unless another-user "another user" && skip_unless root "another user"; then
	chmod 777 "$T"
	as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
	fresh
	store -q add plain.csv
	chmod 666 "$db"
	lock
	other u >u.csv
	status 0 "another user's rows are kept, too" as_user bench-store -D "$db" --wait 0 add u.csv
	unlock
	status 0 "root adds beside them" add s.csv
	is "$(rows) $(find "$db-spool.65534" -name '*.db' | wc -l)" '12 1' "and leaves them alone"
	is "$(store info | grep -e waiting -e other)" "$(printf 'waiting,0\nspool_of_other_user,%s-spool.65534' "$db")" "info names their folder"
	status 0 "that user adds something" as_user bench-store -D "$db" add plain.csv
	is "$(rows) $(find . -name 'test.db-spool*')" '18 ' "which takes them in"
fi
done_testing
