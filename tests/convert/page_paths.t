#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pages of formats select names with slashes and bars, and compare two values of a record.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# page: writes a page from standard input, after the lines that each page needs
page() {
	{
		printf 'meaning "JSON of a test"\nneed tests\neach tests/*\nbench {name}\n'
		cat
	} >page
}
rows() { bench-convert -f ./page in.json | columns "$1"; }
cat >in.json <<'.'
{"tests": [{"name": "a", "ops/s": 5, "p|q": 6, "b\\c": 7, "*": 8, "sent": 4, "lost": 4},
	{"name": "b", "ops/s": 9, "sent": 4, "lost": "4"}, {"name": "c", "ops/s": 1, "sent": 4, "lost": 0},
	{"name": "d", "ops/s": 2}]}
.
page <<'.'
metric rate 'ops\/s'
metric bar 'p\|q'
metric backslash 'b\\c'
metric star '\*'
metric any 'x|ops\/s|y'
.
is "$(rows bench,metric,value | head -n 5)" 'a,rate,5
a,bar,6
a,backslash,7
a,star,8
a,any,5' 'a backslash in a path of a page makes a slash, a bar, a star or a backslash part of a name'
page <<'.'
factor rate '{ops\/s}'
status failed 'lost==sent'
metric sent sent
.
is "$(rows bench,rate,status)" 'a,5,failed
b,9,failed
c,1,ok
d,2,skipped' 'a page compares the values of two paths, which differ if one of them has none'
page <<'.'
only lost!==sent
metric sent sent
.
is "$(rows bench,value)" 'c,4
d,' 'a page ignores records in which two values are equal'
page <<'.'
only lost==
metric sent sent
.
status 2 'bench-convert rejects a page that compares a value with no path' bench-convert -f ./page in.json
like "$(cat "$T/.err")" "page:5: the path '' has an empty name" 'the message about a comparison without a path has its line'
done_testing
