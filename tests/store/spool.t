#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows that bench-store cannot add yet are spooled to a directory of their user. Files that other users
# put next to the database under such names neither block bench-store nor are added.
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
# other RUN: the rows of plain.csv with other names of runs
other() { sed "s/^r\([0-9]\)/$1\1/" plain.csv; }
# add FILE...: adds files, and fails if that takes long
add() { timeout 20 bench-store -D "$db" --wait 0 add "$@"; }

# --- other files next to the database with the name of a spooled file

fresh
store -q add plain.csv
other s >s.csv
bench-store -q -D waits.db add s.csv
mkfifo "$db-spool-1.db"
status 0 "add does not wait for a named pipe with the name of a spooled file" add plain.csv
like "$(message)" "test.db-spool-1.db: skipped: a named pipe" "add reports that it skips the pipe"
is "$(grep -c 'skipped' "$T/.err")" 1 "add reports the skipped pipe in one line"
rm "$db-spool-1.db"
# passed WHAT PATTERN: a file with the name of a spooled file is skipped
passed() {
	status 0 "add succeeds next to $1" add plain.csv
	like "$(message)" "test.db-spool-1.db: skipped: $2" "add reports that it skips $1"
	is "$(rows)" 6 "no row of $1 is added"
	ok "$1 is not removed" ls -d "$db-spool-1.db"
	rm -rf "$db-spool-1.db"
}
ln -s "$T/waits.db" "$db-spool-1.db"
passed "a symbolic link" "a symbolic link"
ln waits.db "$db-spool-1.db"
passed "a hard link" "a file with another hard link"
mkdir "$db-spool-1.db"
passed "a directory" "a directory"
cp waits.db "$db-spool-1.db"
chmod 666 "$db-spool-1.db"
passed "a file that others may write to" "a file that others may write to"
if skip_unless root "add succeeds next to a file of another user"; then
	cp waits.db "$db-spool-1.db"
	chown 65534 "$db-spool-1.db"
	passed "a file of another user" "a file of another user"
	mknod "$db-spool-1.db" c 1 5
	passed "a device" "a device"
fi
for i in 1 2 3 4 5; do
	mkfifo "$db-spool-$i.db"
done
status 0 "add skips many pipes" add plain.csv
is "$(grep -c 'skipped' "$T/.err")$(sed -n 's/.*: \([0-9]* more\).*/ \1/p' "$T/.err")" '4 2 more' "add reports many skipped pipes in few lines"
rm "$db"-spool-?.db

# A file that an older version left is added, and the files next to it are not read.
cp waits.db planted.db
sqlite3 planted.db "PRAGMA wal_autocheckpoint = 0" "UPDATE benchmark_runs SET run = 'forged' WHERE run = 's1'" \
	".shell cp planted.db-wal '$db-spool-1.db-wal'" >"$T/.out"
cp waits.db "$db-spool-1.db"
status 0 "a spooled file of an older version that belongs to the user is added" add plain.csv
like "$(message)" 'added 1 spooled file with 6 rows' "the spooled file of an older version is counted"
is "$(store list | grep -c -e '^s[12],') $(store list | grep -c forged)" '2 0' "a log that another user put next to a spooled file is not read"
is "$(find . -name 'test.db-spool*')" '' "the spooled file is removed after it is added"
fresh
store -q add plain.csv
awk '/^-- version 2/ { exit } { print }' "$BUILD/share/benchutils/store/schema.sql" |
	{ cat && echo 'PRAGMA user_version = 1; PRAGMA application_id = 0x626e6368;
		INSERT INTO hardware_info VALUES ("e1", "cpu_model", "old");'; } | sqlite3 "$db-spool-1.db"
status 0 "a spooled file with an older schema is added" add plain.csv
is "$(store export --facts | grep -c old)" 1 "the facts of a spooled file with an older schema are added"

# --- the directory

fresh
store -q add plain.csv
lock
status 0 "rows are spooled while the database is locked" add s.csv
is "$(find "$own" -name '*.db' -links 1 | wc -l) $(stat -c %a "$own")" '1 700' "rows are spooled to a directory that only their user may read"
is "$(stat -c %a "$own"/*.db)" 600 "rows are spooled to a file that only their user may read"
is "$(store info | grep -e waiting -e refused)" "$(printf 'waiting,1\nrefused,0')" "info counts the spooled files"
unlock
status 0 "the next add adds the spooled rows" add plain.csv
is "$(rows) $(find . -name 'test.db-spool*')" '12 ' "the spool directory is removed when it is empty"

{ measured torn 2026-03-02T10:00:00Z gzip 1 && echo 'torn,2026-03-02T10:00:00Z,h,e1,c0ffee,,,,,,,,rows,1,5,ok,'; } >torn.csv
lock
status 0 "an incomplete run is spooled while the database is locked" add torn.csv
unlock
status 0 "the spooled incomplete run is added" store -q add plain.csv
is "$(message)" 'bench-store: run torn is incomplete: it has 3 of 5 rows' "add warns of an incomplete run that had been spooled"
store -q prune --where "run = 'torn'"

mkdir elsewhere
ln -s elsewhere "$own"
lock
status 2 "rows are not spooled to a directory that a link names" add s.csv
like "$(message)" "locked by another.*the rows cannot be spooled either: .*-spool.$me: is not a directory" "the message says that a link is in place of the spool directory"
one_line "a link in place of the directory"
rm "$own"
mkdir "$own"
chmod 777 "$own"
status 2 "rows are not spooled to a directory that others may write to" add s.csv
like "$(message)" "spool.$me: can be written by others" "the message says that others may write to the directory"
rmdir "$own"
if skip_unless root "rows are not spooled to a directory of another user"; then
	mkdir "$own"
	chown 65534 "$own"
	status 2 "rows are not spooled to a directory of another user" add s.csv
	like "$(message)" "spool.$me: belongs to another user" "the message says that the directory belongs to another user"
	cp waits.db "$own/x.db"
	chown 0 "$own/x.db"
fi
unlock
if [ -d "$own" ]; then
	status 0 "add succeeds with a spool directory of another user" add plain.csv
	like "$(message)" "spool.$me: belongs to another user: skipped" "add reports that it skips a spool directory of another user"
	is "$(rows)" 12 "rows in a spool directory of another user are not added"
	rm -r "$own"
fi
is "$(ls elsewhere)" '' "nothing is written to the directory that the link names"

# Sixteen writers that do not wait, while the directory is created and removed.
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
is "$(cat errors)$(store list | grep -c '^w')" 16 "concurrent writers lose no row while the spool directory is created and removed"
is "$(find . -name 'test.db-spool*')" '' "the spool directory is removed by the last add"

# --- a database that is being created

fresh
: >"$db"
lock 'BEGIN EXCLUSIVE'
status 0 "rows are spooled while another program creates the database" add s.csv
like "$(message)" 'locked by another program.*; the rows are spooled in ' "the message says where the rows of a new database are spooled"
one_line "a database that is being created"
unlock
status 0 "the next add adds the spooled rows after the database was created" add plain.csv
is "$(rows) $(find . -name 'test.db-spool*')" '12 ' "all spooled rows are in the new database"
rm -rf "$db"*
status 2 "add fails if the directory of the database does not exist" add -D none/test.db plain.csv
ok "add does not create the directory of the database" [ ! -e none ]

# --- two users

if skip_unless another-user "rows of another user are also spooled" && skip_unless root "rows of another user are also spooled"; then
	chmod 777 "$T"
	as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
	fresh
	store -q add plain.csv
	chmod 666 "$db"
	lock
	other u >u.csv
	status 0 "rows of another user are also spooled" as_user bench-store -D "$db" --wait 0 add u.csv
	unlock
	status 0 "root adds rows while rows of another user are spooled" add s.csv
	is "$(rows) $(find "$db-spool.65534" -name '*.db' | wc -l)" '12 1' "root does not add spooled rows of another user"
	is "$(store info | grep -e waiting -e other)" "$(printf 'waiting,0\nspool_of_other_user,%s-spool.65534' "$db")" "info names the directory of another user"
	status 0 "the user of the spooled rows adds other rows" as_user bench-store -D "$db" add plain.csv
	is "$(rows) $(find . -name 'test.db-spool*')" '18 ' "each user adds their own spooled rows"

	# The database of user 65533 in a directory in which everybody may create files.
	as_owner() { setpriv --reuid 65533 --regid 65533 --clear-groups "$@"; }
	mkdir shared
	chmod 777 shared
	sdb=$T/shared/s.db
	awk -v n=30000 -f "$ROOT/tests/perf/rows.awk" >many.csv
	as_owner bench-store -q -D "$sdb" add plain.csv many.csv
	status 0 "a user who may only read lists runs" as_user bench-store -D "$sdb" list
	is "$(ls shared)" s.db "a user who may only read leaves no files"
	as_user bench-store -D "$sdb" export >out.fifo 2>err &
	reader=$!
	exec 4<out.fifo
	head -c 1000 <&4 >"$T/.out"
	status 0 "the owner adds while that user reads" as_owner bench-store -D "$sdb" add s.csv
	cat <&4 >"$T/.out"
	exec 4<&-
	wait "$reader"
	is "$?" 2 "a reader fails if the database changes while it reads"
	like "$(cat err)" 's.db: was changed while it was read; try again' "the reader says that the database was changed meanwhile"

	rm -f shared/*
	as_owner bench-store -q -D "$sdb" add plain.csv
	as_user sqlite3 "$sdb" 'SELECT count(*) FROM benchmark_runs' >"$T/.out"
	is "$(stat -c '%u %n' shared/s.db-* | sed 's/ .*-/ /')" "$(printf '65534 shm\n65534 wal')" "another program that reads leaves files of its user"
	status 0 "add removes empty files of another user if permitted" as_owner bench-store -D "$sdb" add s.csv
	is "$(ls shared)" s.db "no file of the other user remains after add"
	chmod 1777 shared
	as_user sqlite3 "$sdb" 'SELECT count(*) FROM benchmark_runs' >"$T/.out"
	sed 's/^r\([0-9]\)/v\1/' plain.csv >v.csv
	status 0 "add spools rows if it may not remove files of another user" as_owner bench-store -q -D "$sdb" add v.csv
	like "$(message)" "s.db: cannot be written: .*s.db-wal and .*s.db-shm belong to user 65534: .* has to remove them; the rows are spooled in .*s.db-spool.65533/" \
		"the message says, even with -q, which files must be removed and where the rows are"
	one_line "files of another user that prevent writing"
	status 2 "tag fails if it may not remove files of another user" as_owner bench-store -D "$sdb" tag x
	like "$(message)" 'has to remove them' "the message of tag says which files must be removed"
	rm shared/s.db-wal shared/s.db-shm
	status 0 "add succeeds after the files of another user are removed" as_owner bench-store -D "$sdb" add plain.csv
	is "$(bench-store -D "$sdb" list | grep -c '^[rsv][12],')$(ls shared)" 6s.db "all spooled rows are added after the files of another user are removed"

	cp "$sdb" forged.db
	sqlite3 forged.db "PRAGMA wal_autocheckpoint = 0" "UPDATE benchmark_runs SET run = 'forged' WHERE run = 'r1'" \
		".shell cp forged.db-wal shared/s.db-wal" >"$T/.out"
	chown 65534 shared/s.db-wal
	sed '2,$s/^r/w/' plain.csv >w.csv
	status 2 "list refuses a database with a log of another user" as_owner bench-store -D "$sdb" list
	like "$(message)" 's.db-wal: belongs to user 65534, who may not write to the database' "the message of list names the log of another user"
	status 0 "add spools its rows if there is a log of another user" as_owner bench-store -D "$sdb" add w.csv
	like "$(message)" 's.db-wal: belongs to user 65534.* spooled in ' "the message of add names the log and the spooled file"
	rm shared/s.db-wal
	status 0 "add succeeds after the log of another user was removed" as_owner bench-store -q -D "$sdb" add plain.csv
	is "$(as_owner bench-store -D "$sdb" list | grep -c '^w[12],')" 2 "rows that were spooled because of a log are added"
	ok "a database is sound after the log of another user was removed" as_owner bench-store -D "$sdb" check
fi
done_testing
