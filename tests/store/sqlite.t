#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store on a database file: verbs, end marks, facts and annotations.
. "${0%/*}/../lib/tap.sh"

db=$T/test.db
fresh() { rm -f "$db" "$db"-*; }
database() { echo "$T/$1.db"; }
. "$ROOT/tests/lib/store.sh"
. "$ROOT/tests/store/verbs.sh"
. "$ROOT/tests/store/about_runs.sh"
done_testing
