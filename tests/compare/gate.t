#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Margins by benchmark, warnings, noise floors, --gate and --markdown.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# fields NAME...: these columns of standard input, separated by spaces
fields() { columns "$(echo "$*" | tr ' ' ,)" | tr , ' '; }

# side RUN "BENCH METRIC UNIT FACTOR"...: 20 rows each, about 1e6 times the factor, 1% apart
side() {
	run=$1
	shift
	echo run,bench,sample,metric,unit,value
	for spec in "$@"; do
		echo "$run $spec" | awk '{ for (i = 0; i < 20; i++)
			printf "%s,%s,%d,%s,%s,%.0f\n", $1, $2, i, $3, $4, 1e6 * $5 * (1 + (i * 7 % 20 - 9.5) / 2000) }'
	done
}
side o 'sort wall ns 1' 'find wall ns 1' 'sort max_rss B 1' 'grep rate 1/s 1' >old.csv
side n 'sort wall ns 1.04' 'find wall ns 1.1' 'sort max_rss B 1.5' 'grep rate 1/s 1.2' >new.csv
verdicts() { bench-compare -q --no-geomean --metric '*' "$@" old.csv new.csv 2>.err |
	fields bench metric verdict margin level | sed 's| |/|' | sort | paste -sd';' | sed 's/ ;/;/g; s/ $//'; }

is "$(verdicts)" 'find/wall worse 0.02 critical;grep/rate better 0.02;sort/max_rss worse 0.02 critical;sort/wall worse 0.02 critical' \
	'all rows have one margin without a table'
cat >margins.csv <<'END'
bench,metric,threshold,better,warning
find,*,20%,,5%
s*t,wall,5%,,3%
*,max_rss,1,higher
grep,,,none
*,wall,50%,,
END
is "$(verdicts --thresholds margins.csv)" \
	'find/wall same 0.2 warning;grep/rate differs 0.02;sort/max_rss better 0.01;sort/wall same 0.05 warning' \
	'the first matching line of the table gives margin, direction and warning'
printf 'bench,metric,threshold\nf*,wall,5%%\nfind,wall,9%%\nsort,max_rss,7%%\nsort,,8%%\n*,wall,6%%\n' >first.csv
is "$(verdicts --thresholds first.csv | tr ';' '\n' | cut -d' ' -f1,3 | paste -sd';')" \
	'find/wall 0.05;grep/rate 0.02;sort/max_rss 0.07;sort/wall 0.08' \
	'the first matching line counts, whether it names the benchmark or has a pattern'
status 0 'a warning does not fail' bench-compare --thresholds margins.csv old.csv new.csv
like "$(cat .err)" '^bench-compare: warning: find: wall \+10\.0%, which is worse but within the margin of 20%$' 'a warning is printed with its change and the margin'
is "$(grep -c warning: .err)" 2 'every warning is printed'
is "$(verdicts --threshold 60% --warn 5%)" \
	'find/wall same 0.6 warning;grep/rate same 0.6;sort/max_rss same 0.6 warning;sort/wall same 0.6' \
	'--warn is a smaller margin for all rows and does not warn of rows that became better'
echo 'bench,metric,threshold' >header.csv
is "$(verdicts --thresholds header.csv)" "$(verdicts)" 'a table of margins without lines changes nothing'
printf 'metric,threshold,bench\r\nwall,100%%,\r\n' >order.csv
is "$(verdicts --thresholds order.csv)" \
	'find/wall same 1;grep/rate better 0.02;sort/max_rss worse 0.02 critical;sort/wall same 1' \
	'the columns of the table are found by name, and an empty pattern matches everything'
{ cat old.csv; tail -n +2 new.csv; } >both.csv
is "$(bench-compare -q -b run --thresholds margins.csv both.csv 2>/dev/null | column margin - | head -4 | paste -sd' ')" \
	'0.05 0.2 0.01 0.02' 'a table of margins also applies to the sides of -b'
{
	echo bench,sample,metric,unit,value
	sed -n '/,sort,.*wall/{ s/,sort//; s/^o/sort/; s/^n/find/; p; }' both.csv
} >benches.csv
is "$(bench-compare -q -b bench --thresholds margins.csv benches.csv | column margin -)" 0.2 \
	'-b bench matches the lines of the table against the new side'
# refused TABLE MESSAGE DESCRIPTION
refused() {
	printf %b "$1" >bad.csv
	status 2 "$3" bench-compare --thresholds bad.csv old.csv new.csv
	like "$(cat .err)" "^bench-compare: $2\$" 'the refused table is reported in one line'
}
refused '' 'bad.csv: the file is empty' 'an empty table is refused'
refused 'bench,metric\n' "bad.csv:1: the column 'threshold' is missing" 'a table without margins is refused'
refused 'bench,metric,threshold,color\n' "bad.csv:1: unknown column 'color' \(.*\)" 'an unknown column is refused'
refused 'bench,bench,metric,threshold\n' "bad.csv:1: duplicate column 'bench'" 'a doubled column is refused'
refused 'bench,metric,threshold\na,wall,much\n' "bad.csv:2: 'much'.*" 'a margin that is no number is refused'
refused 'bench,metric,threshold\na,wall,-3%\n' "bad.csv:2: '-3%' is not .*" 'a margin below zero is refused'
refused 'bench,metric,threshold,better\n\na,wall,3,more\n' 'bad.csv:3: better must be lower, higher or none' 'an unknown direction is refused'
refused 'bench,metric,threshold,warning\na,wall,3,3\n' 'bad.csv:2: the warning must be below the threshold' 'a warning at the threshold is refused'
refused 'bench,metric,threshold\na,wall,3,4\n' 'bad.csv:2: 4 fields, but the header has 3 columns' 'a long line is refused'
status 2 'a missing table of margins ends with status 2' bench-compare --thresholds nowhere.csv old.csv new.csv
printf 'bench,metric,threshold,warning\nfind,wall,,3%%\n' >usual.csv
status 2 'a warning that is not below the usual margin is refused' bench-compare --thresholds usual.csv old.csv new.csv
status 1 'a warning that is below the margin of --threshold is taken' bench-compare --threshold 4% --thresholds usual.csv old.csv new.csv
printf 'bench,metric,threshold\n*,wall,5%%\nfind,wall,9%%\nfnid,,9%%\ngrep,,9%%\n' >unused.csv
bench-compare --thresholds unused.csv old.csv new.csv 2>.err >.out
like "$(cat .err)" 'unused.csv:3: no row uses this line; 1 more line likewise' \
	'lines of the table that match no row are reported'
unlike "$(bench-compare -q --thresholds unused.csv old.csv new.csv 2>&1)" 'unused.csv' '-q does not report lines of the table that match no row'
side m "sort wall ns 1" "find wall ns 1" "sort max_rss B 1" "grep rate 1/s 1" >old2.csv
for line in 'find,max_rs,5%' '*,max_heap*,5%' ',max_rs,,lower'; do
	printf 'bench,metric,threshold,better\n%s\n' "$line" >unmet.csv
	status 2 "a threshold of a metric without values ends with status 2 ($line)" bench-compare -q --thresholds unmet.csv old.csv old2.csv
	like "$(cat .err)" "cannot decide: unmet.csv:2: no value of 'max_.*', which this line names" "the line with a metric without values is reported ($line)"
done
status 0 '--allow-missing accepts a threshold of a metric without values' bench-compare -q --allow-missing --thresholds unmet.csv old.csv old2.csv
status 0 'a threshold of a metric that --metric leaves out is accepted' bench-compare -q --metric wall --thresholds unmet.csv old.csv old2.csv
for line in 'fnid,max_rs,5%' 'find,,5%' 'find,max_rs,5%,none'; do
	printf 'bench,metric,threshold,better\n%s\n' "$line" >met.csv
	status 0 "a line that demands no decision about a benchmark of the input is accepted ($line)" bench-compare -q --thresholds met.csv old.csv old2.csv
done
printf '\357\273\277bench,metric,threshold\r\n"find","wall",50%%\r\n' >windows.csv
is "$(bench-compare -q --thresholds windows.csv old.csv new.csv | grep ^find | cut -d, -f20)" 0.5 \
	'a table with a byte order mark, quotes and carriage returns is read'
status 2 'a warning beyond the threshold is refused' bench-compare --warn 5% old.csv new.csv
like "$(cat .err)" 'warn 5% must be at least 0% and below the threshold, 2%' 'the refused warning is reported with its bounds'

# The noise of identical code, from A/A rows. b / a is between 0.96 and 1.06.
aa() { # RUN FACTOR: 20 blocks of a and b
	awk -v run="$1" -v factor="$2" 'BEGIN { for (i = 0; i < 20; i++) for (k = 0; k < 2; k++)
		printf "%s,sort,%s,%d,wall,ns,%.0f\n", run, k ? "b" : "a", i,
			factor * 1e6 * (1 + i / 100) * (k ? 0.96 + (i * 7 % 20) / 190 : 1) }'
}
aa_header=run,bench,aa,sample,metric,unit,value
{ echo $aa_header; aa o 1; } >aa_old.csv
bench-compare -q -b aa aa_old.csv >direct.csv
is "$(column basis direct.csv),$(column floor direct.csv),$(column n_old direct.csv)" block,,20 \
	'-b aa compares the halves themselves, in blocks'
bound=$(fields ratio_lo ratio_hi <direct.csv |
	awk '{ a = -log($1); b = log($2); printf "%.9f", exp(a > b ? a : b) - 1 }')
side n 'sort wall ns 1.13' >plain.csv
bench-compare -q aa_old.csv plain.csv >.out
is "$(column floor .out | awk '{ printf "%.9f", $1 }')" "$bound" \
	"the floor ($bound) is the farther end of the interval of the halves"
is "$(column margin .out)" "$(column floor .out)" 'a floor above the threshold is the margin'
bench-compare aa_old.csv plain.csv >/dev/null 2>.err
like "$(cat .err)" '^bench-compare: the noise floor exceeds the threshold in 1 of 1 rows \(up to [23]\.[0-9]+%, sort: wall\), so' \
	'noise above the threshold is reported'
unlike "$(bench-compare --threshold 5% aa_old.csv plain.csv 2>&1)" 'noise' 'noise below the threshold is not reported'
is "$(column n_old .out)" 40 'both halves are samples of the subject in the comparison'
{ echo $aa_header; aa n 1.02; } >aa_new.csv
{ echo $aa_header; aa x 1; aa x 1.024 | sed 's/,sort,/,sort2,/'; } >twins.csv
bench-compare -q -b bench twins.csv >.out
is "$(column basis .out),$(column n_old .out)" block,40 'a half of a run is paired with the same half of the other subject'
is "$(column ratio .out | awk '{ printf "%.6f", $1 }')" 1.024000 'a half of a run is paired with the same half of the same block'
like "$(column verdict .out),$(column floor .out)" '^same,0\.02[5-9]' 'a change within the floor is not worse'
status 1 'the same change without halves is worse' sh -c "grep -v ,b, twins.csv | sed 's/,a,/,,/' | bench-compare -q -b bench"
sed 's/,a,/,,/; s/,b,/,,/' aa_old.csv >no_aa.csv
is "$(bench-compare -q --floor aa_old.csv plain.csv plain.csv | column floor - | awk '{ printf "%.9f", $1 }')" \
	"$bound" '--floor takes the floor from another stream'
head -n 6 plain.csv >five.csv
is "$(bench-compare -q --floor aa_old.csv five.csv plain.csv | column floor - | awk '{ printf "%.6f", $1 }')" \
	"$(awk "BEGIN { printf \"%.6f\", (1 + $bound) ^ sqrt(20 / 5) - 1 }")" \
	'the floor of 20 pairs is wider, by the square root, for a comparison of 5 values'
side_floor() { bench-compare -q -b "$1" --floor "$2" "${3:-both_sides.csv}" | column floor - | awk '{ printf "%.9f", $1 }'; }
{ sed 's/^[^,]*/&,side,commit/;1!s/,side,commit/,old,c1/' plain.csv; tail -n +2 plain.csv | sed 's/^[^,]*/p,new,c2/'; } >both_sides.csv
is "$(side_floor side aa_old.csv)" "$bound" 'the stream of --floor may lack the column of the sides'
sed '1s/$/,side/; 1!s/$/,new/' aa_old.csv >aa_new_side.csv
is "$(side_floor side aa_new_side.csv)" "$bound" 'the stream of --floor may have only one of the sides'
is "$(sed 's/,new$/,other/' aa_new_side.csv >aa_other.csv; side_floor side aa_other.csv)" 0.000000000 'the stream of --floor has no effect when it has none of the sides'
sed '1s/$/,commit/; 1!s/$/,c9/' aa_old.csv >aa_commit.csv
cut -d, -f1,3- both_sides.csv >both_commits.csv
is "$(side_floor commit aa_commit.csv both_commits.csv)" "$bound" 'the stream of --floor may come from any commit'
{ echo $aa_header; aa o 1 | head -n 6; } >few.csv
is "$(bench-compare -q few.csv plain.csv | column floor -)" '' 'three pairs, which have no interval, have no floor'
like "$(bench-compare few.csv plain.csv 2>&1)" 'the A/A rows are too few for a noise floor in 1 of 1 rows \(sort: wall\)' \
	'A/A rows without an interval are reported'
{ echo $aa_header; aa o 1 | head -n 2 | sed '2s/[0-9]*$/9000000/'; } >one_pair.csv
side o 'sort wall ns 1' >slow_old.csv
side n 'sort wall ns 1.5' >slow_new.csv
status 1 'a pair of A/A rows does not hide a slowdown' bench-compare -q --floor one_pair.csv slow_old.csv slow_new.csv
is "$(bench-stat -s n aa_old.csv | tail -n 1)" 'sort,wall,ns,40' 'bench-stat takes both halves as samples of one subject'
is "$(bench-stat -g aa -s n aa_old.csv | tail -n 1)" 'b,wall,ns,20' 'bench-stat -g aa keeps the halves apart'
ok 'bench-store takes in streams with halves' bench-store -q -D aa.db add aa_old.csv
is "$(bench-store -D aa.db export | bench-stat -g aa -s n - | tail -n 1)" 'b,wall,ns,20' 'bench-store keeps the halves apart'
printf 'aa,metric,value\nx,m,1\n' >foreign.csv
status 2 'a column aa with other values than a and b is refused' bench-stat foreign.csv
like "$(cat .err)" "foreign.csv:2: aa: 'x' is not a or b" 'the refusal names the line and the values of the column aa'

# A/A rows that bench-run measures, for all kinds of subjects.
measured() { timeout 100 bench-run -q -e none -w 0 --commit none --csv "$@" 2>.err; }
# halves FILE: how many successful wall rows each half has
halves() { fields metric aa status <"$1" | sed -n 's/^wall \([ab]\) ok$/\1/p' | sort | uniq -c | paste -sd' ' | tr -s ' ' | sed 's/^ //'; }
measured --aa -r 8 -c 'echo {aa}' --extract 'said=([0-9]+)' >command.csv
is "$(halves command.csv)" '8 a 8 b' 'bench-run --aa measures a command against itself'
is "$(unmarked command.csv | fields bench | sort -u)" 'echo {aa}' 'bench-run --aa does not pass the half to the command'
is "$(fields metric sample aa <command.csv | grep wall | head -n 4 | paste -sd';')" \
	'wall 0 a;wall 0 b;wall 1 a;wall 1 b' 'bench-run --aa measures both halves in the same blocks'
measured --aa -r 4 --processes 2 -f "$BUILD/lib/benchutils/basics.so:*sort*" -P n=10 >function.csv
is "$(fields metric aa <function.csv | grep -c '^wall a')" "$(fields metric aa <function.csv | grep -c '^wall b')" \
	'bench-run --aa measures a function as often in both halves'
measured --aa -r 3 --processes 2 -k gemm -b ref -P m=4 -P n=4 -P k=4 >kernel.csv
is "$(halves kernel.csv)" '6 a 6 b' 'bench-run --aa measures a kernel as often in both halves'
measured --aa -r 6 --processes 1 -b ref -M gpt2 -P layers=1 -P hidden=32 -P heads=2 -P ff=64 -P vocab=100 \
	-P seq=4 >model.csv
is "$(halves model.csv)" '6 a 6 b' 'bench-run --aa measures a model as often in both halves'
measured --aa -r 2 -J 1,2 -c true >workers.csv
is "$(fields metric aa workers status <workers.csv | grep -c '^speedup [ab] 2 ok')" 4 'bench-run --aa with workers has a speed-up for each half'
for kind in command function kernel model; do
	bench-compare -q --no-geomean --allow-missing $kind.csv $kind.csv >.out
	is "$(fields metric verdict <.out | grep -c ' worse'),$(fields metric floor <.out | grep -c '^wall .')" \
		"0,$(fields metric <.out | grep -c '^wall$')" "all wall times of a $kind with A/A rows have a floor"
done
status 2 '--aa with a sequential order is refused' bench-run --aa -O sequential -- true
like "$(cat .err)" 'cannot be combined with --order sequential' 'the refusal names --order sequential'
status 2 '--aa with a label aa is refused' bench-run --aa --label aa=x -- true
like "$(cat .err)" "adds the column 'aa'" 'the refusal says that --aa makes the column'

# The noise of identical code, from history: runs of the same commit.
history() { # VALUES...: a run each; "commit=X" goes before those of a commit
	echo run,commit,bench,sample,metric,unit,value
	for value in "$@"; do
		case $value in
		*=*) commit=${value#*=} ;;
		*) for s in 0 1 2; do echo "h$((n += 1)),$commit,sort,$s,wall,ns,$value"; done ;;
		esac
	done | awk -F, -v OFS=, '{ $1 = "h" int((NR - 1) / 3); print }'
}
history commit=c1 1000 1030 990 commit=c2 2000 2100 commit=c3-dirty 1 1000 commit=c4 700 >history.csv
bench-compare -q --floor history.csv old.csv new.csv >.out
floor=$(fields bench metric floor <.out | sed -n 's/^sort wall //p')
if skip_unless R 'the floor of history agrees with R'; then
	cat >floor.R <<'END'
x <- log(c(1000, 1030, 990, 2000, 2100)); g <- factor(c(1, 1, 1, 2, 2))
s <- summary(lm(x ~ g))$sigma
want <- expm1(qt(0.975, 3) * s * sqrt(2))
cat(abs(as.numeric(commandArgs(TRUE)[1]) / want - 1) < 1e-12)
END
	is "$(Rscript --vanilla floor.R "$floor" 2>/dev/null)" TRUE "the floor of history ($floor) agrees with R"
fi
is "$(column floor .out | awk '$1 != ""' | wc -l)" 1 'a benchmark without history has no floor'
like "$(fields bench metric verdict <.out)" '^sort wall (unsure|same)$' 'a change within the floor of history is not worse'
history commit=c1 1000 1030 >short_history.csv
is "$(bench-compare -q --floor short_history.csv old.csv new.csv | column floor - | sort -u)" '' 'two runs of a commit are too few for a floor'
history commit=c1 1000 1001 1000.5 >quiet.csv
is "$(bench-compare -q --floor quiet.csv old.csv new.csv |
	fields bench metric verdict margin | grep '^sort wall')" 'sort wall worse 0.02' 'a floor below the threshold changes nothing'
is "$(bench-compare -q -b bench --floor history.csv twins.csv | column floor -)" \
	"$(bench-compare -q -b bench twins.csv | column floor -)" 'the floor of history does not apply to blocks of one run'
{ cat aa_old.csv; tail -n +2 aa_old.csv; } >aa_twice.csv
is "$(bench-compare -q --floor aa_twice.csv plain.csv plain.csv)" \
	"$(bench-compare -q --floor aa_old.csv plain.csv plain.csv)" 'duplicate rows do not change the floor'
status 2 '--floor is refused when the halves themselves are compared' bench-compare -b aa --floor history.csv aa_old.csv
like "$(cat .err)" 'does not apply when the halves in the column aa are compared' 'the refusal of --floor says that the halves themselves are compared'
status 2 '--floor is refused when -g groups by the halves' bench-compare -g bench,aa --floor history.csv aa_old.csv aa_new.csv
status 2 '--floor refuses standard input' bench-compare --floor - old.csv new.csv
status 2 '--floor refuses a file that does not exist' bench-compare --floor nowhere.csv old.csv new.csv

# The rate of false alarms on identical code, without correction.
gauss='function gauss(  z, k) { for (k = 0; k < 12; k++) z += rand() - 0.5; return z }'
# runs KIND SEED COMMITS RUNS: runs of 200 benchmarks, which vary by 3% between runs and by 1% within
runs() {
	awk -v kind="$1" -v seed="$2" -v commits="$3" -v runs="$4" "$gauss"'
	BEGIN { srand(seed); print "run,commit,bench,sample,metric,unit,value"
		for (b = 0; b < 200; b++) for (c = 0; c < commits; c++) for (r = 0; r < runs; r++) {
			level = 1e7 * exp(0.03 * gauss())
			for (s = 0; s < 6; s++) printf "%s%d_%d,%s%d,b%d,%d,wall,ns,%.0f\n", kind, c, r, kind, c, b, s,
				level * exp(0.01 * gauss()) } }'
}
alarms() { bench-compare -q --no-geomean --adjust none "$@" | column verdict - | grep -c -e worse -e better; }
runs o 1 1 1 >one_old.csv
runs n 2 1 1 >one_new.csv
runs h 3 4 3 >many.csv
without=$(alarms one_old.csv one_new.csv) with=$(alarms --floor many.csv one_old.csv one_new.csv)
ok "the floor of history reduces false alarms with one run on each side ($without of 200 without it, $with with it)" \
	test "$without" -gt 60 -a "$with" -le 20
# Functions in 5 processes whose layout varies by 3%, in blocks that drift by 20%.
awk "$gauss"'
BEGIN { srand(4); print "run,bench,side,aa,process,sample,metric,unit,value"
	for (b = 0; b < 100; b++) for (p = 0; p < 5; p++) {
		for (v = 0; v < 4; v++) layout[v] = exp(0.03 * gauss())
		for (s = 0; s < 6; s++) { drift = 1 + 0.2 * rand()
			for (v = 0; v < 4; v++) printf "r,b%d,%s,%s,%d,%d,wall,ns,%.0f\n", b, v < 2 ? "old" : "new",
				v % 2 ? "b" : "a", p, s, 1e7 * drift * layout[v] * exp(0.005 * gauss()) } } }' >layout.csv
with=$(alarms -b side layout.csv)
ok "comparing 100 identical functions with A/A rows gives few false alarms ($with)" test "$with" -le 5
awk -F, -v OFS=, '$3 == "new" { $NF = sprintf("%.0f", $NF * 1.2) } { print }' layout.csv >slower.csv
found=$(alarms -b side slower.csv)
ok "of 100 functions that are a fifth slower, $found are found" test "$found" -ge 90

# A comparison of many commits, each with a different benchmark, needs little memory.
if skip_unless unsanitized '3,000 commits with a benchmark each'; then
	awk 'BEGIN { print "run,commit,bench,metric,unit,value"
		for (i = 0; i < 3000; i++) printf "r%d,c%d,b%d,wall,ns,%d\n", i, i, i, i + 1 }' >commits.csv
	prlimit --as=100000000 bench-compare -q --allow-missing -b commit commits.csv >.out 2>.err
	is "$?,$(wc -l <.out),$(wc -l <.err)" 2,5999,1 '3,000 commits with a benchmark each take little memory'
fi

# --gate.
status 1 '--gate fails when something is worse' bench-compare --gate --metric '*' old.csv new.csv
is "$(sed 's/\[+[0-9.]*%, +[0-9.]*%\]/[]/' .out)" 'worse: sort: max_rss 976.6 KiB -> 1.431 MiB, +50.0% [], margin 2%
worse: find: wall 1.000 ms -> 1.100 ms, +10.0% [], margin 2%
worse: sort: wall 1.000 ms -> 1.040 ms, +4.0% [], margin 2%
FAIL: 4 compared: 3 worse, 0 warnings, 0 unsure, 1 better, 0 same' '--gate prints the worst rows first and the counts last'
status 0 '--gate passes when nothing is worse' bench-compare --gate --thresholds margins.csv old.csv new.csv
is "$(tail -n 1 .out)" 'PASS: 4 compared: 0 worse, 2 warnings, 0 unsure, 1 better, 0 same, 1 different' '--gate prints the counts when it passes'
is "$(grep -c ^warning: .out),$(grep -c warning: .err)" 2,0 '--gate prints warnings to standard output alone'
{ head -n 1 new.csv; grep 'sort,.*wall' new.csv | awk -F, -v OFS=, '{ $NF = $NF + (NR % 3 - 1) * 9e4 - 3e4; print }'; } >short.csv
status 0 '--gate passes when a row is unsure' bench-compare -q --gate --metric '*' --allow-missing old.csv short.csv
is "$(tail -n 1 .out)" 'PASS: 1 compared: 0 worse, 0 warnings, 1 unsure, 0 better, 0 same, 3 on one side only' '--gate counts rows that are unsure'
status 2 '--gate fails when a subject has vanished' bench-compare -q --gate --metric '*' new.csv short.csv
is "$(tail -n 1 .out)" 'FAIL: 1 compared: 0 worse, 0 warnings, 1 unsure, 0 better, 0 same, 3 on one side only, 2 vanished, 1 without a new value' '--gate counts subjects that have vanished'
bench-compare --metric '*' new.csv short.csv >/dev/null 2>.err
like "$(cat .err)" '^bench-compare: vanished: bench=find: no successful sample' 'bench-compare reports reasons on standard error with a table'
bench-compare --markdown --metric '*' new.csv short.csv >.out 2>.err
like "$(cat .err)" '^bench-compare: vanished: bench=find: no successful sample' 'bench-compare reports reasons on standard error with --markdown'
unlike "$(bench-compare -q --allow-missing old.csv short.csv 2>&1)" unsure: '-q does not report rows that are unsure'
like "$(bench-compare -q --unsure warn --allow-missing old.csv short.csv 2>&1)" '^bench-compare: unsure: sort: wall .*; measure about [0-9]+ more samples of each side$' \
	'--unsure warn reports rows that are unsure in spite of -q'
{ head -n 1 old.csv; grep 'sort,.*wall' old.csv; echo o,find,0,wall,ns,1; } >uneven_old.csv
printf '%s\n' run,bench,sample,metric,unit,value n,sort,0,wall,ns,1 n,find,0,wall,ns,2 >uneven_new.csv
is "$(bench-compare --gate uneven_old.csv uneven_new.csv | head -n 1)" \
	'cannot decide: find: wall: no difference can be significant with 1 sample of each side if 2 rows are compared; measure at least 5 samples of each side; the same holds for 1 more row' \
	'--gate names the row that needs the most values'
# A file that is compared with itself, or with its copy.
sed 's/^n,/o,/' new.csv >same_run.csv
cp new.csv copy.csv
status 2 '--gate fails if both files have the same samples' bench-compare --gate --junit self.xml new.csv copy.csv
is "$(cat .out)" 'cannot decide: copy.csv has the same samples as new.csv; compare two measurements
FAIL: 3 compared: 0 worse, 0 warnings, 0 unsure, 0 better, 3 same, same samples on both sides' '--gate reports that both files have the same samples'
is "$(grep -c '<error message="cannot decide: copy.csv has' self.xml)" 1 '--junit has a case for files with the same samples'
{ sed 's/,wall,/,calls,/; s/,ns,.*/,1,7/' new.csv | grep -e calls -e run; } >calls.csv
status 0 '--gate accepts equal counts that never vary' bench-compare -q --gate --metric calls calls.csv calls.csv
unlike "$(bench-compare --gate old.csv same_run.csv)" 'same samples' '--gate compares different samples of one run'
# usage OPTIONS MESSAGE: these options are refused
usage() {
	# shellcheck disable=SC2086
	status 2 "bench-compare refuses $1" bench-compare $1 old.csv new.csv
	like "$(cat .err)" "$2" "bench-compare explains why it refuses $1"
}
awk 'BEGIN { print "run,bench,side,sample,metric,unit,value,status"
	for (i = 0; i < 10; i++) print "r,sort,old," i ",wall,ns,,failed\nr,sort,new," i ",wall,ns," 1e6 + i ",ok" }' >failed_first.csv
status 2 'a side of -b whose samples all fail can be the old side' bench-compare --gate -b side failed_first.csv
is "$(head -n 1 .err)" "bench-compare: old is side 'old'" 'the first side of -b is the old side though its samples fail'
for unmeasured in skipped unsupported denied; do
	awk -v status=$unmeasured 'BEGIN { print "run,bench,side,sample,metric,unit,value,status"; print "r,sort,old,,wall,ns,," status
		for (i = 0; i < 10; i++) print "r,sort,new," i ",wall,ns," 1e6 + i ",ok\nr,sort,newer," i ",wall,ns," 2e6 + i ",ok" }' |
		bench-compare -b side --gate >.out 2>.err
	is "$(head -n 1 .err)" "bench-compare: old is side 'new'" "a side of -b whose subjects are all $unmeasured is not the old side"
done
awk 'BEGIN { print "run,bench,side,sample,metric,unit,value"
	for (i = 0; i < 10; i++) print "r,sort,old," i ",ok,1,0\nr,sort,new," i ",ok,1,0" }' >never.csv
status 2 '--gate fails if no sample of either side succeeds' bench-compare --gate -b side never.csv
is "$(tail -n 1 .err)" 'bench-compare: nothing could be compared: no subject and metric has successful samples on both sides' \
	'sides that have the same subjects without a success do not seem to have different ones'
failures() { # RUN COUNT: ten samples, of which COUNT failed
	awk -v run="$1" -v bad="$2" 'BEGIN { print "run,bench,sample,metric,unit,value,status"
		for (i = 0; i < 10; i++) print run ",sort," i ",wall,ns," (i < bad ? ",failed" : 1e6 + i ",ok") }'
}
failures o 1 >one_failed.csv
failures n 5 >five_failed.csv
status 1 'five failures after one fail with --unsure fail' bench-compare -q --gate --unsure fail --junit more.xml one_failed.csv five_failed.csv
is "$(cat .out)" "unsure: bench=sort: 5 of 10 samples failed in 'five_failed.csv', 1 of 10 in 'one_failed.csv', p 0.07
FAIL: 1 compared: 0 worse, 0 warnings, 0 unsure, 0 better, 1 same, 1 perhaps failing more often" '--gate reports failures that may be chance'
is "$(grep -c '<failure' more.xml)" 1 '--junit has a case for failures that may be chance'
for run in o n; do
	awk -v run=$run 'BEGIN { print "run,bench,sample,metric,unit,value"
		for (i = 0; i < 10; i++) print run ",sort," i ",wall,ns," (i ? 1 : 1000) }' >wide_$run.csv
done
is "$(bench-compare -q --gate --test welch wide_o.csv wide_n.csv | head -n 1)" \
	'cannot decide: sort: wall: the test has no interval for these values' '--gate names a row without an interval'
usage '--unsure maybe' "--unsure: unknown value 'maybe' .there are: pass, warn, fail."
usage '--worst 0.9' "--worst: '0.9' is not a ratio of at least 1, such as 1.25"
usage '--worst 25%' "--worst: '25%' is not a ratio of at least 1, such as 1.25"
usage '--worst 2 --history' '--worst cannot be combined with --history'
usage '--unsure fail --history' '--unsure cannot be combined with --history'
i=0
while [ $((i += 1)) -le 22 ]; do grep ',sort,.*wall' old.csv | sed "s/,sort,/,b$i,/"; done | sed '1irun,bench,sample,metric,unit,value' >many.csv
{ cat many.csv; echo n,a,0,wall,ns,1; } | sed 's/,b[0-9]*,/,a,/' >one.csv
{ cat many.csv && sed 1d one.csv; } >more.csv
is "$(bench-compare --gate more.csv one.csv | grep -c ^vanished:),$(bench-compare --gate more.csv one.csv | grep '^vanished: [0-9]')" \
	'21,vanished: 2 more subjects have no successful sample' '--gate prints at most 20 lines of a kind'
sed 's/,sort,/,other,/; s/,find,/,other2,/; s/,grep,/,other3,/' new.csv >others.csv
status 2 '--gate fails when nothing can be compared' bench-compare -q --gate old.csv others.csv
is "$(tail -n 1 .out)" 'FAIL: nothing could be compared, 8 on one side only, 3 vanished' '--gate says that nothing could be compared'
status 0 '--allow-missing accepts that all benchmarks were renamed' bench-compare -q --gate --allow-missing old.csv others.csv
is "$(tail -n 1 .out)" 'PASS: nothing could be compared, 8 on one side only' '--gate says that nothing could be compared when it passes'
like "$(cat .err)" "others.csv has 'other', 'other2', 'other3'; the sides have different values of bench\$" 'accepted new names are reported'
{ sed 's/$/,status/; 1q' others.csv; sed -n '2s/[^,]*$/,failed/p' others.csv; } >fails.csv
status 1 '--allow-missing accepts no side whose samples fail' bench-compare -q --gate --allow-missing old.csv fails.csv
status 125 '--bisect skips a commit whose benchmarks were renamed' bench-compare -q --bisect --allow-missing old.csv others.csv
unlike "$(cat .err)" allow-missing '--bisect suggests no option that does not apply'
status 125 '--bisect skips a commit when nothing can be compared' bench-compare -q --bisect --gate old.csv others.csv
for pair in '--gate --markdown' '--gate --csv' '--markdown --json' '--gate --table' '--gate --no-geomean' '--gate -s p' '--markdown -s p'; do
	# shellcheck disable=SC2086
	status 2 "$pair is refused" bench-compare $pair old.csv new.csv
done
status 2 'a full disk under --gate ends with status 2' sh -c 'bench-compare --gate old.csv new.csv >/dev/full'
status 2 'a full disk under --markdown ends with status 2' sh -c 'bench-compare --markdown old.csv new.csv >/dev/full'

# --markdown.
status 1 '--markdown fails when something is worse' bench-compare -q --markdown --metric '*' old.csv new.csv
is "$(head -n 7 .out | sed 's/\[+[0-9.]*%, +[0-9.]*%\] | [0-9.e-]* |$/[] | |/')" '**FAIL: 4 compared: 3 worse, 0 warnings, 0 unsure, 1 better, 0 same**

| verdict | benchmark | metric | old | new | change | p |
|---|---|---|--:|--:|--:|--:|
| **worse** | <code>sort</code> | <code>max&#95;rss</code> | 976.6 KiB | 1.431 MiB | +50.0% [] | |
| **worse** | <code>find</code> | <code>wall</code> | 1.000 ms | 1.100 ms | +10.0% [] | |
| **worse** | <code>sort</code> | <code>wall</code> | 1.000 ms | 1.040 ms | +4.0% [] | |' \
	'--markdown prints a table with the worst rows first'
like "$(cat .out)" '^\| better \| <code>grep</code>' '--markdown prints the rows that became better'
like "$(tail -n 1 .out)" '^\| <code>wall</code> \| 2 \| \+7\.0% \[.*\] \|$' '--markdown prints geometric means'
for side in old new; do
	awk -v side=$side 'BEGIN { print "bench,run,sample,metric,unit,value"
		for (i = 0; i < 7; i++) print "x," side "," i ",wall,ns," (side == "new" ? 9000 + i : i ? 10 + i : 1000) }' >$side.means.csv
done
status 1 'a ratio of means without an upper end may be worse' bench-compare -q --test welch --markdown old.means.csv new.means.csv
like "$(cat .out)" '\*worse\*.*\+5729\.9% \[\+1703\.2%, no limit\]' '--markdown prints an interval of means that has no upper end'
bench-compare -q --markdown --no-geomean --thresholds margins.csv old.csv old.csv >.out
is "$(grep -c '^| same' .out),$(sed -n '/^<details>/,$p' .out | head -n 3)" '4,<details><summary>4 the same</summary>

| verdict | benchmark | metric | old | new | change | p |' '--markdown collapses the rows that are the same'
is "$(sed -n '/^|/p; /^<details/q' .out)" '' '--markdown has no other table if all rows are the same'
bench-compare -q --markdown --allow-missing old.csv short.csv >.out 2>/dev/null
like "$(cat .out)" '^<details><summary>1 unsure</summary>$' '--markdown collapses the rows that are unsure'
like "$(cat .out)" '^<sub>each interval is at 95%</sub>$' '--markdown names the confidence of the interval of a row'
like "$(bench-compare -q --markdown old.csv new.csv 2>/dev/null)" \
	'<sub>each interval is at 95%, not corrected for the number of rows&#59; p is corrected for [0-9]+ rows</sub>' \
	'--markdown says that p is corrected and intervals are not'
like "$(cat .out)" '^\| unsure, needs [0-9]+ more values \| <code>sort' '--markdown says how many more values an unsure row needs'
like "$(cat .out)" '^- <code>vanished&#58; bench=find&#58; no successful sample in &#39;short\.csv&#39;</code>$' '--markdown lists the subjects that vanished'
evil='a|b`c`<script>@you#1*x*_y_[l](http://z)\&amp;~s~'
awk -v evil="$evil" 'BEGIN { FS = OFS = "," } { sub(/find/, "%"); i = index($0, "%")
	if (i) $0 = substr($0, 1, i - 1) evil substr($0, i + 1); print }' old.csv >evil_old.csv
awk -v evil="$evil" 'BEGIN { FS = OFS = "," } { sub(/find/, "%"); i = index($0, "%")
	if (i) $0 = substr($0, 1, i - 1) evil substr($0, i + 1); print }' new.csv >evil_new.csv
bench-compare -q --markdown evil_old.csv evil_new.csv >.out
is "$(grep -c 'a&#124;b&#96;c&#96;&#60;script&#62;&#64;you&#35;1&#42;x&#42;&#95;y' .out)" 1 'characters of markup in names are written as entities'
is "$(sed 's/<\/*\(code\|details\|summary\|sub\)>//g' .out | grep -c '[<>`\\@]')" 0 'names in a summary in Markdown cannot add markup'
if skip_unless cmark-gfm 'a reader of Markdown shows the names as they are'; then
	cmark-gfm --unsafe -e table -e autolink -e strikethrough .out >.html
	like "$(grep -F '<td><code>a|b`c`&lt;script&gt;@you#1*x*_y_[l](http:' .html)" . \
		'a reader of Markdown shows the names as they are'
	is "$(grep -c '<td' .html | awk '{ print ($1 == 31) }'),$(grep -c '<a \|<em>\|<del>' .html)" 1,0 'names stay in their cells and are no links'
fi
# --- the names of subjects that are compared by their benchmark

awk 'BEGIN { print "bench,sample,metric,unit,value"; for (s = 0; s < 9; s++) printf "gzip -c,%d,wall,ns,%d\nzstd -c,%d,wall,ns,%d\n", s, 900 + s, s, 300 + s }' >benches.csv
like "$(bench-compare -b bench --markdown benches.csv)" '[|] better [|] <code>zstd -c</code> [|]' "a benchmark that is compared with another has its plain name"
like "$(sed 's/^bench/backend/' benches.csv | bench-compare -b backend --markdown -)" '<code>backend=zstd -c</code>' \
	"another column that is compared has its name"

# Samples of the old side on the new side, and units that differ
# five_samples FACTOR NAME...: runs of five samples
five_samples() {
	factor=$1
	shift
	echo run,bench,sample,metric,unit,value
	for name in "$@"; do
		echo "$name $factor" | awk '{ for (i = 0; i < 5; i++)
			printf "%s,sort,%d,wall,ns,%.0f\n", $1, i, 1e6 * $2 * (1 + (i + substr($1, 2)) % 7 / 1000) }'
	done
}
five_samples 1 o1 o2 o3 o4 o5 o6 o7 o8 >old8.csv
five_samples 1.1 n1 n2 n3 n4 n5 n6 n7 n8 >new8.csv
status 1 'eight runs that are worse fail' bench-compare --gate old8.csv new8.csv
cat old8.csv new8.csv >appended.csv
status 2 'a new file that also has the old runs is not decided' bench-compare --gate old8.csv appended.csv
like "$(cat .out)" '^cannot decide: appended.csv has samples that are also in old8.csv; compare two measurements$' \
	'a new file that also has the old runs is named'
{ cat old8.csv && five_samples 1.5 n1; } >appended.csv
status 2 'a new file with the old runs and a worse one is not decided' bench-compare --gate old8.csv appended.csv
status 2 'an old file that also has the new runs is not decided' bench-compare --gate appended.csv old8.csv
{ cat old8.csv && five_samples 1.003 n1; } | sed 's/^o8\(.*\)...$/o8\1999/' >pairs.csv
status 0 'runs on both sides with other values are compared' bench-compare --gate old8.csv pairs.csv
{ cat old8.csv && sed 's/wall,ns/latency,ns/' old8.csv; } >old2.csv
{ sed 's/wall,ns,\([0-9]*\)/wall,s,0.00\1/' new8.csv && sed 's/^o/m/; s/wall,ns/latency,ns/' old8.csv; } >new2.csv
for option in --gate --allow-missing; do
	status 2 "a metric with another unit is not decided with $option" bench-compare $option --metric '*' old2.csv new2.csv
	like "$(cat .out .err)" 'cannot decide: sort: wall: the unit differs between the sides .convert one of them.$' \
		"a metric with another unit is named with $option"
done
done_testing
