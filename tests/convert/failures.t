#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Failed samples keep their place in the formats that have one, with their reasons.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

# hyperfine: exit_codes
bench-convert -t hyperfine "$data/hyperfine-failures.json" >h.json 2>err
is "$(cat err)" '' 'bench-convert writes all failures of a file of hyperfine, so it reports none as omitted'
is "$(bench-convert h.json)" "$(bench-convert "$data/hyperfine-failures.json")" \
	'bench-convert reads each failed execution of hyperfine back, with its time and exit code'
if skip_unless jq 'bench-convert writes the exit codes of hyperfine next to the times'; then
	fields='[.results[] | [.command, .exit_codes, [(.mean, .user, .min, .max) * 1e12 | round], (.times | length)]]'
	is "$(jq -c "$fields" h.json)" "$(jq -c "$fields" "$data/hyperfine-failures.json")" \
		'bench-convert writes exit codes of hyperfine, and statistics that include failures, as hyperfine does'
fi
echo '{"results": [{"command": "a", "mean": 0.5, "min": 0.4, "exit_codes": [0, 3]}]}' >means.json
is "$(bench-convert means.json | columns metric,value,status)" 'wall,500000000,failed:exit=3
wall_min,400000000,failed:exit=3' 'a mean of hyperfine that includes a failed execution has its status, also without the times'
cat >ends.csv <<'.'
bench,sample,metric,unit,value,status
a,0,wall,ns,1000,ok
a,0,max_rss,B,10,ok
a,1,wall,ns,2000,failed:exit=3
a,1,max_rss,B,11,failed:exit=3
a,2,wall,ns,3000,failed:signal=SIGSEGV
a,2,max_rss,B,12,failed:signal=SIGSEGV
a,3,wall,ns,4000,failed:signal=35
a,3,max_rss,B,13,failed:signal=35
a,4,wall,ns,5000,timeout
a,4,max_rss,B,14,timeout
a,5,wall,ns,,failed:exit=127
b,0,wall,ns,,skipped
.
bench-convert -t hyperfine ends.csv >ends.json 2>err
is "$(tr -d ' \n' <ends.json | grep -o '"times".*')" \
	'"times":[1e-06,2e-06,3e-06,4e-06,5e-06],"memory_usage_byte":[10,11,12,13,14],"exit_codes":[0,3,139,163,null]}]}' \
	'bench-convert writes a signal as 128 and its number, and a timeout as null, into exit_codes of hyperfine'
is "$(cat err)" 'bench-convert: failures without a time are omitted: 2; hyperfine has no place for them' \
	'bench-convert reports failures that have no time, because hyperfine has no place for them'
printf 'bench,metric,value,status\nb,wall,,skipped\n' >none.csv
status 2 'bench-convert rejects failures without any time for hyperfine' bench-convert -t hyperfine none.csv

# Google Benchmark: error_occurred and skipped
reasons() { columns bench,sample,metric,value,status,x_message; }
is "$(bench-convert "$data/gbench-names.json" | reasons | grep -E '^fails,.,wall' | sed 's/wall,[0-9.]*,ok/wall,N,ok/')" \
	'fails,0,wall,N,ok,
fails,1,wall,,failed,no such file
fails,2,wall,N,ok,' 'bench-convert reads the message of an error of Google Benchmark into x_message'
bench-convert -t gbench "$data/gbench-names.json" >g.json 2>err
is "$(cat err)" '' 'bench-convert writes all failures of a file of Google Benchmark, so it reports none as omitted'
is "$(bench-convert g.json | reasons)" "$(bench-convert "$data/gbench-names.json" | reasons | sed '/,iterations,/d')" \
	'bench-convert reads errors of Google Benchmark back with their messages, and the times of other repetitions'
bench-convert "$data/gbench-names.json" | bench-convert -t gbench >piped.json
ok 'bench-convert writes the same file of Google Benchmark from its own CSV' cmp g.json piped.json
bench-convert -t json "$data/gbench-names.json" | bench-convert -t gbench >piped.json
ok 'bench-convert writes the same file of Google Benchmark from its own JSON' cmp g.json piped.json
is "$(sed -n 's/^ *"\(label\|threads\)": \(.*\)/\1 \2/p' g.json | sort | uniq -c | tr -s ' ' | tr -d ,)" \
	' 2 label "label"
 8 threads 1
 1 threads 2' 'bench-convert writes labels and threads of Google Benchmark into their own fields'
is "$(bench-convert -q -t gbench ends.csv | bench-convert | columns bench,sample,value,status,x_message)" \
	'a,0,1000,ok,
a,1,,failed:exit=3,
a,2,,failed:signal=SIGSEGV,
a,3,,failed:signal=35,
a,4,,timeout,
a,5,,failed:exit=127,
b,0,,skipped,' 'bench-convert reads statuses back from messages of Google Benchmark'

is "$(bench-convert -t markdown "$data/gbench-names.json" 2>&1 >/dev/null)" \
	"bench-convert: $data/gbench-names.json: 1 row that failed or was not measured is omitted: markdown has no place for it" \
	'bench-convert reports failures for a format without a place for them'
is "$(bench-convert -t go "$data/gbench-names.json" 2>/dev/null | grep -c 'x_\|no such')" 0 \
	'bench-convert leaves messages out of formats without a place for them'
done_testing
