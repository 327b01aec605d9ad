#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# JSON as input: each program that reads CSV reads the same tables as JSON.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# same DESCRIPTION COMMAND...: the command gives the same for in, which is JSON, as for CSV
same() {
	what=$1
	shift
	cp base.csv in && "$@" >csv 2>&1
	want=$?
	cp base.json in && "$@" >json 2>&1
	is "$?,$(grep -c 'see .* --help' csv)" "$want,0" "$what has the same exit status for JSON as for CSV"
	ok "$what has the same output for JSON as for CSV" cmp csv json
	ok "$what has some output for JSON" test -s json
}
{
	echo run,host,env,kind,bench,n,sample,iterations,metric,unit,value,status
	for n in 1 2; do
		samples r a $((n * 1000)) 0.02 12 $n | awk -F, -v OFS=, -v n=$n '{ print $1, $2, "e" n, "function", $3, n, $4, 1, $5, $6, $7, $8 }'
	done
	echo 'r,host,e1,function,"odd ""name"" é
of two lines",007,0,1,wall,ns,,timeout'
} >base.csv
bench-convert -t json base.csv >base.json
sed 's/^r,/r2,/' base.csv >run2.csv
is "$(bench-stat -s n,failed base.csv | tail -n +2 | wc -l)" 4 "the stream has three subjects, one of them with two lines"
same bench-stat bench-stat in
same 'bench-stat --components' bench-stat --components in
same 'bench-stat --diagnose' bench-stat --diagnose in
same 'bench-stat of standard input' sh -c 'bench-stat <in'
same 'bench-compare -b' bench-compare -b n in
same 'bench-compare --history' bench-compare --history in
same 'bench-compare of two files' bench-compare --allow-missing base.csv in
same 'bench-plot line' bench-plot --script line in
same 'bench-plot bar' bench-plot --script bar in
same bench-report sh -c 'bench-report -q --title t in -o - | grep -v download='
for form in json csv; do
	cp base.$form in
	bench-report -q --title t in run2.csv -o page 2>err
	echo $? >page.$form
	grep -v download= page >>page.$form
done
ok "bench-report draws the same page of JSON and CSV as of CSV alone" cmp page.csv page.json
is "$(head -1 page.json)" 0 "bench-report reads a file of JSON and one of CSV"
same 'bench-store add' sh -c 'rm -f s.db; bench-store -q -D s.db add in && bench-store -D s.db export'
for format in csv gbench hyperfine go prometheus markdown; do
	same "bench-convert -t $format" bench-convert -q -t "$format" in
done

# Other tables
printf '%s\n' kind,bench,subject,args,runs 'command,mine,echo {n},"n=1,2",3' >list.csv
echo '[{"runs": 3, "subject": "echo {n}", "kind": "command", "bench": "mine", "args": "n=1,2", "x": null}]' >list.json
for list in csv json; do
	bench-run -q -e none -w 0 -I list.$list | bench-stat -g bench,n,metric -s n --metric wall >$list.out
done
is "$(cat json.out)" "$(cat csv.out)" "bench-run -I reads a list of subjects as JSON"
is "$(sed 1d json.out)" 'mine,1,wall,ns,3
mine,2,wall,ns,3' "the list of subjects as JSON has two subjects of three samples"
bench-list --json kernels add | bench-run -q -e none -r 1 -w 0 --processes 1 -I - >kernel.csv 2>err
is "$(columns bench kernel.csv | sort -u | tr '\n' ' ')" ' add ' "bench-run -I reads the JSON of bench-list"
bench-env >old.csv
bench-env --json >old.json
sed 's/^\([^,]*\),kernel,.*/\1,kernel,other/' old.csv >new.csv
is "$(bench-env --diff old.json new.csv)" "$(bench-env --diff old.csv new.csv)" "bench-env --diff reads facts as JSON"
like "$(bench-env --diff old.json new.csv)" '^kernel,' "bench-env --diff finds a difference to facts as JSON"
printf '[{"value":"x","env":"e1","fact":"cpu_model"},{"value":2.5,"env":"e1","fact":"n"}]\n' >facts.json
{ cat facts.json; bench-convert --json base.csv; } >joined.json
is "$(bench-stat joined.json)" "$(bench-stat base.csv)" "bench-stat skips facts before rows in JSON"
bench-store -q -D f.db add joined.json
is "$(bench-store -D f.db sql --csv 'SELECT fact, value FROM hardware_info ORDER BY fact' | tr '\n' ' ')" \
	'fact,value cpu_model,x n,2.5 ' "bench-store add keeps facts of JSON"
bench-compare --json -b n base.csv >verdicts.json 2>/dev/null
bench-compare --csv -b n base.csv >verdicts.csv 2>/dev/null
is "$(bench-plot --script compare verdicts.json | cksum)" "$(bench-plot --script compare verdicts.csv | cksum)" \
	"bench-plot compare reads the JSON of bench-compare"
printf '%s\n' bench,metric,statistic,min,max a,wall,median,,1us a,wall,mean,5ns, >budget.csv
echo '{"bench": "a", "metric": "wall", "statistic": "median", "max": "1us"} {"bench": "a", "metric": "wall", "statistic": "mean", "min": "5ns"}' >budget.json
is "$(bench-stat --budget budget.json base.csv 2>/dev/null)" "$(bench-stat --budget budget.csv base.csv 2>/dev/null)" "bench-stat --budget reads budgets as JSON"

# Streams of several documents
cat base.json base.json >twice.json
is "$(bench-stat -s n twice.json)" "$(bench-stat -s n base.csv base.csv)" "bench-stat reads joined JSON"
python3 -c '
import json, sys
for row in json.load(open("base.json")):
    print(json.dumps({k: v for k, v in row.items() if v is not None}))' >lines.json
is "$(bench-stat -s n,failed,mean lines.json)" "$(bench-stat -s n,failed,mean base.csv)" \
	"bench-stat reads JSON Lines whose objects lack members"
{ echo n,sample,metric,unit,value && grep -v -e odd -e lines base.csv | columns n,sample,metric,unit,value; } >norun.csv
bench-convert --json norun.csv | python3 -c '
import json, sys
for i, row in enumerate(json.load(sys.stdin)):
    print(json.dumps({k: v for k, v in row.items() if v is not None and (k != "sample" or i % 3)}))' >norun.json
is "$(bench-stat --components -g n norun.json)" "$(bench-stat --components -g n norun.csv)" \
	"JSON Lines whose members vary are one run"
like "$(bench-stat --components -g n norun.json)" '^1,wall,ns,sample,12,' "JSON Lines whose members vary have values"
# The answer differs, because without the numbers of the samples there are no pairs.
bench-report -q --title t norun.json -o - | grep -v -e download= -e 'class="answer' >json
bench-report -q --title t norun.csv -o - | grep -v -e download= -e 'class="answer' >csv
ok "bench-report draws the same page of JSON Lines whose members vary, without the answer" cmp csv json
is "$(bench-stat -s n base.json base.csv)" "$(bench-stat -s n base.csv base.csv)" "bench-stat reads a file of JSON and one of CSV"
bench-run -q -e none -w 0 -r 2 -d kept -c true -c false -i >run.csv 2>err
is "$(bench-stat -s n,failed,mean kept/*/results.json)" "$(bench-stat -s n,failed,mean kept/*/samples.csv)" "bench-stat reads results.json"
bench-store -q -D r.db add kept/*/results.json
is "$(bench-store -D r.db sql --csv 'SELECT count(*) > 9 FROM hardware_info' | tail -1)" 1 "bench-store add keeps the facts of results.json"

echo '[{"metric": "m", "value": 1, "sample": 1e+05, "iterations": 9007199254740993, "process": 3.0}]' >r.json
is "$(bench-convert r.json | tail -1)" '3,100000,9007199254740993,m,,1' "whole numbers are read as R writes them, and with all digits"

echo '{"bench": "a", "metric": "wall", "value": 1} {"bench": "a", "metric": "wall", "value": 2, "samples": []}' >member.json
status 2 "a row of JSON with an array in the member samples is refused" bench-stat member.json

# End marks and truncation
bench-run -q -e none -w 0 -r 3 --json true >whole.json
bench-store -q -D e.db add whole.json
is "$(bench-store -D e.db check >out 2>&1; echo $?)" 0 "a run whose JSON has all rows is complete"
python3 -c '
import json
rows = json.load(open("whole.json"))
json.dump(rows[:3] + rows[4:], open("lost.json", "w"))'
bench-store -q -D l.db add lost.json 2>err
like "$(cat err; bench-store -D l.db list --csv)" 'incomplete|rows' "bench-store reports a run whose JSON lacks a row"
size=$(wc -c <whole.json) read=0
for part in 1 2 50 99; do
	head -c $((size * part / 100)) whole.json >cut.json
	for command in bench-stat 'bench-compare -b bench' 'bench-store -D c.db add' 'bench-convert -f json' 'bench-report -o c.html'; do
		# shellcheck disable=SC2086
		$command cut.json >out 2>err
		[ "$?,$(wc -l <err)" = 2,1 ] && grep -q 'cut.json:[0-9]*: the file ends inside an*' err || read=$((read + 1))
	done
done
is $read 0 "truncated JSON is rejected with its line by all programs"
is "$(bench-store -D c.db export | sed 1d; ls c.html 2>/dev/null)" '' "nothing of truncated JSON is kept"

# rejected DESCRIPTION JSON MESSAGE: all programs reject it with this message in one line
rejected() {
	printf '%s\n' "$2" >bad.json
	got=
	for command in bench-stat 'bench-compare -b n' 'bench-store -D b.db add' 'bench-convert -f json' bench-report 'bench-plot line'; do
		$command bad.json >out 2>err
		[ "$?,$(wc -l <err)" = 2,1 ] || got="$got $command"
		grep -q "bad.json:1: $3" err || got="$got $(cat err)"
	done
	is "$got" '' "all programs reject $1"
}
rejected 'a value that is a string' '[{"metric": "m", "value": "1"}]' 'value: must be a number or null'
rejected 'a value that is an array' '[{"metric": "m", "value": [1]}]' 'value: must be a number or null'
rejected 'a value that is true' '[{"metric": "m", "value": true}]' 'value: must be a number or null'
rejected 'a value that no double can hold' '[{"metric": "m", "value": 1e999}]' "value: '1e999' is not a decimal number"
rejected 'a name that is a number' '[{"metric": "m", "value": 1, "bench": 2}]' 'bench: must be a string or null'
rejected 'a factor that is an object' '[{"metric": "m", "value": 1, "f": {}}]' 'f: must be a string or a number'
rejected 'a sample with a fraction' '[{"metric": "m", "value": 1, "sample": 0.5}]' "sample: '0.5' is not a whole number"
rejected 'two members of one name' '[{"metric": "m", "metric": "n", "value": 1}]' "two members have the name 'metric'"
rejected 'a member without a name' '[{"metric": "m", "value": 1, "": 1}]' 'column 3 of the header has no name'
rejected 'CSV after JSON' '[{"metric": "m", "value": 1}] metric,value' "neither '\[' nor '{' begins"
echo '{"results": [{"command": "a", "mean": 1}]}' >foreign.json
status 2 "bench-stat rejects the JSON of another program" bench-stat foreign.json
like "$(cat "$T/.err")" '^bench-stat: foreign.json: .* [(]convert it: bench-convert foreign.json [|] bench-stat -[)]$' "the message about the JSON of another program names bench-convert"
{ printf '[{"metric": "m", "value": 1, "x_deep": ' && yes '[' | head -3000 | tr -d '\n'; } >deep.json
status 2 "bench-stat rejects JSON that is nested too deeply" bench-stat deep.json
like "$(cat "$T/.err")" '^bench-stat: deep.json:1: more than 2048 nested' "the message about nested JSON states the limit"
done_testing
