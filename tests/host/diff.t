#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-env --diff, and the note of bench-compare on the facts that differ between its sides.
. "${0%/*}/../lib/tap.sh"

# facts ENV LINE...: facts fact,value
facts() {
	env=$1
	shift
	echo env,fact,value
	printf "$env,%s\n" "$@"
}
facts e1 kernel,6.1 governor,powersave load_1min,0.1 'os,"a, b"' turbo,on >old.csv
facts e2 load_1min,0.9 governor,performance 'os,"a, c"' kernel,6.1 openblas,0.3 >new.csv
status 1 "bench-env --diff ends with status 1 if facts differ" bench-env --diff old.csv new.csv
is "$(cat .out)" 'fact,old,new
governor,powersave,performance
os,"a, b","a, c"
turbo,on,
openblas,,0.3' "bench-env --diff prints the facts that differ or that one side lacks"
is "$(bench-env --diff -v old.csv new.csv | sed 1d | cut -d, -f1 | tr '\n' ' ')" 'governor load_1min os turbo openblas ' \
	"bench-env --diff -v also prints facts that change on their own"
is "$(bench-env --diff old.csv - <new.csv | wc -l)" 5 "bench-env --diff reads a side from standard input"
status 0 "bench-env --diff ends with status 0 if no facts differ" bench-env --diff old.csv old.csv
is "$(cat .out)" fact,old,new "bench-env --diff prints only the header if no facts differ"
sed 's/0.1/3.5/' old.csv >later.csv
status 0 "bench-env --diff ignores a change of the load" bench-env --diff old.csv later.csv
status 1 "bench-env --diff -v reports a change of the load" bench-env --diff -v old.csv later.csv
facts e1 kernel,5.0 >earlier.csv
is "$(cat earlier.csv old.csv | bench-env --diff - old.csv | wc -l)" 1 "the last of several values of a fact is compared"
is "$(bench-env --diff --json old.csv new.csv | tr -d ' \n' | cut -c-55)" \
	'[{"fact":"governor","old":"powersave","new":"performanc' "bench-env --diff --json writes JSON"
{ cat old.csv; printf 'bench,metric,value\na,wall,1\n'; } >stream.csv
is "$(bench-env --diff stream.csv new.csv | wc -l)" 5 "bench-env --diff finds facts among measurements"
cat old.csv new.csv >both.csv
printf 'metric,value\nm,1\n' >none.csv
status 2 "bench-env --diff rejects a file with the facts of two envs" bench-env --diff both.csv new.csv
like "$(cat .err)" '^bench-env: both.csv: facts of 2 different envs, where one is needed$' \
	"bench-env --diff says why it rejects a file of two envs"
status 2 "bench-env --diff rejects a file without facts" bench-env --diff old.csv none.csv
like "$(cat .err)" '^bench-env: none.csv: no facts' "bench-env --diff names the file without facts"
status 2 "bench-env --diff reports a missing file" bench-env --diff old.csv nowhere.csv
status 2 "bench-env --diff needs two files" bench-env --diff old.csv
status 2 "bench-env --diff reads standard input only once" bench-env --diff - -
status 2 "bench-env --diff cannot be combined with --check" bench-env --diff -c old.csv new.csv
status 2 "bench-env --diff ends with status 2 if the disk is full" sh -c 'bench-env --diff old.csv new.csv >/dev/full'
bench-env >here.csv
is "$(bench-env | bench-env --diff here.csv - | sed 1d | grep -Ev '^(power_source|energy_|counters)')" '' \
	"bench-env --diff finds no difference between this machine and itself"

# side ENV: values measured there
side() {
	echo env,bench,sample,metric,unit,value
	for i in 1 2 3 4 5 6; do echo "$1,a,$i,wall,ns,10$i"; done
}
side e1 >s1.csv
side e2 >s2.csv
# note FILE...: the note on env
note_of() { bench-compare "$@" 2>&1 >/dev/null | grep 'env differs'; }
sides='bench-compare: env differs between the sides (e1 and e2), so the comparison includes the machines'
is "$(note_of s1.csv s2.csv)" "$sides (join the output of bench-env to the samples to see which facts differ)" \
	"bench-compare says how to see the facts that differ"
cat old.csv s1.csv >f1.csv
cat s2.csv new.csv >f2.csv
is "$(note_of f1.csv f2.csv)" \
	"$sides; facts that differ: governor (powersave and performance), os (a, b and a, c), turbo (on and absent), openblas (absent and 0.3)" \
	"bench-compare lists the facts that differ"
is "$(cat f1.csv f2.csv | note_of -b env -)" '' "bench-compare -b env has no note on env"
is "$(note_of f1.csv s2.csv)" "$sides (join the output of bench-env to the samples to see which facts differ)" \
	"bench-compare says how to see the facts if one side has none"
facts e1 a,1 b,1 c,1 d,1 e,1 f,1 g,1 >many1.csv
facts e2 a,1 b,2 c,2 d,2 e,2 f,2 g,2 >many2.csv
cat many1.csv many2.csv s1.csv >f1.csv
is "$(note_of f1.csv s2.csv | sed 's/.*: //')" 'b (1 and 2), c (1 and 2), d (1 and 2), e (1 and 2), f (1 and 2), and 1 more' \
	"bench-compare lists five facts and counts the others"
{ facts e1 "a,$(printf '%050d' 0)" && facts e2 'a,\033[31mx' && cat s1.csv; } >f1.csv
is "$(note_of f1.csv s2.csv | sed 's/.*: //')" "a ($(printf '%040d' 0)... and \\033[31mx)" \
	"bench-compare shortens long values and escapes control characters"
{ facts e1 a,1 && facts e2 a,1 && cat s1.csv; } >f1.csv
like "$(note_of f1.csv s2.csv)" '; no fact in the input differs$' "bench-compare says that the known facts do not differ"
is "$(note_of -q f1.csv s2.csv)" '' "bench-compare -q omits the note on env"
done_testing
