#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store reports the columns that it does not store.
. "${0%/*}/../lib/tap.sh"

bench-convert "$ROOT/tests/fixtures/data/convert/gbench-names.json" >in.csv
bench-store -D s.db add in.csv 2>err
is "$(grep '^bench-store: not stored' err)" 'bench-store: not stored: x_name, x_message; a database has no columns whose names begin with x_, but bench-convert keeps them in CSV' \
	"bench-store reports the names of columns that it does not store"
is "$(bench-store -q -D quiet.db add in.csv 2>&1)" '' "bench-store -q does not report columns that it does not store"
printf 'bench,x_a,x_b,x_c,x_d,x_e,metric,value\na,1,2,3,4,5,wall,6\n' >many.csv
is "$(bench-store -D s.db add many.csv 2>&1 | sed -n 's/;.*//; s/.*not/not/p')" 'not stored: x_a, x_b, x_c, x_d and 1 more' \
	"bench-store reports the number of further columns that it does not store"
printf 'bench,metric,value\na,wall,7\n' >none.csv
is "$(bench-store -D s.db add none.csv 2>&1 | grep -c 'not stored')" 0 "bench-store reports no columns if it stores all"
done_testing
