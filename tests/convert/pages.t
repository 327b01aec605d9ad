#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads files by pages of bench-format-page(5), which users add, and rejects wrong pages.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

export XDG_CONFIG_HOME="$T/config"
own=$XDG_CONFIG_HOME/benchutils/formats
mkdir -p "$own"

# page NAME: writes a page of the user from standard input, after the lines that each page needs
page() {
	{
		printf 'meaning "JSON of a test"\nneed tests\n'
		cat
	} >"$own/$1"
}
# file TEXT: writes in.json
file() { printf '%s' "$1" >in.json; }
# reads COLUMNS: these columns of the rows of in.json
reads() { bench-convert in.json 2>"$T/.err" | columns "$1"; }

# Values
page mine <<'.'
each tests/*
bench {name}
metric wall times unit=ns scale=6
.
file '{"tests": [{"name": "a", "times": [0.0003, 1.1]}, {"name": "b", "times": 2}]}'
is "$(reads bench,process,sample,metric,unit,value)" 'a,,0,wall,ns,300
a,,1,wall,ns,1100000
b,,,wall,ns,2000000' "bench-convert reads arrays and single numbers by a user's page, scaled as decimals"
file '{"tests": [{"name": "a", "times": [[1, 2], [3]]}]}'
is "$(reads process,sample,value)" '0,0,1000000
0,1,2000000
1,0,3000000' 'bench-convert reads arrays in an array as processes'
file '{"tests": [{"name": "a", "times": ["1.5", null, "no", {}, 2]}]}'
is "$(reads sample,value,status)" '0,1500000,
1,,skipped
2,,skipped
3,,skipped
4,2000000,' 'bench-convert reads items that are no numbers as samples without a value'
file '{"tests": [{"name": "a", "times": []}, {"name": "b"}, {"name": "c", "times": {"x": 1}}]}'
is "$(reads bench,metric,unit,value,status)" 'a,wall,ns,,skipped
b,wall,ns,,skipped
c,wall,ns,,skipped' 'bench-convert reads a record without any value as a row that was skipped'
file '{"tests": [{"name": "a", "times": 1, "new": [{}], "x": {"times": 2}}], "later": {"tests": 1}}'
is "$(reads bench,value)" 'a,1000000' 'bench-convert ignores fields that a page does not mention'

# Columns, factors and conditions
page mine <<'.'
each   tests/*/cases/*
only   kind!=warm*
bench  {../../name}.{@}
bench  {@}
kind   function
host   {/machine}
time   {at} scale=-3
commit {/commit}
iterations {count}
factor n {size}
factor "a b" "{size} of {/machine}"
factors options
factors text split=& except=no
status failed:exit={exit} exit
status skipped skip
metric wall ns unit=ns
metric *_* more/*/p50|p99 unit-at=../unit
metric @ value unit-at=../unit only=value
metric wall_max ns unit=ns iterations=total
rename size_p50 size_median
unit ms ns scale=6 name=latency
unit KB B scale=3
.
file '{"commit": "c1", "machine": "m", "tests": [
 {"name": "t", "cases": {
  "x": {"kind": "cold", "at": 1500, "count": 7, "size": 3, "options": {"o": true, "l": []},
   "text": "p=1&q = 2&r&no=3", "ns": 5, "total": 1e3, "unit": "ms", "value": "2.5",
   "more": {"size": {"unit": "KB", "p50": 1, "p99": 2, "p100": 3}, "age": {"unit": "years", "p99": 4}}},
  "w": {"kind": "warmup", "ns": 1}}},
 {"cases": {"y": {"exit": 3, "ns": 6}, "z": {"skip": true}}}]}'
is "$(reads bench,kind,host,commit,time,iterations,status | sort -u)" 't.x,function,m,c1,1970-01-01T00:00:01.500000000Z,1000,ok
t.x,function,m,c1,1970-01-01T00:00:01.500000000Z,7,ok
y,function,m,c1,,,failed:exit=3
z,function,m,c1,,,skipped' 'bench-convert reads columns, also from above a record, and the first text that is not empty'
is "$(reads 'bench,n,a b,o,p,q,metric' | grep -e wall, -e 'wall$' | sort -u)" 't.x,3,3 of m,true,1, 2,wall
y,,,,,,wall
z,,,,,,wall' 'bench-convert reads factors from members, texts and parts of a text'
is "$(reads bench,metric,unit,value)" 't.x,wall,ns,5
t.x,size_median,B,1000
t.x,size_p99,B,2000
t.x,age_p99,years,4
t.x,latency,ns,2500000
t.x,wall_max,ns,5
y,wall,ns,6
y,wall_max,ns,6
z,wall,ns,' 'bench-convert names metrics after members and units, and renames them'

page mine <<'.'
each tests/*
bench {name}
repeats
metric wall ns unit=ns
.
file '{"tests": [{"name": "a", "ns": 1}, {"name": "b", "ns": 2}, {"name": "a", "ns": 3}]}'
is "$(reads bench,sample,value)" 'a,0,1
b,0,2
a,1,3' 'bench-convert numbers records of the same benchmark as samples'

page mine <<'.'
each tests/*
only @!=w*
bench {@}
status {state} state=bad*
status failed:exit={code} code!=0
metric wall ns unit=ns
.
file '{"tests": {"a": {"ns": 1, "state": "bad luck", "code": "0"}, "b": {"ns": 2}, "c": {"ns": 3, "code": 0}, "w": 1}}'
is "$(reads bench,value,status)" 'a,1,bad luck
b,2,failed
c,3,ok' 'bench-convert compares names and values with patterns, and takes a status from a member'
page mine <<'.'
each tests/*
bench {name}
metric * * except=name|id
.
file '{"tests": [{"id": 7, "name": "a", "x": 1, "y": "2", "z": "no", "names": 3}]}'
is "$(reads bench,metric,value)" 'a,x,1
a,y,2
a,names,3' 'bench-convert reads all numbers of a record but those that a page excepts'

page mine <<'.'
each tests/*
bench {name}
metric wall ns unit=ns
.

# CSV
printf 'meaning CSV\ntype csv\nneed my_ms\nbench {name}\nmetric wall my_ms unit=ns scale=6\n' >"$own/mycsv"
printf 'name,my_ms,note\n"a, b",1.25,\nc,x,"1\n2"\n' >in.csv
is "$(bench-convert in.csv | tail -2)" '"a, b",wall,ns,1250000,
c,wall,ns,,skipped' 'bench-convert reads CSV by a page'
printf 'name,my_ms,note\na,1,\nb,2\n' >in.csv
status 2 'bench-convert rejects CSV whose rows have different lengths' bench-convert in.csv
like "$(cat "$T/.err")" '^bench-convert: in.csv:3: 2 fields instead of 3$' 'the message about a short row of CSV has its line'
echo short-rows >>"$own/mycsv"
is "$(bench-convert in.csv | tail -2)" 'a,wall,ns,1000000
b,wall,ns,2000000' 'bench-convert reads short rows of CSV if the page allows them'
printf 'name,my_ms,note\na,1,,\n' >in.csv
status 2 'bench-convert rejects rows of CSV that are longer than the header' bench-convert in.csv
printf 'name,my_ms,note\na,1,\nb,2' >in.csv
status 2 'bench-convert rejects CSV that is cut off in a row' bench-convert in.csv
is "$(wc -l <"$T/.err"),$(wc -c <"$T/.out")" 1,0 'bench-convert rejects CSV of a page in one line'
rm "$own/mycsv"

# Which page
page specific <<'.'
need tests/0/extra
metric specific tests/0/ns
.
file '{"tests": [{"name": "a", "ns": 1, "extra": null}]}'
is "$(reads metric,value)" specific,1 'bench-convert tries the page with more needs first'
is "$(bench-convert -f mine in.json | columns metric,value)" wall,1 'bench-convert -f selects a page by its name'
is "$(bench-convert -f "$own/mine" in.json | columns metric,value)" wall,1 'bench-convert -f selects a page by its path'
like "$(bench-convert --list --csv)" '^specific,yes,no,JSON of a test$' "bench-convert --list shows a user's page"
status 2 'bench-convert rejects the name of a page that does not exist' bench-convert -f mien in.json
like "$(cat "$T/.err")" "cannot read the format 'mien'; did you mean mine" \
	'the message about an unknown format suggests a page'
status 2 'bench-convert does not write the format of a page' bench-convert -t mine in.json
printf 'meaning Mine\nneed nothing\nmetric x y\n' >"$own/jmh"
like "$(bench-convert --list --csv)" '^jmh,yes,no,Mine$' "a user's page replaces an installed page"
rm "$own/jmh"
cp "$own/mine" "$own/hyperfine"
status 0 "bench-convert --list does not stop at a page with the name of a format that is not a page" bench-convert --list
like "$(cat "$T/.err")" 'formats/hyperfine: the format hyperfine is not a page' \
	'the message about a page with the name of another format has its path'
rm "$own/hyperfine" "$own/specific"
XDG_CONFIG_HOME='' HOME=$T/home
mkdir -p .x "$HOME/.config/benchutils"
mv "$own" "$HOME/.config/benchutils"
is "$(reads metric,value)" wall,1 'bench-convert finds pages in ~/.config without XDG_CONFIG_HOME'
mv "$HOME/.config/benchutils/formats" "$own"
XDG_CONFIG_HOME=$T/config HOME=$T

# Wrong pages
# wrong LINE MESSAGE: a page with this third line is rejected with the message, its path and line
wrong() {
	printf '%s\n' "$1" metric\ wall\ ns | page mine
	bench-convert -f mine in.json >"$T/.out" 2>"$T/.err"
	is "$?,$(wc -c <"$T/.out"),$(sed 's/.*formats\///' "$T/.err")" "2,0,mine:3: $2" "bench-convert rejects a page with the line $1"
}
wrong 'metrics wall ns' "unknown word 'metrics'; did you mean metric? (there are: meaning, type, short-rows, need, each, only, shared, directory, bench, parts, kind, run and 14 more; see bench-format-page(5))"
wrong 'metric wall' "fewer arguments than 'metric NAME PATH'"
wrong 'bench a b' "more arguments than 'bench TEXT'"
wrong 'metric wall ns units=s' "unknown argument 'units'; did you mean unit? (there are: unit, scale, unit-at, iterations, except, only)"
wrong 'metric wall ns scale=1.5' "scale is not an integer from -30 to 30, Ki, Mi, Gi or Ti: '1.5'"
wrong 'metric wall ns scale=31' "scale is not an integer from -30 to 30, Ki, Mi, Gi or Ti: '31'"
wrong 'metric wall ns unit=a unit-at=b' 'unit and unit-at exclude each other'
wrong 'metric @ ns' "the name '@' needs unit-at"
wrong 'metric "" ns' 'the name of the metric is empty'
wrong 'metric wall a//b' "the path 'a//b' has an empty name"
wrong 'metric wall 1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17' "the path '1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17' has more than 16 names"
wrong 'each a/@' "the path 'a/@' ends in @"
wrong 'bench "a' 'a quote does not end'
wrong 'bench a{b' "'a{b' has a brace that is not closed"
wrong 'bench ""' 'the text is empty'
wrong 'type xml' "the type is neither json nor csv: 'xml'"
wrong 'factors x split=' 'the text of split is empty'
printf 'meaning x\nmetric a b\n' >"$own/mine"
status 2 'bench-convert rejects a page without a need' bench-convert -f mine in.json
like "$(cat "$T/.err")" "mine:2: the page has no line 'need'" 'the message about a missing line names the page'
printf 'meaning x\nneed a\n' >"$own/mine"
status 2 'bench-convert rejects a page without a metric' bench-convert -f mine in.json
printf 'need a\nmetric a b\n' >"$own/mine"
status 2 'bench-convert rejects a page without a meaning' bench-convert -f mine in.json
printf 'meaning x\ntype csv\nneed a\neach b\nmetric a b\n' >"$own/mine"
status 2 'bench-convert rejects a page of CSV with records' bench-convert -f mine in.json
printf 'meaning x\nneed a\nshort-rows\nmetric a b\n' >"$own/mine"
status 2 'bench-convert rejects a page of JSON with short rows' bench-convert -f mine in.json
status 2 'bench-convert rejects a page that does not exist' bench-convert -f ./none in.json
like "$(cat "$T/.err")" './none: No such file' 'the message about a page that does not exist has its path'
printf 'meaning x\nneed a\0b\nmetric a b\n' >"$own/mine"
status 2 'bench-convert rejects a page with a NUL byte' bench-convert -f mine in.json

# Wrong files
page mine <<'.'
each tests/*
bench {name}
metric wall ns unit=ns
.
# refused TEXT SUBJECT: one line, status 2, nothing on standard output
refused() {
	file "$1"
	bench-convert in.json >"$T/.out" 2>"$T/.err"
	is "$?,$(wc -c <"$T/.out"),$(wc -l <"$T/.err")" 2,0,1 "bench-convert rejects $2 by a page in one line"
}
refused '{"tests": [{"name": "a", "ns": 1}, {"na' 'a truncated file'
refused '{"tests": []}' 'a file without records'
refused '{"tests": [{"name": "a", "ns": 1}, {"other": 2}]}' 'a file with a record of another format'
is "$(cat "$T/.err")" 'bench-convert: in.json: record 2 has no name of a benchmark, which the format mine needs' \
	'the message about a record without a name has its number'
refused '{"tests": [1, "a", null]}' 'a file with records that are not objects'
is "$(bench-convert -n x -f mine in.json | columns bench,value,status)" 'x,,skipped
x,,skipped
x,,skipped' 'bench-convert -n names records that have no name'
done_testing
