#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the results of the Phoronix Test Suite.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
is "$(bench-convert "$data/phoronix.json" | columns kind,bench,options,version,system,sample,metric,unit,value,status | sed -n '1,3p;31p')" \
	'command,local/spin-1.0.0,Level: 1,1.0,first,0,score,B/s,762200000,ok
command,local/spin-1.0.0,Level: 1,1.0,first,1,score,B/s,77730000,ok
command,local/spin-1.0.0,Level: 1,1.0,first,2,score,B/s,771900000,ok
command,local/fail-1.0.0,,1.0,first,,wall,ns,,failed' 'bench-convert reads all runs of the Phoronix Test Suite, and a test without a result as failed'
jq '.results[].results.first | select(.value) | .value * 1e6 | round' "$data/phoronix.json" >theirs
bench-convert -M score "$data/phoronix.json" | bench-stat --csv | columns mean | jq '. / 1e4 | round | . * 1e4' >ours
is "$(cat ours)" "$(cat theirs)" 'the mean of the runs is the value of the Phoronix Test Suite'
jq 'del(.results[].results.first.raw_values) | .results |= with_entries(.value.scale = "Requests Per Second")' \
	"$data/phoronix.json" >mean.json
is "$(bench-convert mean.json | columns options,sample,metric,unit,value,status)" 'Level: 1,,score,1/s,520.45,ok
Level: 9,,score,1/s,210.32,ok
,,wall,ns,,failed' 'bench-convert reads the value of a result without its runs'
jq '.results |= (to_entries | .[:1] | .[0].value |= (.scale = "Seconds" | .proportion = "LIB" |
	.results.first.raw_values |= .[:2]) | from_entries)' "$data/phoronix.json" >seconds.json
is "$(bench-convert seconds.json | columns sample,metric,unit,value)" '0,wall,ns,762200000000
1,wall,ns,77730000000' 'bench-convert reads a time of the Phoronix Test Suite as wall'
jq '.results |= (to_entries | .[:1] | .[0].value |= (.scale = "Points" | .results.first.raw_values |= .[:5]) | from_entries)' \
	"$data/phoronix.json" >points.json
jq '.results[].results.first.raw_values |= map(. / 10)' points.json >worse.json
bench-convert points.json -o a.csv && bench-convert worse.json -o b.csv
is "$(bench-compare --csv a.csv b.csv 2>/dev/null | columns metric,verdict)" score,worse 'bench-compare judges a unit of the Phoronix Test Suite by its direction'

done_testing
