#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare --metric: which rows are compared, in each kind of output.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# side RUN WALL: a stream of eight samples with wall, user and sys; user is always the same and
# sys becomes ten times as much
side() {
	echo run,time,commit,bench,sample,metric,unit,value,status
	for sample in 0 1 2 3 4 5 6 7; do
		echo "r$1,2026-01-01T0$1:00:00Z,c$1,a,$sample,wall,ns,$(($2 + sample)),ok"
		echo "r$1,2026-01-01T0$1:00:00Z,c$1,a,$sample,user,ns,$((1000 + sample)),ok"
		echo "r$1,2026-01-01T0$1:00:00Z,c$1,a,$sample,sys,ns,$(($1 * 10000)),ok"
	done
	echo "r$1,2026-01-01T0$1:00:00Z,c$1,,,rows,1,24,ok"
}
side 1 10000 >old.csv
side 2 20000 >new.csv

is "$(bench-compare -q --no-geomean old.csv new.csv | column metric | tr '\n' ' ')" 'wall user sys ' \
	"bench-compare without --metric compares all metrics"
status 1 "bench-compare --metric finds that the metric became worse" bench-compare --metric wall old.csv new.csv
is "$(columns metric,verdict .out | sort -u)" wall,worse "bench-compare --metric compares only the metric that it names"
unlike "$(cat .err)" 'incomplete|truncated|rows' "bench-compare --metric does not take complete streams for truncated ones"
status 0 "bench-compare --metric ignores that other metrics became worse" bench-compare --metric user old.csv new.csv
is "$(bench-compare -q --no-geomean --metric 'us*' --metric sys,wall old.csv new.csv)" \
	"$(bench-compare -q --no-geomean --metric '*' old.csv new.csv)" "bench-compare --metric takes patterns and lists and is repeatable"
cat old.csv new.csv >both.csv
is "$(bench-compare -q --no-geomean -b run --metric user both.csv | columns metric,verdict)" user,same \
	"bench-compare -b --metric compares only the metric that it names"
is "$(bench-compare -q --no-geomean -b run --metric user <both.csv | columns metric,verdict)" user,same \
	"bench-compare --metric selects rows of standard input"
is "$(bench-compare -q --gate --metric user old.csv new.csv)" \
	'PASS: 1 compared: 0 worse, 0 warnings, 0 unsure, 0 better, 1 same' \
	"bench-compare --gate --metric counts only the metric that it names"
like "$(bench-compare -q --markdown --metric user,wall old.csv new.csv)" '^\*\*FAIL: 2 compared: 1 worse' \
	"bench-compare --markdown --metric counts only the metrics that it names"
bench-compare -q --markdown --metric user,wall old.csv new.csv >.out
unlike "$(cat .out)" '>sys<' "bench-compare --markdown --metric leaves other metrics out"

# A metric that only one file has.
grep -v ',user,' new.csv | sed '$s/24/16/' >without.csv
status 2 "bench-compare --metric fails when one side lacks the metric" \
	bench-compare --metric user old.csv without.csv
like "$(cat .err)" "bench=a: no successful sample in 'without.csv'" \
	"bench-compare --metric names the subject without values of the metric"
bench-compare --metric sys old.csv without.csv >.out 2>.err
unlike "$(cat .err)" 'no successful sample' "bench-compare --metric ignores that another metric vanished"

# --metric also selects rows of a floor. A metric that only a floor has is not in the input.
sed 's/,user,/,cycles,/' old.csv >floor.csv
is "$(bench-compare -q --no-geomean --metric wall --floor floor.csv old.csv new.csv | column metric)" wall \
	"bench-compare --metric selects rows of a floor"
status 2 "bench-compare refuses a --metric that only a floor has" \
	bench-compare --metric cycles --floor floor.csv old.csv new.csv
is "$(cat .err)" "bench-compare: --metric: no metric matches 'cycles' (there are: wall, user, sys)" \
	"bench-compare lists the metrics of the input when --metric matches none"
status 125 "bench-compare --bisect ends with 125 when --metric matches none" \
	bench-compare --bisect --metric cycles old.csv new.csv
status 2 "bench-compare refuses an empty pattern of --metric" bench-compare --metric ,wall old.csv new.csv

# Primary metrics decide. In slow.csv only sys is worse, and in both files user is almost constant.
side 2 10000 >slow.csv
status 0 "bench-compare ends with 0 if only a metric that is not primary became worse" bench-compare old.csv slow.csv
is "$(columns metric,verdict,level,primary .out | paste -sd' ')" 'wall,same,,yes user,same,, sys,worse,,' \
	"bench-compare prints rows of all metrics and says which are primary"
is "$(grep -c . .err) $(cat .err)" \
	"1 bench-compare: also worse: sys +100.0% (does not affect the exit status; see --metric)" \
	"bench-compare notes in one line that other metrics changed"
{ cat old.csv; sed -n 's/,sys,ns,/,max_rss,B,/p' old.csv; sed -n 's/,sys,ns,/,page-faults,1,/p' slow.csv; } >three-old.csv
{ cat slow.csv; sed -n 's/,sys,ns,/,max_rss,B,/p' slow.csv; sed -n 's/,sys,ns,/,page-faults,1,/p' old.csv; } >three-new.csv
is "$(bench-compare three-old.csv three-new.csv 2>&1 >/dev/null)" \
	'bench-compare: also worse: sys +100.0%, max_rss +100.0%; better: page-faults -50.0% (does not affect the exit status; see --metric)' \
	"the note on other metrics has each verdict once"
is "$(bench-compare -q old.csv slow.csv 2>&1 >/dev/null)" '' "bench-compare -q does not note that other metrics changed"
status 1 "bench-compare --metric makes another metric decisive" bench-compare -q --metric sys old.csv slow.csv
status 1 "bench-compare --metric '*' makes all metrics decisive" bench-compare --metric '*' old.csv slow.csv
unlike "$(cat .err)" 'also ' "bench-compare --metric '*' has no other metrics to note"
is "$(column primary .out | sort -u)" yes "all rows of bench-compare --metric '*' have 'yes' in the column primary"
is "$(bench-compare -q old.csv new.csv | awk -F, '$2 == "wall" && $11 == $12' | wc -l)" 1 \
	"p of a primary metric is not corrected for the number of other metrics"
is "$(bench-compare -q old.csv new.csv | awk -F, '$2 == "sys" && $12 == 2 * $11' | wc -l)" 1 \
	"p of other metrics are corrected for their own number"
for f in old slow; do grep -v ,wall, $f.csv >no-$f.csv; done
status 1 "all metrics decide if the input has no primary metric" bench-compare -q no-old.csv no-slow.csv
is "$(column primary .out | sort -u)" yes "all metrics are primary if the input has no primary metric"
for f in old slow; do { cat $f.csv; sed -n 's/,a,/,b,/p' no-$f.csv; } >some-$f.csv; done
is "$(bench-compare -q --no-geomean some-old.csv some-slow.csv | columns bench,metric,primary | sort | paste -sd' ')" \
	'a,sys, a,user, a,wall,yes b,sys,yes b,user,yes' "all metrics decide of a benchmark that has no primary metric"
for f in old slow; do sed '/r2/s/,wall,/,wall_time,/' $f.csv >gone-$f.csv; done
status 1 "all metrics decide of a benchmark whose primary metric only one side has" bench-compare -q gone-old.csv gone-slow.csv
printf 'bench,metric,threshold\n,sys,5%%\n' >named.csv
status 1 "a line of --thresholds that names a metric makes it decisive" bench-compare -q --thresholds named.csv old.csv slow.csv
printf 'bench,metric,threshold,better\n,sys,5%%,none\n' >neither.csv
is "$(bench-compare -q --thresholds neither.csv old.csv slow.csv | columns metric,verdict,primary | paste -sd' ')" \
	'wall,same,yes user,same, sys,differs,' "a line of --thresholds of which neither direction is better does not make a metric decisive"
printf 'bench,metric,threshold\na,,5%%\n' >unnamed.csv
status 0 "a line of --thresholds that names no metric leaves the choice to primary metrics" \
	bench-compare -q --thresholds unnamed.csv old.csv slow.csv
sed 's/,sys,/,own_count,/' old.csv >own-old.csv
sed 's/,sys,/,own_count,/' slow.csv >own-slow.csv
status 1 "a metric that is not in the table of metrics is primary" bench-compare -q own-old.csv own-slow.csv
for f in old slow; do sed 's/,sys,/,sched:sched_switch,/' $f.csv >event-$f.csv; done
status 0 "a counter event that is not in the table of metrics is not primary" bench-compare -q event-old.csv event-slow.csv

# succeeds RUN N: eight samples of a command, of which N succeed
succeeds() {
	echo run,kind,bench,sample,metric,unit,value,status
	for sample in 0 1 2 3 4 5 6 7; do
		echo "r$1,command,a,$sample,wall,ns,$((1000 + sample)),ok"
		echo "r$1,command,a,$sample,ok,1,$((sample < $2)),ok"
	done
}
succeeds 1 8 >all.csv
succeeds 2 1 >few.csv
status 1 "the success rate is primary" bench-compare -q all.csv few.csv
like "$(columns metric,verdict,primary .out)" '^ok,worse,yes$' "the row of a success rate that fell is worse and primary"

grep -v ,wall, all.csv | sed 's/,a,\(.*\),ok,1,1,/,a,\1,sys,ns,1000,/; 1!{ p; s/,sys,ns,[0-9]*,/,ok,1,1,/; }' >one-old.csv
sed 's/^r1/r2/; s/,sys,ns,1000,/,sys,ns,2000,/' one-old.csv >one-new.csv
status 1 "all metrics decide of a benchmark whose only primary metric is the success rate" bench-compare -q one-old.csv one-new.csv

# model RUN WALL THROUGHPUT: eight samples of a model
model() {
	echo run,kind,bench,sample,metric,unit,value,status
	for sample in 0 1 2 3 4 5 6 7; do
		echo "r$1,model,m,$sample,wall,ns,$(($2 + sample)),ok"
		echo "r$1,model,m,$sample,throughput,1/s,$(($3 + sample)),ok"
		echo "r$1,model,m,$sample,load,ns,$(($2 + sample)),ok"
	done
}
model 1 1000 2000 >m1.csv
model 2 9000 2000 >m2.csv
status 0 "wall is not primary for models" bench-compare -q m1.csv m2.csv
is "$(columns metric,primary .out | paste -sd' ')" 'wall, throughput,yes load,' "throughput is the primary metric of a model"
status 1 "bench-compare judges models by their throughput" bench-compare -q m2.csv - <<END
$(model 3 9000 1000)
END

# People.
shown() { bench-compare --table "$@" 2>/dev/null | awk 'NR > 1 { print $2 }' | paste -sd' '; }
is "$(shown old.csv slow.csv)" wall "a table of bench-compare has rows of primary metrics only"
is "$(shown -v old.csv slow.csv)" 'wall user sys' "bench-compare -v --table has rows of all metrics"
is "$(shown --metric sys,user old.csv slow.csv)" 'user sys' "bench-compare --metric --table has rows of the chosen metrics"
is "$(bench-compare --table old.csv slow.csv 2>/dev/null | grep -c primary) $(bench-compare -v --table old.csv slow.csv 2>/dev/null | grep -c primary)" \
	'0 1' "a table of bench-compare has the column primary only if other metrics are shown"
for f in old slow; do { cat $f.csv; sed -n 's/,a,/,b,/p' $f.csv; } >pair-$f.csv; done
is "$(shown pair-old.csv pair-slow.csv | wc -w) $(shown -v pair-old.csv pair-slow.csv | wc -w)" '3 9' \
	"a table of bench-compare has geometric means of primary metrics only, except with -v"
is "$(bench-compare --table pair-old.csv pair-slow.csv 2>&1 >/dev/null | grep 'each interval')" \
	'bench-compare: each interval is at 95%, not corrected for the number of rows; p_adj is corrected for 2 rows' \
	'bench-compare says after a table that p_adj is corrected and intervals are not'
is "$(bench-compare --csv pair-old.csv pair-slow.csv 2>&1 >/dev/null | grep 'each interval')" '' \
	'bench-compare says nothing about intervals after CSV'
is "$(bench-compare --table pair-old.csv pair-slow.csv 2>&1 >/dev/null | grep -c 'also worse: a: sys +100.0%; b: sys')" 1 \
	"the note on other metrics names the subjects if there are several"
is "$(bench-plot compare --script old.csv slow.csv | grep -cw sys) $(bench-plot compare --script -y '*' old.csv slow.csv | grep -cw sys | sed 's/[1-9].*/some/')" \
	'0 some' "bench-plot compare draws other metrics only with -y"
is "$(shown all.csv all.csv) $(shown -v all.csv all.csv)" 'wall wall ok' "a table of bench-compare has no constant rows, except with -v"
sed 's/,100[0-9],ok/,1000,ok/' all.csv >constant.csv
is "$(shown constant.csv constant.csv)" '' "a table of bench-compare has no row if all rows are constant"
like "$(bench-compare --table constant.csv constant.csv 2>&1)" 'no row is shown \(use -v' "bench-compare says why its table has no row"
status 0 "bench-compare --gate passes if only other metrics became worse" bench-compare --gate old.csv slow.csv
is "$(cat .out)" 'PASS: 1 compared: 0 worse, 0 warnings, 0 unsure, 0 better, 1 same' \
	"bench-compare --gate counts only primary metrics"
like "$(cat .err)" '^bench-compare: also worse: sys \+100\.0% \(does' "bench-compare --gate notes that other metrics changed"
bench-compare --markdown old.csv slow.csv >.out 2>.err
like "$(cat .out)" '^<details><summary>2 of other metrics, which do not affect the verdict</summary>$' \
	"bench-compare --markdown has a collapsed section of other metrics"
is "$(sed -n '/other metrics/,$ { s/^| \([a-z]*\) .*<code>\([a-z]*\)<.*/\1 \2/p; }' .out | paste -sd';')" 'worse sys;same user' \
	"the section of other metrics has the worst rows first"
like "$(bench-compare -q --markdown all.csv few.csv)" '\*\*worse\*\* \| <code>a</code> \| <code>ok</code>' \
	"bench-compare --markdown shows a success rate that fell"
unlike "$(bench-compare -q --markdown all.csv all.csv)" '<code>ok<' "bench-compare --markdown has no constant rows"
is "$(bench-compare --table -b run m1.csv m2.csv 2>&1 >/dev/null | grep -c 'also worse: wall')" 1 \
	"the note on other metrics names no subject if there is only one"

# Histories: wall doubles at the ninth commit, and user is always the same.
for commit in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16; do
	[ $commit -gt 08 ] 2>/dev/null && wall=20000 || wall=10000
	side "${commit#0}" "$wall" | sed "s/T.*:00:00Z/T$commit:00:00Z/"
done >history.csv
status 1 "bench-compare --history --metric finds the change" bench-compare -q --history --metric wall history.csv
is "$(columns metric,commit .out)" wall,c9 "bench-compare --history --metric follows only the metric that it names"
status 0 "bench-compare --history --metric finds no change of a steady metric" \
	bench-compare -q --history --metric user history.csv
status 2 "bench-compare --history refuses a --metric that matches nothing" \
	bench-compare --history --metric 'w?' history.csv
is "$(cat .err)" "bench-compare: --metric: no metric matches 'w?' (there are: wall, user, sys)" \
	"bench-compare --history lists the metrics of the input when --metric matches none"
is "$(bench-compare -q --since-change --metric user history.csv | columns metric,verdict)" user,same \
	"bench-compare --since-change --metric follows only the metric that it names"
# sys.csv: sys became ten times as much at the ninth commit, and nothing else changed.
for commit in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16; do
	[ $commit -gt 08 ] 2>/dev/null && sys=100000 || sys=10000
	side "${commit#0}" 10000 | sed "s/T.*:00:00Z/T$commit:00:00Z/; s/,sys,ns,[0-9]*/,sys,ns,$sys/"
done >sys.csv
status 0 "bench-compare --history ends with 0 if only another metric became worse" bench-compare --history sys.csv
is "$(columns metric,commit,primary .out)" sys,c9, "bench-compare --history prints changes of all metrics and says which are primary"
is "$(cat .err)" 'bench-compare: also changed: sys (does not affect the exit status; see --metric)' \
	"bench-compare --history notes in one line that other metrics changed"
awk -F, -v OFS=, '{ print } /,sys,/ { f = $0; sub(/,sys,/, ",max_rss,", f); print f }' sys.csv >two-a.csv
sed '1d; s/,a,/,b,/' two-a.csv | cat two-a.csv - >two.csv
is "$(bench-compare --history two.csv 2>&1 >/dev/null)" \
	'bench-compare: also changed: a: sys, max_rss; b: sys, max_rss (does not affect the exit status; see --metric)' \
	"the note of bench-compare --history names each subject once, without columns that all have in common"
status 1 "bench-compare --history --metric makes another metric decisive" bench-compare -q --history --metric sys sys.csv
is "$(column primary .out)" yes "bench-compare --history --metric says that the chosen metric is primary"
is "$(bench-compare -q --history --table sys.csv | wc -l) $(bench-compare -qv --history --table sys.csv | wc -l)" '0 2' \
	"a table of bench-compare --history has changes of primary metrics only, except with -v"
awk -F, '{ print } /,c9,/ { exit }' sys.csv | sed '/,c9,a,0,wall/,$d' >until.csv
side 9 10000 | sed "1d; s/T.*:00:00Z/T09:00:00Z/; s/,sys,ns,[0-9]*/,sys,ns,100000/" >>until.csv
status 0 "bench-compare --since-change ends with 0 if only another metric became worse" bench-compare --since-change until.csv
is "$(columns metric,verdict,primary .out | paste -sd' ')" 'wall,same,yes user,same, sys,worse,' \
	"bench-compare --since-change prints rows of all metrics and says which are primary"
like "$(cat .err)" '^bench-compare: also worse: sys \(does not' \
	"bench-compare --since-change notes in one line that other metrics changed"
status 1 "bench-compare --since-change --metric makes another metric decisive" \
	bench-compare -q --since-change --metric sys until.csv
is "$(bench-compare -q --since-change --table until.csv | wc -l) $(bench-compare -qv --since-change --table until.csv | wc -l)" '0 4' \
	"a table of bench-compare --since-change has no other metrics and no constant rows, except with -v"

# sys in clock ticks: medians of 0 and 4 ms say nothing. p is that of R: t.test(new, old).
# ticks RUN ZEROS ONES TWOS: samples of sys with 0, 1 and 2 ticks, and of wall
ticks() {
	echo run,time,bench,sample,metric,unit,value
	awk -v run="$1" -v zero="$2" -v one="$3" -v two="$4" 'BEGIN { for (i = 0; i < zero + one + two; i++) {
		printf "%s,2026-01-01T00:%s:00Z,a,%d,sys,ns,%d\n", run, run, i, i < zero ? 0 : i < zero + one ? 4e6 : 8e6
		printf "%s,2026-01-01T00:%s:00Z,a,%d,wall,ns,%d\n", run, run, i, i < zero ? 0 : i < zero + one ? 4e6 : 8e6 } }'
}
ticks 01 14 6 0 >ticks1.csv
ticks 02 4 12 4 >ticks2.csv
is "$(bench-compare -q --no-geomean -s old,new,test ticks1.csv ticks2.csv | columns metric,old,new,test | paste -sd' ')" \
	'sys,1200000,4000000,welch wall,0,4000000,rank' "sys in clock ticks is compared by means"
is "$(bench-compare -q --no-geomean -s p ticks1.csv ticks2.csv | awk -F, '$2 == "sys" { d = $4 / 0.000413558741393308 - 1
	print (d < 1e-9 && d > -1e-9) }')" 1 "p of sys in clock ticks is that of Welch's test in R"
ticks 01 4 2 0 | sed '/,wall,/s/,0$/,1/' >few1.csv
ticks 02 0 4 2 >few2.csv
status 0 'bench-compare ends with 0 if sys in clock ticks has too few values to be compared' bench-compare -q --no-geomean -s old,new,diff,diff_lo,p,verdict,runs_needed few1.csv few2.csv
is "$(grep ,sys, .out)" 'a,sys,ns,1333333.3333333333,5333333.333333333,4000000,,,unsure,1' \
	"sys in clock ticks of six samples has a difference but no p, no interval and no verdict"
status 2 'the gate cannot decide sys in clock ticks of six samples' bench-compare -q --gate --metric sys few1.csv few2.csv
is "$(sed -n 1p .out)" 'cannot decide: a: sys: no difference can be significant with 6 samples of each side; measure at least 7 samples of each side' \
	"the gate says how many samples sys in clock ticks takes"
sed 's/,0$/,1300000/' ticks1.csv >steady1.csv
sed 's/,0$/,1300000/' ticks2.csv >steady2.csv
is "$(bench-compare -q --no-geomean -s old,test steady1.csv steady2.csv | columns metric,old,test | paste -sd' ')" \
	'sys,1300000,rank wall,1300000,rank' "sys in other times than clock ticks is compared by medians"
for run in 01 02 03 04 05 06 07 08 09 10 11 12; do
	if [ $run -gt 06 ] 2>/dev/null; then ticks $run 4 12 4; else ticks $run 14 6 0; fi
done >ticks.csv
is "$(bench-compare -q --history --by-run --metric sys ticks.csv | columns before,after)" 1200000,4000000 \
	"bench-compare --history represents a run by the mean of sys in clock ticks"

# Every metric that an event set writes is in the table of metrics, so no counter is primary by accident.
cut -d, -f1 "$ROOT/share/metrics.csv" >known
is "$(cut -d, -f1 "$ROOT"/share/events/*.csv | sort -u | grep -vxe name -f known)" '' \
	"share/metrics.csv has every metric of the event sets"
done_testing
