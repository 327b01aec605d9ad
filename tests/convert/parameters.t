#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Parameters that are factors are not part of the names that other programs give, so that results with
# different parameters belong to one benchmark.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
subjects() { bench-convert "$1" | columns "$2" | uniq; }

# hyperfine
is "$(bench-convert "$data/hyperfine-parameters.json" | python3 -c 'import csv, sys
for name in sorted({r["bench"] for r in csv.DictReader(sys.stdin)}): print(name)')" 'echo x, "y"
echo {n} 1 a{s}' 'bench-convert finds the command of hyperfine that all combinations of parameters share'
bench-convert -t hyperfine "$data/hyperfine-parameters.json" >back.json
is "$(grep '"command"' back.json)" "$(grep '"command"' "$data/hyperfine-parameters.json")" \
	'bench-convert fills parameters into the commands of hyperfine that it writes'
is "$(bench-convert back.json)" "$(bench-convert "$data/hyperfine-parameters.json")" \
	'bench-convert reads parameters of hyperfine back'
bench-convert -M wall "$data/hyperfine.json" >n.csv
is "$(bench-compare --csv -b n n.csv 2>/dev/null | columns n_old,n_new)" '4,4' 'bench-compare compares two values of a parameter of hyperfine'
# commands COMMAND,N...: the names of commands with the parameter n
commands() {
	awk 'BEGIN {
		printf "{\"results\": ["
		for (i = 1; i < ARGC; i++) {
			split(ARGV[i], part, ",")
			printf "%s{\"command\": \"%s\", \"mean\": 1, \"parameters\": {\"n\": \"%s\"}}", (i > 1 ? ", " : ""), part[1], part[2]
		}
		print "]}"
	}' "$@" >commands.json
	subjects commands.json bench,n
}
is "$(commands 'sort -k 1 file1,1' 'sort -k 1 file2,2' 'sort -k 1 file12,12')" 'sort -k 1 file{n},1
sort -k 1 file{n},2
sort -k 1 file{n},12' 'bench-convert leaves a part of a command that equals a parameter only once'
is "$(commands 'echo 1,1' 'sleep 2,2')" 'echo 1,1
sleep 2,2' 'bench-convert keeps commands that share no template'
is "$(commands 'echo 1,1' 'echo 1,1')" 'echo 1,1' 'bench-convert keeps a command that was measured twice with one parameter'
is "$(commands '1 1 1 1 1 1 1 1 x-1,1' '1 1 1 1 1 1 1 1 x-2,2')" '1 1 1 1 1 1 1 1 x-1,1
1 1 1 1 1 1 1 1 x-2,2' 'bench-convert keeps a command that has the value of a parameter in too many places'
is "$(commands 'head -111111111 1,1' 'head -111111111 2,2')" 'head -111111111 {n},1
head -111111111 {n},2' 'bench-convert prefers whole words if the value of a parameter is in many places'
is "$(commands 'a,' 'b,')" 'a,
b,' 'bench-convert keeps commands with an empty parameter'

# pytest-benchmark
file=$data/pytest-parameters.json
is "$(subjects "$file" bench,group,s,n,items,limit)" 'test_p.py::test_p,pairs,x/y,1,,
test_p.py::test_p,pairs,x/y,2,,
test_p.py::test_p,pairs,z,1,,
test_p.py::test_p,pairs,z,2,,
test_p.py::test_lists[one],,,,,
test_p.py::test_lists[two],,,,,
test_p.py::test_limit,,,,,
test_p.py::test_limit,,,,,5
test_p.py::test_plain,,,,,' \
	'bench-convert removes parameters from names of pytest-benchmark if the tests differ in factors, and reads the group'
is "$(subjects "$file" commit)" "$(sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1-dirty/p' "$file")" \
	'bench-convert marks a commit of pytest-benchmark as dirty'
bench-convert "$file" | grep test_p,pairs >p.csv
{ bench-convert "$file" | head -1 && cat p.csv; } >pairs.csv
is "$(bench-compare --csv -b n pairs.csv 2>/dev/null | columns s,n_old,n_new | grep -v '^,' | sort)" 'x/y,2,2
z,2,2' 'bench-compare compares two values of a parameter of pytest-benchmark'
done_testing
