#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Columns whose names begin with x_, which later versions may add: all readers skip them, so that
# this version reads the streams of later ones.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# extend FILE: the stream with two columns more, the first and the last, that differ in each row
extend() {
	awk 'NR == 1 { print "x_first," $0 ",x_note"; next } { print NR "," $0 ",\"text, " NR "\"" }' "$1"
}
# same DESCRIPTION COMMAND...: the command gives the same for base.csv with x_ columns as without them
same() {
	what=$1
	shift
	cp base.csv in.csv && "$@" >without 2>&1
	want=$?
	extend base.csv >in.csv && "$@" >with 2>&1
	is "$?" "$want" "$what has the same exit status with and without x_ columns"
	ok "$what ignores x_ columns" cmp with without
	ok "$what has some output for rows with x_ columns" test -s with
}
{
	echo run,host,n,bench,sample,metric,unit,value,status
	for n in 1 2; do
		samples r a $((n * 1000)) 0.02 12 $n | sed "s/,a,/,$n,a,/"
	done
} >base.csv
is "$(bench-stat -s n base.csv | wc -l)" 3 "bench-stat has a row for each of two subjects without x_ columns"
same bench-stat bench-stat in.csv
same 'bench-stat --components' bench-stat --components in.csv
same 'bench-stat --diagnose' bench-stat --diagnose in.csv
same 'bench-compare -b' bench-compare -b n in.csv
same 'bench-compare --history' bench-compare --history in.csv
same 'bench-compare of two files' bench-compare base.csv in.csv
same 'bench-plot line' bench-plot --script line in.csv
same 'bench-plot bar' bench-plot --script bar in.csv
# The page carries its file along, as it is.
same bench-report sh -c 'bench-report -q --title t in.csv -o - | grep -v download='
same bench-store sh -c 'rm -f s.db; bench-store -q -D s.db add in.csv && bench-store -D s.db export'
for format in gbench hyperfine go prometheus markdown; do
	same "bench-convert -t $format" bench-convert -t "$format" in.csv
done

# bench-convert keeps them where the other format has columns
extend base.csv >in.csv
bench-convert in.csv >kept.csv
is "$(head -1 kept.csv)" run,host,bench,n,sample,metric,unit,value,status,x_first,x_note \
	"bench-convert writes x_ columns last"
is "$(python3 -c 'import csv; print(sorted((r["x_first"], r["x_note"]) for r in csv.DictReader(open("kept.csv")))[-1])')" \
	"('9', 'text, 9')" "bench-convert keeps the text of x_ columns"
bench-convert -t json in.csv >kept.json
is "$(bench-convert kept.json | cksum)" "$(cksum <kept.csv)" "bench-convert reads x_ columns of its JSON"
is "$(bench-convert -t hyperfine kept.json | cksum)" "$(bench-convert -t hyperfine base.csv | cksum)" \
	"bench-convert leaves x_ members of JSON out of other formats"
echo '[{"bench":"a","metric":"wall","value":1,"x_tree":{"a":[1]}}]' >tree.json
is "$(bench-convert tree.json | tr '\n' ' ')" 'bench,metric,unit,value a,wall,,1 ' \
	"bench-convert skips an x_ member that is an object"
cat >other.json <<'.'
{"results":[{"command":"a","mean":1,"times":[1],"parameters":{"x_size":"7"}}]}
.
is "$(bench-convert other.json | head -1)" kind,bench,_x_size,sample,iterations,metric,unit,value,status \
	"bench-convert renames another program's parameter that begins with x_"

# Names that the user gives
for command in 'bench-stat -g x_note' 'bench-compare -b x_note'; do
	# shellcheck disable=SC2086
	status 2 "$command reports a column that it skips" $command in.csv
	like "$(cat .err)" "'x_note' is skipped, because its name begins with x_; rename it" \
		"$command says why it skips the column"
done
is "$(bench-stat -s n -m x_first in.csv | tail -1 | grep -o "[0-9]*$")" 12 "bench-stat -m melts a column x_first that it is given"
status 2 "bench-run rejects a parameter whose name begins with x_" bench-run -P x_n=1,2 true
is "$(printf '%s\n' bench,x,metric,value a,1,m,1 a,2,m,2 | bench-stat -s n | wc -l)" 3 \
	"a column named x is a factor"
done_testing
