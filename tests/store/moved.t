#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A database file that is removed or replaced while bench-store uses it: no row that was reported as added
# is lost.
. "${0%/*}/../lib/tap.sh"

printf 'run,bench,sample,metric,value\nr,b,0,wall,1\n' >one.csv
sed 's/^r,/s,/' one.csv >two.csv
runs() { bench-store -q -D t.db list | sed 1d | cut -d, -f1 | paste -sd ' ' -; }

# slowly FILE: starts an addition that waits for its input, and waits until it has opened the database
slowly() {
	mkfifo input
	bench-store -D t.db add <input >out 2>err &
	add=$!
	exec 9>input
	cat "$1" >&9
	wait_for has_opened
}
# shellcheck disable=SC2010 # names of the links are not read
has_opened() { ls -l /proc/$add/fd | grep -q 't.db$'; }
# ends: ends the input of the addition, whose status is returned
ends() {
	exec 9>&-
	rm input
	wait $add
}

bench-store -q -D t.db add one.csv
slowly two.csv
rm t.db
ends
is $? 0 'add succeeds although the database was removed while it read its input'
is "$(runs)" s 'add makes a new database if it was removed while the input was read'

rm -f t.db*
bench-store -q -D t.db add one.csv
sed 's/^r,/u,/' one.csv | bench-store -q -D u.db add
slowly two.csv
mv u.db t.db
ends
is $? 0 'add succeeds although the database was replaced while it read its input'
is "$(runs)" 'u s' 'add adds to the database that replaced another one'
status 0 'a database that replaced another one is sound' bench-store -D t.db check

rm -f t.db*
bench-store -q -D t.db add one.csv
slowly two.csv
truncate -s 0 t.db-shm
ends
is "$? $(sed 's|: /.*/t|: t|' err)" '2 bench-store: t.db-shm: another program shortened the file while it was in use' \
	'add reports that the shared memory of the database was shortened'
is "$(runs) $(bench-store -D t.db check 2>&1)" 'r bench-store: checked 1 row in 1 run: 0 findings' \
	'a database whose shared memory was shortened is sound'

# Another program holds a lock while the file is removed, so the addition begins on the old file.
if skip_unless sqlite3 'add spools rows if the database is removed while they are added'; then
	rm -rf t.db*
	bench-store -q -D t.db add one.csv
	mkfifo hold
	sqlite3 t.db <hold >held &
	holder=$!
	exec 8>hold
	echo "BEGIN IMMEDIATE; SELECT 'locked';" >&8
	wait_for grep -q locked held
	bench-store -D t.db add two.csv 2>err 8>&- &
	add=$!
	sleep 0.5
	rm t.db
	exec 8>&-
	wait $holder $add
	is $? 0 'add succeeds although the database was removed while it waited for a lock'
	like "$(cat err)" '^bench-store: t.db: was removed or replaced meanwhile, .*; the rows are spooled in ' \
		'add reports that the database was removed while it waited for a lock'
	sed 's/^r,/v,/' one.csv | bench-store -q -D t.db add
	is "$(runs)" 's v' 'the next addition adds rows that were spooled because the database was removed'
fi
done_testing
