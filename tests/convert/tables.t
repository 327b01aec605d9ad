#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert of tables without measurements: what the other programs write as CSV becomes the
# JSON that they write, and vice versa.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

# both COMMAND...: the CSV and the JSON of the command become each other. In the JSON of the
# programs some missing texts are "" instead of null.
both() {
	"$@" --csv >want.csv 2>/dev/null
	"$@" --json 2>/dev/null | sed 's/: "",$/: null,/; s/: ""$/: null/' >want.json
	ok "$1 $2 has a table of some rows" test "$(wc -l <want.csv)" -gt 1
	bench-convert --json want.csv >got.json
	ok "bench-convert makes the JSON of $1 $2 of its CSV" cmp got.json want.json
	bench-convert --csv want.json >got.csv
	ok "bench-convert makes the CSV of $1 $2 of its JSON" cmp got.csv want.csv
	bench-convert -t json-lines want.json >got.lines
	is "$(wc -l <got.lines)" "$(python3 -c 'import json; print(len(json.load(open("want.json"))))')" \
		"JSON Lines of $1 $2 have one line for each row"
	ok "bench-convert makes the CSV of $1 $2 of JSON Lines" sh -c 'bench-convert --csv got.lines | cmp - want.csv'
}
# Factors that look like numbers, or have the names of statistics
{
	echo run,host,bench,ratio,n,sample,metric,unit,value,status
	for n in 1 2; do
		samples r a $((n * 1000)) 0.02 12 $n | awk -F, -v OFS=, -v n=00$n '{ print $1, $2, "\"a, \"\"b\"\"\"", "1e5", n, $4, $5, $6, $7, $8 }'
	done
	echo r,h,c,7,003,0,wall,ns,,timeout
} >base.csv
both bench-stat base.csv
both bench-stat --components base.csv
both bench-compare -b n base.csv
both bench-list kernels
for n in 1 2 3 4 5 6 7 8 9; do
	printf 'r%s,2026-01-0%sT00:00:00Z,c%s,wall,ns,%s\n' $n $n $n $((n < 6 ? 100 + n : 200 + n))
done | { echo run,time,commit,metric,unit,value && cat; } >series.csv
both bench-compare --history series.csv
bench-stat --json base.csv >stat.json
like "$(cat stat.json)" '"ratio": "1e5"' "a factor that looks like a number is a text in JSON"
bench-stat --csv base.csv | bench-convert --json >converted.json
is "$(grep -c '"ratio": "1e5"\|"ratio": "7"' converted.json)" 3 "bench-convert keeps a factor with the name of a statistic as text"

# Facts
bench-env --csv cpu_model os kernel >env.csv
bench-convert --json env.csv >env.json
is "$(bench-convert --csv env.json)" "$(cat env.csv)" "facts come back from JSON"
# sorted: JSON with its members in the order of their names
sorted() { python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin), sort_keys=True))'; }
is "$(sorted <env.json | bench-convert --csv)" "$(cat env.csv)" "facts come back from JSON whose members have another order"
bench-list --csv kernels >list.csv
bench-convert --json list.csv | sorted | bench-convert --csv >back.csv
is "$(sed 's/^kind,bench,subject,.*/kind,bench,subject/; q' back.csv)" kind,bench,subject "a list of subjects begins as in CSV if the members of JSON have another order"
bench-convert --json list.csv | sorted >want.json
is "$(bench-convert --json back.csv | sorted)" "$(cat want.json)" "such a list comes back"
{ cat env.csv && bench-convert --csv base.csv; } >stream.csv
bench-convert --json stream.csv >stream.json
is "$(grep -c '"fact":' stream.json),$(bench-stat -s n,mean stream.json | cksum)" "3,$(bench-stat -s n,mean base.csv | cksum)" \
	"bench-convert --json keeps facts together with rows"
bench-convert --json stream.json >again.json
ok "bench-convert --json writes facts and rows of JSON again" cmp stream.json again.json
is "$(bench-convert -t json-lines stream.json | grep -c '^{"env": .*"fact": .*}$')" 3 "JSON Lines also have the facts"
is "$(bench-convert -t json-lines stream.json | bench-convert --json | cksum)" "$(cksum <stream.json)" "facts and rows come back from JSON Lines"
is "$(bench-convert --csv stream.json | cksum)" "$(bench-convert --csv base.csv | cksum)" "bench-convert --csv leaves facts out"

# A row whose cells are names of columns, with empty cells for the columns of another table
printf 'kind,bench,subject,file,line\nfunction,a,a,a.so,3\nkind,bench,subject\nkernel,metric,unit\n' >names.csv
bench-convert --csv names.csv >flat.csv
is "$(tail -n 1 flat.csv)" 'kernel,metric,unit,,' 'bench-convert gives a row the columns of another table'
is "$(bench-convert --csv flat.csv)" "$(cat flat.csv)" 'bench-convert reads a row again whose cells are the names of columns'

# Facts have a column value, and statistics a column metric
printf 'env,fact,value\na,os,b\nbench,metric,unit,mean\na,wall,ns,1\n' >both.csv
status 2 'bench-convert does not make one table of facts and statistics' bench-convert -f table both.csv
is "$(cat "$T/.err")" 'bench-convert: both.csv: facts and statistics cannot become one table: convert them one by one' \
	'the message says what to do about facts and statistics in a file'

# Selection and errors
for file in go.txt hyperfine.json github-smaller.json; do
	status 2 "bench-convert -f table rejects $file" bench-convert -f table "$data/$file"
	like "$(cat "$T/.err")" ':[0-9]+: no header of statistics, verdicts, facts or subjects$' "the message says what $file lacks"
done
bench-stat --csv base.csv >stat.csv
is "$(bench-convert -M wall --csv stat.csv | cksum)" "$(cksum <stat.csv)" "bench-convert -M selects statistics of a metric"
status 2 "bench-convert -M rejects a metric that the statistics lack" bench-convert -M other stat.csv
for to in hyperfine go prometheus; do
	status 2 "bench-convert -t $to rejects statistics" bench-convert -t $to stat.csv
	like "$(cat "$T/.err")" '^bench-convert: stat.csv: no table of measurements' "the message of bench-convert -t $to says that there are no measurements"
done
# rejected DESCRIPTION TEXT MESSAGE
rejected() {
	printf '%b' "$2" >bad
	bench-convert --json bad >out 2>err
	is "$?,$(wc -c <out),$(cat err)" "2,0,bench-convert: bad:$3" "bench-convert rejects $1"
}
rejected 'statistics that are no numbers' 'bench,metric,unit,mean\na,wall,ns,x\n' '2: mean: not a decimal number'
rejected 'statistics that are texts in JSON' '[{"metric": "wall", "unit": "ns", "mean": "1"}]' '1: mean: must be a number or null'
rejected 'statistics that are arrays' '[{"metric": "wall", "unit": "ns", "note": []}]' '1: note: must be a string or a number'
rejected 'short rows of statistics' 'bench,metric,unit,mean\na,wall,ns\n' '2: 3 fields where the header has 4'
rejected 'truncated statistics' '[{"metric": "wall", "unit": "ns", "mean": 1},' '1: the file ends inside an array: it is cut off'
printf 'env,fact,value\na,os,b\nbench,metric,value\na,wall,1\n' >mixed.csv
status 2 'bench-convert -f table rejects measurements after facts' bench-convert -f table mixed.csv
is "$(cat "$T/.err")" 'bench-convert: mixed.csv:3: measurements among tables without them' 'the message names the line of the measurements'
# A first column whose name begins like JSON
printf '{x,metric,value\na,wall,1\na,wall,2\n' | bench-stat -g '{x' - >braced.csv
ok 'a table whose first column begins with a brace is recognized' bench-convert braced.csv
is "$(bench-convert braced.csv)" "$(cat braced.csv)" 'a table whose first column begins with a brace is copied'
rejected 'two columns of one name' 'metric,unit,mean,mean\nwall,ns,1,2\n' "1: columns 3 and 4 have the same name 'mean'"
done_testing
