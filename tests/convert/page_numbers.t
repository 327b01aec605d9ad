#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Values that pages of formats select: numbers in other notations, missing ones, and CSV.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME
own=$XDG_CONFIG_HOME/benchutils/formats
mkdir -p "$own"
# page TYPE LINE...: writes the page
page() {
	printf 'meaning "a tool"\ntype %s\n' "$1" >page
	shift
	printf '%s\n' "$@" >>page
}
# refuse SUBJECT MESSAGE: of the file in the page's format
refuse() {
	status 2 "bench-convert rejects $1" bench-convert -f ./page file
	is "$(cat "$T/.err")" "bench-convert: $2" "the message about $1 has the file and the reason"
}

page csv 'need ms' 'bench {name}' 'metric wall ms unit=ns scale=6' 'metric n n'
printf 'name,ms,n\na,2,7\nb,"1,234.5",8\n' >file
refuse 'thousands separators in CSV of a page' \
	"file: record 2: the metric wall is not a decimal number: '1,234.5'"
printf 'name,ms,n\na,2 ms,7\n' >file
refuse 'a unit after a number in CSV of a page' "file: record 1: the metric wall is not a decimal number: '2 ms'"
printf 'name,ms,n\na,0x10,7\n' >file
refuse 'a hexadecimal number in CSV of a page' "file: record 1: the metric wall is not a decimal number: '0x10'"
printf 'name,ms,n\na, 2 ,7\nb,N/A,8\nc,,9\n' >file
is "$(bench-convert -f ./page file)" 'bench,metric,unit,value,status
a,wall,ns,2000000,
a,n,1,7,
b,wall,ns,,skipped
b,n,1,8,
c,n,1,9,' 'bench-convert reads numbers between spaces by a page, and writes a text as a missing value'
printf 'name,ms,ms\na,1,2\n' >file
refuse 'columns of the same name' "file: columns 2 and 3 have the same name 'ms'"
printf 'name,ms,n\na,1,2\nname,ms,n\nb,3,4\n' >file
is "$(bench-convert -f ./page file | columns bench,value)" 'a,1000000
a,2
b,3000000
b,4' 'bench-convert reads joined files of CSV by a page'
cp page "$own/tool"
printf 'name,ms,n\n"a\nb",1,2\n' >file
is "$(bench-convert file | tail -2)" '"a
b",n,1,2' 'bench-convert recognizes CSV whose first row has a quoted line feed'

page json 'need t' 'each t/*' 'metric v v' 'metric w w scale=30'
echo '{"t": [{"v": "1,234"}]}' >file
refuse 'thousands separators in JSON of a page' "file: record 1: the metric v is not a decimal number: '1,234'"
echo '{"t": [{"v": [1, "1,234"]}]}' >file
refuse 'thousands separators in an array' "file: record 1: the metric v is not a decimal number: '1,234'"
echo '{"t": [{"v": 1, "w": 1e300}]}' >file
is "$(bench-convert -f ./page file)" 'metric,unit,value,status
v,1,1,
w,1,,skipped' 'bench-convert writes a number that becomes too large as a missing value'
page json 'need t' 'metric * t/*'
echo '{"t": {"v": 1, "date": "2026-11-28", "range": "1,5", "name": "x"}}' >file
is "$(bench-convert -f ./page file)" 'metric,unit,value
v,1,1' 'bench-convert ignores texts that a star of a page matches'
echo '{"t": {"v": 1, "w": "12,345,678"}}' >file
refuse 'thousands separators that a star of a page matches' \
	"file: record 1: the metric w is not a decimal number: '12,345,678'"

page json 'need t' 'metric wall t/v scale=3 unit-at=../u' 'unit ms ns scale=6'
echo '{"t": {"v": 2, "u": "ms"}}' >unit.json
is "$(bench-convert -f ./page unit.json)" 'metric,unit,value
wall,ns,2000000000' 'bench-convert scales a value by a metric and its unit'
page json 'need t' 'each t/*' 'iterations {i}' 'factors o except=b' 'metric wall v'
echo '{"t": [{"v": 2, "i": "2.5", "o": {"a": 1, "b": 2}}]}' >unit.json
is "$(bench-convert -f ./page unit.json)" 'a,metric,unit,value
1,wall,1,2' 'bench-convert ignores fractions of iterations, and members that are no factors'
page json 'need t/x' 'metric wall t'
status 2 'bench-convert -f rejects a file that lacks what the page needs' bench-convert -f ./page unit.json
is "$(cat "$T/.err")" "bench-convert: unit.json: not of the format page, which needs 't/x'" \
	'the message about a file that lacks something names it'

echo '{"t": [{"v": 1, "a": 1}, {"v": 2, "a": 1, "b": 1}, {"v": 3, "b": 1}]}' >both.json
page json 'need t' 'each t/*' 'metric w v only=a only=!b' 'metric n v only=b'
is "$(bench-convert -f ./page both.json | columns metric,value)" 'w,1
n,2
n,3' 'bench-convert reads a metric of a page if all its conditions hold'

# Pages
# wrong SUBJECT MESSAGE LINE...
wrong() {
	subject=$1 message=$2
	shift 2
	page json 'need t' 'metric v t' "$@"
	status 2 "bench-convert rejects a page with $subject" bench-convert -f ./page file
	is "$(cat "$T/.err")" "bench-convert: ./page:5: $message" "the message about a page with $subject has file and line"
}
wrong 'an argument twice' 'the argument unit twice' 'metric w t unit=ms unit=ns'
wrong 'a scale below the range' "scale is not an integer from -30 to 30, Ki, Mi, Gi or Ti: '-31'" 'metric w t scale=-31'
wrong 'two meanings' "a page has one line 'meaning'" 'meaning other'
wrong 'a factor without a name' 'the name of the factor is empty' 'factor "" {t}'
page json 'need t' 'metric v t' 'parts a|b'
echo 'parts c' >>page
status 2 'bench-convert rejects a page with two lines of parts' bench-convert -f ./page file
page json 'need t' 'metric v t/v'
{ printf '\357\273\277'; cat page; } | sed 's/$/\r/' >"$own/tool"
is "$(bench-convert file 2>&1 | columns metric,value)" v,1 'bench-convert reads a page that begins with a byte order mark'
cp "$own/tool" "$own/oha"
is "$(bench-convert --list | grep -c '^oha,')" 1 'bench-convert has one page of each name'
rm "$own/oha"
page json 'need t' 'need t/v' 'need t/w' 'metric old t/v'
cp page "$own/tool~"
is "$(bench-convert file 2>&1 | columns metric,value)" v,1 "bench-convert ignores an editor's copy of a page"

page json 'need t' 'metric a t/a unit=B scale=Ki' 'metric b t/b unit-at=../u' 'unit MiB B scale=Mi' 'metric c t/c scale=Ti'
echo '{"t": {"a": 0.06, "b": 1.5, "u": "MiB", "c": 1e300}}' >file
is "$(bench-convert -f ./page file)" 'metric,unit,value,status
a,B,61.44,
b,B,1572864,
c,1,,skipped' 'bench-convert scales values by binary prefixes of a page, and writes one that becomes too large as missing'
page json 'need t' 'time {t} scale=Ki' 'metric a a'
refuse 'a time with a binary prefix' './page:4: the scale of a time is a power of ten'
page json 'need t' 'metric a a scale=K'
refuse 'an unknown scale' "./page:4: scale is not an integer from -30 to 30, Ki, Mi, Gi or Ti: 'K'"
done_testing
