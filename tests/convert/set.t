#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert --set supplies what files lack.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
columns=run,time,host,env,commit,build

# Prints the message of bench-convert with these arguments, which must fail.
refused() {
	{ bench-convert "$@" >out; } 2>&1 && echo 'it was converted'
	test -s out && echo 'something was written'
}

is "$(bench-convert --set run=ci-7 --set time=2026-01-31T12:00:00.5+02:00 --set host=ci1 --set env=e1 \
	--set commit=1f3a --set build=O2 "$data/hyperfine.json" | columns $columns | sort -u)" \
	'ci-7,2026-01-31T10:00:00.500000000Z,ci1,e1,1f3a,O2' \
	'--set supplies columns of the run and factors, and the time becomes UTC'
cp "$data/hyperfine.json" a.json
gzip -c "$data/criterion-console.txt" >b.gz
touch -d 2026-01-31T12:00:00Z a.json
touch -d 2026-02-01T12:00:00.25Z b.gz
is "$(bench-convert --set time=mtime a.json b.gz | columns time | sort -u)" \
	'2026-01-31T12:00:00.000000000Z
2026-02-01T12:00:00.250000000Z' '--set time=mtime is the time of the last change of each file'
is "$(bench-convert --set run=r a.json b.gz | columns run | sort -u)" r \
	'--set run replaces the runs that bench-convert makes of the contents of files'
is "$(bench-convert --set commit=a a.json | bench-convert --set commit=a --filter commit=a | columns commit | sort -u)" \
	a '--set accepts a value that the rows have, and --filter sees it'
is "$(bench-convert --set bench=b --set kind=model -m ms:ms - <<'EOF' | columns kind,bench,metric,value
n,ms
1,20
EOF
)" model,b,ms,20 '--set names the benchmark and the kind of a table that has neither'

host=$(bench-convert "$data/gbench.json" | columns host | sort -u)
is "$(refused --set host=ci1 "$data/gbench.json")" \
	"bench-convert: $data/gbench.json: --set host=ci1: the file has the host '$host': omit the option, or write 'host:=ci1' to replace it" \
	'--set does not contradict a file, and the message shows how to replace its value'
is "$(bench-convert --set host:=ci1 "$data/gbench.json" | columns host | sort -u)" ci1 \
	'--set with := replaces the only value of a file'
printf '%s\n' bench,n,metric,value a,1,wall,10 a,,wall,11 a,1,wall,12 >some.csv
is "$(refused --set n=2 some.csv)" \
	"bench-convert: some.csv: --set n=2: the file has the n '1': omit the option, or write 'n:=2' to replace it" \
	'--set refuses a file that has values in some rows'
is "$(bench-convert --set n:=2 some.csv | columns n | sort -u)" 2 '--set with := fills all rows'
sed 's/^a,1,wall,12/a,4,wall,12/' some.csv >several.csv
is "$(refused --set n:=2 several.csv)" \
	"bench-convert: several.csv: --set n:=2: the rows have several values, '1' and '4', which cannot be replaced by one" \
	'--set does not merge rows that the file distinguishes'
printf '%s\n' bench,n,metric,value a,4,wall,10 >other.csv
is "$(bench-convert --set n:=2 some.csv other.csv | columns n | sort -u)" 2 \
	'--set with := replaces the value of each file'
bench-stat some.csv >statistics.csv
is "$(refused --set commit=a statistics.csv)" \
	'bench-convert: statistics.csv: --set sets columns of measurements, which this table does not have: set them in its input instead' \
	'--set refuses a table of statistics'
is "$(refused --set time=mtime - <a.json)" \
	'bench-convert: standard input: --set time=mtime: this is no regular file, whose time of the last change could be used: write the time instead of mtime' \
	'--set time=mtime refuses standard input, which has no file'

hint=' (see bench-convert --help)'
while IFS='|' read -r spec problem; do
	is "$(refused --set "$spec" a.json)" "bench-convert: --set: $problem$hint" "--set refuses '$spec'"
done <<'EOF'
commit|'commit' is not name=value or name:=value
=a|'=a' is not name=value or name:=value
:=a|':=a' is not name=value or name:=value
commit=|'commit=' has no value
time=soon|'soon' is not a time, such as 2026-01-31T12:00:00Z, or mtime for the time of the last change of each file
time=2026-02-30|'2026-02-30' is not a time, such as 2026-01-31T12:00:00Z, or mtime for the time of the last change of each file
value=1|the column 'value' describes a single value and cannot be set
status=ok|the column 'status' describes a single value and cannot be set
unit=ns|the column 'unit' describes a single value and cannot be set
x_message=a|the column 'x_message' describes a single value and cannot be set
aa=a|the column 'aa' is that of bench-run --aa and cannot be set
subject=a|the column 'subject' would not be read as a factor and cannot be set
EOF
is "$(refused --set n=1 --set n:=2 a.json)" "bench-convert: --set: the column 'n' is set twice$hint" \
	'--set refuses a column that is set twice'
is "$(refused -n a --set bench=b some.csv)" \
	"bench-convert: --name and --set bench both give the name: omit one$hint" \
	'bench-convert refuses two options for the name of the benchmark'

# Two results of a program that records neither the time nor the commit.
bench-convert --set time=2026-01-31 --set commit=old --set host=ci "$data/criterion-console.txt" |
	bench-store -D b.db add -q
bench-convert --set time=2026-02-01 --set commit=new --set host=ci "$data/criterion-console-changes.txt" |
	bench-store -D b.db add -q
is "$(bench-store -D b.db list runs --csv | columns time,host,commit | sort)" \
	'2026-01-31T00:00:00.000000000Z,ci,old
2026-02-01T00:00:00.000000000Z,ci,new' 'bench-store places results to which --set gave a time and a commit'
is "$(bench-convert --list-options set | sed -n 2p)" time=mtime 'bench-convert completes the columns of --set'
done_testing
