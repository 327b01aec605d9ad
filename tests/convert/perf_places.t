#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert of perf stat: cgroups, parts of the machine, run times and the time of the start.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
is "$(bench-convert "$data/perf-cgroups.txt" | columns time,cgroup,metric,unit,value,status,running_pct)" \
	'2026-11-28T01:40:57.000000000Z,web,task-clock,ns,7030000,ok,100
2026-11-28T01:40:57.000000000Z,web,page-faults,1,84,ok,100
2026-11-28T01:40:57.000000000Z,db,task-clock,ns,14990000,ok,100
2026-11-28T01:40:57.000000000Z,db,page-faults,1,9,ok,100' 'bench-convert reads the cgroups of perf -x, and when perf was started'
is "$(bench-convert "$data/perf-cgroups-repeated.txt" | columns cgroup,metric,unit,value)" \
	'web,task-clock,ns,7200000
web,task-clock_error,%,16.4
web,page-faults,1,84
web,page-faults_error,%,0
db,task-clock,ns,15980000
db,task-clock_error,%,9.56
db,page-faults,1,8
db,page-faults_error,%,6.25' 'bench-convert reads the cgroups of perf -x -r'
is "$(bench-convert "$data/perf-cgroups.jsonl" | columns time,cgroup,metric,value)" \
	'2026-11-28T01:40:57.000000000Z,web,task-clock,4517702
2026-11-28T01:40:57.000000000Z,web,page-faults,85
2026-11-28T01:40:57.000000000Z,db,task-clock,9508175
2026-11-28T01:40:57.000000000Z,db,page-faults,10' 'bench-convert reads the cgroups of perf -j, and when perf was started'

# Lines of the peer with another cgroup
sed 's/,web,/,7,/' "$data/perf-cgroups-repeated.txt" >number.txt
is "$(bench-convert number.txt | columns cgroup,metric,value | head -3)" '7,task-clock,7200000
7,task-clock_error,16.4
7,page-faults,84' 'bench-convert reads a cgroup of perf whose name is a number'
sed 's/,web,/,cpu,/; s/task-clock/cpu\/event=0x3c,umask=0x1\/u/' "$data/perf-cgroups.txt" >named.txt
is "$(bench-convert named.txt | grep -c '^[^,]*,command,cpu,"cpu/event=0x3c,umask=0x1/u",')" 1 \
	'bench-convert distinguishes a cgroup of perf from a name with commas'
# Newer versions of perf have these members.
for place in 'cache S0-D0-L3-ID0' 'cluster S0-D0-CLS0' 'core S0-D0-C1' 'die S0-D0' 'node N0'; do
	sed "s/{\"c/{\"${place% *}\" : \"${place#* }\", \"counters\" : 2, \"c/" "$data/perf-counts.jsonl" >place.jsonl
	is "$(bench-convert place.jsonl | columns place | sort -u)" "${place#* }" "bench-convert reads the place of perf -j --per-${place% *}"
done
sed 's/^/S0-D0-L3-ID0,2,/' "$data/perf-counts.txt" >place.txt
is "$(bench-convert place.txt | columns place | sort -u)" S0-D0-L3-ID0 'bench-convert reads the place of perf -x --per-cache'
printf '%s\n' '1.50,MiB,uncore_imc/data_reads/,500,100.00,,' '2.00,msec,task-clock,1990000,100.00,,' \
	'2.00,msec,cpu-clock,1999000,100.00,,' >units.txt
is "$(bench-convert units.txt | columns metric,unit,value)" 'uncore_imc/data_reads/,B,1572864
task-clock,ns,2000000
cpu-clock,ns,2000000' 'bench-convert reads MiB of perf as bytes, and no run time that is not the value of a clock'
printf '# started on Sat Nob 28 01:40:57 2026\n\n1,,x,5,100.00,,\n' >month.txt
is "$(bench-convert month.txt)" 'kind,metric,unit,value,status,running_pct
command,x,1,1,ok,100' 'bench-convert reads no time from a comment of perf that has none'

# Counting on all processors needs privileges.
if skip_unless perf "bench-convert reads the cgroups of the installed perf" &&
	skip_unless root "bench-convert reads the cgroups of the installed perf"; then
	for option in "-x," -j; do
		perf stat -a --for-each-cgroup / $option -e task-clock,page-faults -o perf.out -- sleep 0.01 >out 2>&1
		is "$(bench-convert perf.out | columns cgroup,metric | sort -u)" '/,page-faults
/,task-clock' "bench-convert reads the cgroups of the installed perf with $option"
	done
fi
done_testing
