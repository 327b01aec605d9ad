#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert of perf stat: several runs in a file, totals of intervals, and output of the
# measured program in the same file.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# Runs
is "$(bench-convert "$data/perf-appended.txt" | columns sample,t,metric,value | grep task)" '0,10095271,task-clock,969478
0,16687473,task-clock,32498
1,10120338,task-clock,1009457
1,16884736,task-clock,44255' 'bench-convert reads runs that perf -I -o --append wrote as different samples'
is "$(bench-convert -n x "$data/perf-appended.txt" | bench-stat -s n,mean | columns metric,n,mean)" 'task-clock,2,513922
page-faults,2,37.25' 'bench-stat counts each run that perf -I -o --append wrote'
grep -v '^#' "$data/perf-appended.txt" >no_start.txt
is "$(bench-convert no_start.txt | columns sample,t,metric | grep task)" '0,10095271,task-clock
0,16687473,task-clock
1,10120338,task-clock
1,16884736,task-clock' 'bench-convert begins another sample of perf -I where its time begins again'
cat "$data/perf-cgroups.jsonl" "$data/perf-cgroups.jsonl" >twice.jsonl
is "$(bench-convert twice.jsonl | columns sample,cgroup,metric | grep task)" '0,web,task-clock
0,db,task-clock
1,web,task-clock
1,db,task-clock' 'bench-convert numbers the runs of perf -j -o --append'
{ head -2 "$data/perf-cgroups.txt"; cat "$data/perf-cgroups.txt"; } >empty_run.txt
is "$(bench-convert empty_run.txt | columns sample | sort -u)" 0 \
	'bench-convert does not number a start of perf after which there are no counts'

# Totals
total='0,10100207,,task-clock,938963
0,10100207,,page-faults,75
0,15262678,,task-clock,38767
0,15262678,,page-faults,0
,,all,task-clock,977730
,,all,page-faults,75'
is "$(bench-convert "$data/perf-summary.txt" | columns sample,t,intervals,metric,value)" "$total" \
	'bench-convert distinguishes the totals of perf -I --summary from the intervals'
sed 's/^ *summary,//' "$data/perf-summary.txt" >no_prefix.txt
is "$(bench-convert no_prefix.txt 2>err | columns sample,t,intervals,metric,value)" "$total" \
	'bench-convert distinguishes the totals of perf --no-csv-summary from the intervals'
is "$(wc -l <err),$(cut -d ' ' -f 2-7 err)" '1,no_prefix.txt: counts after those of intervals' \
	'bench-convert notes that it takes counts after those of intervals as totals'
is "$(bench-convert "$data/perf-summary.jsonl" 2>/dev/null | columns intervals,metric,value)" ',task-clock,959973
,page-faults,74
,task-clock,57715
,page-faults,0
all,task-clock,1017688
all,page-faults,74' 'bench-convert distinguishes the totals of perf -j -I --summary from the intervals'
# The fields of perf -A -I --summary
sed 's/^ *[0s][^,]*,/&CPU0,/p; s/CPU0/CPU1/' "$data/perf-summary.txt" >processors.txt
is "$(bench-convert processors.txt | columns place,intervals,value | tail -5)" 'CPU1,,0
CPU0,all,980000
CPU1,all,980000
CPU0,all,75
CPU1,all,75' 'bench-convert keeps the processors of the totals of perf -A -I --summary'

# Units, in lines of the form that perf writes
printf '%s\n' '0.5,Watts,power,1000,100.00,,' '2,Joules,power/energy-pkg/,1000,100.00,,' '7,ns,system_time,7,100.00,,' \
	'6,ns,user_time,6,100.00,,' '3,MiB,uncore_imc/cas_count_read/,1000,100.00,,' >units.txt
is "$(bench-convert units.txt | columns metric,unit,value)" 'power,W,0.5
power/energy-pkg/,J,2
sys,ns,7
user,ns,6
uncore_imc/cas_count_read/,B,3145728' 'bench-convert converts the units and times of perf'
echo '1e12,75,,page-faults,728010,100.00,,' >far.txt
is "$(bench-convert far.txt)" 'kind,metric,unit,value,status,running_pct
command,page-faults,1,75,ok,100' 'bench-convert ignores a time of perf that is out of range'
# Output of the measured program
refuse() {
	status 2 "bench-convert rejects $2" bench-convert "$1"
	like "$(cat "$T/.err")" "^bench-convert: [^:]*:$3" "the message about $2 has its line and the reason"
}
refuse "$data/perf-same-line.txt" 'a value of perf after other text, whose digits are unknown' \
	'1: the value follows other text on its line: .* perf stat -o$'
sed 's/^ *0.010095271/50%&/' "$data/perf-appended.txt" >time.txt
refuse time.txt 'an interval of perf after other text' '3: the value follows other text'
{ seq 150 | sed 's/^/step /'; cat "$data/perf-counts.txt"; } >many.txt
is "$(bench-convert many.txt | columns metric,value)" "$(bench-convert "$data/perf-counts.txt" | columns metric,value)" \
	'bench-convert reads perf -x after many lines of the measured program'
{ seq 11000 | sed 's/^/step /'; cat "$data/perf-counts.txt"; } >more.txt
is "$(bench-convert -f perf more.txt | columns metric,value)" "$(bench-convert "$data/perf-counts.txt" | columns metric,value)" \
	'bench-convert -f perf reads counts after any number of other lines'
alone='the output of perf stat -j must be alone in the file: run it with -o'
status 2 'bench-convert rejects perf -j after output of the measured program' bench-convert "$data/perf-same-line.jsonl"
is "$(cat "$T/.err")" "bench-convert: $data/perf-same-line.jsonl: unknown format ($alone)" \
	'the message about output before perf -j says how to avoid it'
{ cat "$data/perf-counts.jsonl"; echo finished; } >after.jsonl
refuse after.jsonl 'perf -j before output of the measured program' '4: not an object of perf stat -j, .* run it with -o$'

# Separators within names
refuse "$data/perf-colons.txt" 'a modifier of an event of perf -x:, which is no cgroup' '4: a colon, .* event.s name'
sed 's/page-faults:u/syscalls:sys_enter_read:u/' "$data/perf-colons.txt" >tracepoint.txt
refuse tracepoint.txt 'a tracepoint of perf -x:' '4: a colon, .* event.s name'
sed 's/page-faults/a,b,c/' "$data/perf-counts.txt" >commas.txt
refuse commas.txt 'an event of perf -x, with commas' '2: more fields than expected after the event'
done_testing
