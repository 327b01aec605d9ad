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
# Places that perf 6.12 has and perf 6.1 has not
is "$(bench-convert "$data/perf-caches.txt" | columns time,place,metric,unit,value,status)" \
	'2026-11-28T09:35:46.000000000Z,S0-D0-L2-ID0,task-clock,ns,82590000,ok
2026-11-28T09:35:46.000000000Z,S0-D0-L2-ID0,page-faults,1,2233,ok
2026-11-28T09:35:46.000000000Z,S0-D0-L2-ID1,task-clock,ns,71990000,ok
2026-11-28T09:35:46.000000000Z,S0-D0-L2-ID1,page-faults,1,1309,ok' 'bench-convert reads the caches of perf -x --per-cache'
is "$(bench-convert "$data/perf-caches.jsonl" | columns place,metric,unit,value,status)" \
	'S0-D0-L2-ID0,task-clock,ns,66093267,ok
S0-D0-L2-ID0,page-faults,1,2025,ok
S0-D0-L2-ID1,task-clock,ns,70029556,ok
S0-D0-L2-ID1,page-faults,1,380,ok' 'bench-convert reads the caches of perf -j --per-cache'
is "$(bench-convert "$data/perf-clusters.txt" | columns place,t,metric,unit,value | sed '5,8d')" \
	'S0-D0-CLS65535,23824594,task-clock,ns,64210000
S0-D0-CLS65535,23824594,task-clock_error,%,0
S0-D0-CLS65535,23824594,page-faults,1,816
S0-D0-CLS65535,23824594,page-faults_error,%,0
S0-D0-CLS65535,51564482,task-clock,ns,3720000
S0-D0-CLS65535,51564482,task-clock_error,%,0
S0-D0-CLS65535,51564482,page-faults,1,11
S0-D0-CLS65535,51564482,page-faults_error,%,0' 'bench-convert reads the clusters of perf -x --per-cluster -r -I'
is "$(bench-convert "$data/perf-clusters.jsonl" | columns place,metric,unit,value)" \
	'S0-D0-CLS65535,task-clock,ns,135391227
S0-D0-CLS65535,page-faults,1,2816' 'bench-convert reads the clusters of perf -j --per-cluster'
is "$(bench-convert "$data/perf-processors-named.txt" | columns place,metric,value)" \
	'CPU0,task-clock,92010000
CPU1,task-clock,92030000
CPU0,page-faults,525
CPU1,page-faults,788' 'bench-convert reads the events of perf 6.12 -x -A by the names that perf 6.1 gives them'
is "$(bench-convert "$data/perf-processors-named.jsonl" | columns place,metric,value)" \
	'0,task-clock,83987563
1,task-clock,64164045
0,page-faults,1888
1,page-faults,3295' 'bench-convert reads the events of perf 6.12 -j -A by the names that perf 6.1 gives them'
# Lines of the peer with another place
for place in 'core S0-D0-C1' 'die S0-D0' 'node N0'; do
	sed "s/{\"c/{\"${place% *}\" : \"${place#* }\", \"counters\" : 2, \"c/" "$data/perf-counts.jsonl" >place.jsonl
	is "$(bench-convert place.jsonl | columns place | sort -u)" "${place#* }" "bench-convert reads the place of perf -j --per-${place% *}"
done
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
