#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Upgrades of files of an older version of bench-store, which keep all their values.
. "${0%/*}/../lib/tap.sh"

db=$T/old.db
fresh() { rm -f "$db" "$db"-*; }
database() { echo "$T/$1.db"; }
. "$ROOT/tests/lib/store.sh"

# Runs a statement with SQLite's own client, for upgrade.sh.
raw() { sqlite3 -readonly "$db" ".mode quote" "$1"; }
records=$ROOT/tests/fixtures/databases
shares_version2=$T/share
mkdir -p share/store
sed '/^-- version 3/,$d' "$ROOT/share/store/schema.sql" >share/store/schema.sql
cp "$records/version2.db" "$db"
status 0 "a database of version 2 is backed up before it is upgraded" store backup copy.db
is "$(sqlite3 copy.db "PRAGMA user_version; PRAGMA integrity_check" .dump | cksum)" \
	"$(sqlite3 "$db" "PRAGMA user_version; PRAGMA integrity_check" .dump | cksum)" "the copy of a database of version 2 is identical, and of version 2"
ok "backup does not change a database of version 2" cmp "$records/version2.db" "$db"
cp copy.db bad.db
sqlite3 bad.db 'DROP VIEW benchmark_history; CREATE VIEW benchmark_history AS SELECT 1'
status 2 "backup refuses a database of version 2 with changed views" bench-store -D bad.db backup other.db
like "$(message)" "'benchmark_history' is not as bench-store creates it" "the message of backup names the changed view"
: >empty.db
status 2 "backup refuses an empty file" bench-store -D empty.db backup other.db
. "$ROOT/tests/store/upgrade.sh"

cp "$records/version2.db" old.db
chmod 444 old.db
if skip_unless another-user "a user who may only read an old database gets an error"; then
	chmod 755 "$T"
	status 2 "a user who may only read an old database gets an error" \
		setpriv --reuid 65534 --regid 65534 --clear-groups bench-store -D "$T/old.db" list
	like "$(message)" 'older version .schema 2 of 3.; bench-store add upgrades it' "the message to a user who may only read an old database says how to upgrade it"
fi
done_testing
