#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert gives values that are missing in another program's file a status.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# missing FILE: the rows without a value
missing() {
	bench-convert "$1" | columns metric,value,status | grep ',,'
}

sed 's/"times": \[[^,]*,[^,]*/"times": [NaN, null/; t
	s/^ *"times": \[$/&\nNaN, null,/' "$data/hyperfine.json" >hyperfine.json
is "$(missing hyperfine.json | head -2)" 'wall,,skipped
wall,,skipped' 'bench-convert gives missing times of hyperfine the status skipped'
sed 's/"real_time": [^,]*/"real_time": NaN/' "$data/gbench.json" >gbench.json
is "$(bench-convert gbench.json | columns metric,value,status | grep '^wall,' | sort | uniq -c | tr -s ' ')" \
	"$(bench-convert "$data/gbench.json" | columns metric,value,status | awk -F, '
		/^wall,/ { sub(/,.*,/, ",,"); sub(/ok$/, "skipped"); print }' | sort | uniq -c | tr -s ' ')" \
	'bench-convert keeps a benchmark of Google Benchmark whose time is NaN'
printf 'metric,value\nwall,\nwall,1\n' >ours.csv
is "$(bench-convert ours.csv)" "$(cat <<'.'
metric,unit,value
wall,,
wall,,1
.
)" 'bench-convert does not change a missing value in a stream of benchutils'
done_testing
