#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The end mark of a run: bench-run and bench-prof write it, and all readers pass over it.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# ends FILE: the columns of the last row that are not provenance, and how many rows are before it
ends() {
	tail -n 1 "$1" | cut -d, -f6- | tr '\n' ' '
	sed '1d;$d' "$1" | wc -l
}
bench-run -q -e none -w 0 -r 3 -P n=1,2 --label who=me -- true '{n}' >whole.csv
is "$(ends whole.csv)" ',,,,,,,,rows,1,54,ok, 54' "bench-run ends a run with the number of its rows"
is "$(columns run,host,env,commit whole.csv | sort -u | wc -l)" 1 "the end mark has the provenance of its run"
bench-run -q -e none -w 0 -r 2 -i -c true -c false >failed.csv
is "$(ends failed.csv)" ',,,,,,rows,1,36,ok, 36' "a run with failed samples also has an end mark"
bench-run -q -e none -w 0 -r 2 -d kept true >copied.csv
ok "bench-run -d keeps the end mark in samples.csv" cmp copied.csv kept/*/samples.csv
is "$(ends copied.csv)" ',,,,,,rows,1,18,ok, 18' "bench-run -d counts the rows once"
is "$(tail -n 2 kept/*/summary.csv | grep -c ,rows,)" 0 "bench-run -d leaves the end mark out of summary.csv"
bench-run -q -e none -w 0 -r 2 --json true >whole.json
is "$(perl -MJSON::PP -e 'local $/; my $d = decode_json(<>); my $e = $d->[-1]; print "$e->{metric} $e->{value} ", scalar @$d' whole.json)" \
	'rows 18 19' "bench-run --json ends with the end mark"
unlike "$(bench-run -q -e none -w 0 -r 2 --table true)" ' rows ' "bench-run --table does not show the end mark"
unlike "$(bench-run -q -e none -w 0 -r 2 --cleanup false true 2>/dev/null)" ',rows,' "a run whose hook fails has no end mark"

mkfifo started
bench-run -q -e none -w 0 -r 3 -O interleaved -c true -c 'sh -c "echo >started; exec sleep 60"' >cut.csv 2>err &
read -r _ <started
kill -TERM $!
wait $!
is "$? $(grep -c ',wall,' cut.csv) $(grep -c ,rows, cut.csv)" '143 1 0' "an interrupted run has no end mark"
bench-prof -q -e cpu-clock -F 999 -- sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done' >profile.csv
is "$(ends profile.csv)" ",,,,,,,,rows,1,$(sed '1d;$d' profile.csv | wc -l),ok, $(sed '1d;$d' profile.csv | wc -l)" \
	"bench-prof ends a run with the number of its rows"

# same DESCRIPTION FILE COMMAND...: the command gives the same with the end marks of a stream as
# without them; % in its arguments is the file
same() {
	what=$1 file=$2
	shift 2
	cp "$file" in.csv && "$@" >with 2>&1
	got=$?
	unmarked "$file" >in.csv && "$@" >without 2>&1
	is "$got" "$?" "$what has the same exit status with and without end marks"
	ok "$what ignores end marks" cmp with without
}
cat whole.csv failed.csv >both.csv
same bench-stat both.csv bench-stat in.csv
same 'bench-stat -g metric' both.csv bench-stat -g metric in.csv
same 'bench-stat --diagnose' both.csv bench-stat --diagnose in.csv
same 'bench-compare -b' both.csv bench-compare -q -b n in.csv
same 'bench-compare --history' both.csv bench-compare --history in.csv
same 'bench-compare of two files' both.csv bench-compare --allow-missing whole.csv in.csv
same 'bench-plot bar' both.csv bench-plot --script bar in.csv
same 'bench-plot bar -x metric' both.csv bench-plot --script bar -x metric in.csv
same 'bench-plot flame' profile.csv bench-plot flame in.csv -o -
# The page carries its file along, as it is.
same bench-report both.csv sh -c 'bench-report -q --title t in.csv -o - | grep -v download='
for format in csv json gbench hyperfine go prometheus markdown; do
	same "bench-convert -t $format" whole.csv bench-convert -t "$format" in.csv
done
same 'bench-convert with a name' whole.csv bench-convert --bench x -t json in.csv
same 'bench-convert -t folded' profile.csv bench-convert -t folded in.csv

head -n 1 whole.csv >empty.csv
{ head -n 1 whole.csv && tail -n 1 whole.csv; } >marks.csv
is "$(bench-stat marks.csv 2>&1)" "$(bench-stat empty.csv 2>&1)" "bench-stat counts no rows in a stream of end marks alone"
cat >own.csv <<'.'
run,kind,bench,metric,unit,value
r,command,a,rows,1,7
,,,rows,1,8
.
is "$(bench-stat -s n,mean -g bench,metric own.csv | sed 1d | tr '\n' ' ')" 'a,rows,1,1,7 ,rows,1,1,8 ' \
	"bench-stat treats a metric named rows of a subject, or of no run, as any other"
printf '%s\n' metric,value rows,7 wall,3 | bench-store -q -D own.db add
bench-store -D own.db export | bench-store -q -D again.db add
is "$(bench-store -D again.db export)" "$(bench-store -D own.db export)" \
	"bench-store exports a metric named rows without a unit as any other"
printf 'run,rows\n1,5\n' >wide.csv
is "$(bench-stat -m rows -s n wide.csv | sed 1d)" 'rows,,1' "bench-stat treats a melted column named rows as any other"
done_testing
