#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The JSON that bench-run writes, and the directory that bench-run -d creates.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# run ARG...: bench-run without counters, warm-ups and messages
run() { timeout 60 bench-run -q -e none -w 0 "$@"; }

# same_rows DESCRIPTION FILE FILE: both contain the same rows
same_rows() {
	bench-convert "$2" >"$T/.one" 2>"$T/.err" && bench-convert "$3" >"$T/.two" 2>>"$T/.err" &&
		cmp "$T/.one" "$T/.two" >>"$T/.err" 2>&1
	result $? "$1"
	sed 's/^/# /' "$T/.err"
}

gcc -shared -fPIC -pthread -I "$ROOT/include" -o good.so "$ROOT/tests/fixtures/functions/good.c"

run -r 2 --label "odd \"name\"=é\\" -P n=1,2 -d commands --json -c 'test {n} -gt 0' -c 'test {n} -gt 1' >commands.json
is $? 1 'a run with --json and failures ends with status 1'
like "$(ls commands)" '^[0-9]{8}T[0-9]{6}\.[0-9]{3}Z$' 'the name of the directory of -d is a time without colons'
same_rows 'bench-convert reads what bench-run --json writes' commands.json commands/*/samples.csv
same_rows 'bench-convert reads results.json' commands/*/results.json commands/*/samples.csv
bench-convert commands.json >back.csv
is "$(bench-stat -s n,failed,median back.csv)" "$(bench-stat -s n,failed,median commands/*/samples.csv)" \
	'bench-stat prints the same summary for JSON as for CSV'
run -r 2 --interval 2ms --json -d series -- sleep 0.02 >series.json
same_rows 'a time series survives conversion to JSON and back' series.json series/*/samples.csv
run -r 2 -J 2 --processes 2 --json -d functions -f good.so:plain >functions.json
same_rows 'samples of functions and workers survive conversion to JSON and back' functions.json functions/*/samples.csv
same_rows 'samples of functions and workers can be read from results.json' functions/*/results.json functions/*/samples.csv
cat commands.json series.json functions.json >all.json
is "$(grep -cE '"(process|sample|t|iterations|value|running_pct)": "' all.json)" 0 'no number of a sample is a text in JSON'
for member in process sample t iterations value; do
	like "$(cat all.json)" "^  \"$member\": -?[0-9]" "$member is a number in JSON"
done
like "$(cat commands/*/results.json)" '^ "run": "[0-9a-f-]{36}",$' 'results.json contains the identifier of its run'
is "$(sed -n 's/^ "\(run\|host\|env\)": "\(.*\)",$/\1=\2/p' commands/*/results.json)" \
	"$(bench-convert commands/*/samples.csv | columns run,host,env | sed '1d' | sort -u |
		awk -F, '{ print "run=" $1; print "host=" $2; print "env=" $3 }')" 'results.json contains the provenance of its samples'

# All programs write numbers as numbers in JSON.
bench-stat --json commands/*/samples.csv >stat.json
like "$(cat stat.json)" '^  "n": 2,$' 'bench-stat --json writes counts as numbers'
run -r 6 -- true >old.csv
run -r 6 -- true >new.csv
bench-compare --json --allow-missing old.csv new.csv >compare.json
like "$(cat compare.json)" '^  "n_old": 6,$' 'bench-compare --json writes counts as numbers'
is "$(grep -hE '"(n|failed|mean|sd|min|max|median|n_old|n_new|old|new|ratio|p|p_adj)": "' stat.json compare.json)" '' \
	'no statistic is a text in JSON'
printf 'run,bench,sample,iterations,metric,unit,value\nr,a,9007199254740993,9223372036854775807,m,1,0.1\n' >big.csv
bench-store -q -D big.db add big.csv
bench-store -D big.db export --json >big.json
is "$(sed -n 's/^  "\(sample\|iterations\|value\)": \(.*\),$/\1=\2/p' big.json | tr '\n' ' ')" \
	'sample=9007199254740993 iterations=9223372036854775807 value=0.1 ' 'bench-store export --json keeps all digits'
like "$(bench-store -D big.db sql --json 'SELECT 9223372036854775807 AS n')" '"n": 9223372036854775807$' \
	'bench-store sql --json keeps all digits'

if skip_unless jsonschema 'results.json matches the manual'; then
	for dir in commands series functions; do
		ok "results.json of $dir matches the manual" python3 -c '
import json, jsonschema, sys
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
			"$(echo $dir/*/results.json)" "$ROOT/share/json-schema/results.json"
	done
fi

# Runs that begin together
for _ in 1 2 3 4 5 6; do
	bench-run -q -e none -w 0 -r 1 -d together -- true >/dev/null &
done
wait
is "$(find together -mindepth 1 -maxdepth 1 | wc -l)" 6 'six runs that begin together create six directories'

# Runs that end early
has_samples() { grep -q ,wall, "$1"/*/samples.csv; }
bench-run -q -e none -r 100000 -d stopped -- sleep 0.01 >/dev/null &
stopped=$!
wait_for has_samples stopped
kill -TERM $stopped
wait $stopped
same_rows 'an interrupted run has complete results' stopped/*/results.json stopped/*/samples.csv
bench-run -q -e none -r 100000 -d killed -- sleep 0.01 >/dev/null &
killed=$!
wait_for has_samples killed
kill -KILL $killed
wait $killed 2>/dev/null
is "$(cd killed/* && echo *)" samples.csv 'a killed run leaves no results.json'

# The other files
facts() { sed -n '/"facts"/,/^ }/ s/^  "\([a-z0-9_]*\)": .*/\1/p' "$1"; }
is "$(sed 1d commands/*/env.csv | cut -d, -f2)" "$(facts commands/*/results.json)" 'env.csv has all facts of results.json'
status 2 'bench-run -d fails if a file is in the way' bench-run -q -e none -w 0 -r 1 -d way --conclude 'cd way/* && mkdir summary.csv' -- true
is "$(sed 's/[0-9]*T[0-9.]*Z/TIME/' .err)" 'bench-run: way/TIME/summary.csv: File exists' 'bench-run -d names the file that is in the way'
done_testing
