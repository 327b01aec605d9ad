#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What perf stat prints for people, as perf 6.1 and perf of Linux 7 wrote it.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# read_as COLUMNS NAME: these columns of a file
read_as() { TZ=UTC bench-convert -f perf-console "$data/perf-console$2.txt" | columns "$1"; }

is "$(TZ=UTC bench-convert "$data/perf-console.txt")" 'time,kind,bench,metric,unit,value,status
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,task-clock,ns,71850000,ok
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,context-switches,1,24,ok
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,cpu-migrations,1,1,ok
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,page-faults,1,187,ok
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,cycles,1,,unsupported
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,instructions,1,,unsupported
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,branches,1,,unsupported
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,branch-misses,1,,unsupported
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,wall,ns,245050134,ok
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,user,ns,72675000,ok
2026-11-28T20:21:26.000000000Z,command,gzip -kc /bin/bash,sys,ns,0,ok' \
	"bench-convert recognizes and reads what perf stat -o writes for people"
german='3,task-clock,ns,68800000
,task-clock_error,%,0.12
3,page-faults,1,189
,page-faults_error,%,0.64
3,context-switches,1,21
,context-switches_error,%,11.45
3,cycles,1,
3,wall,ns,69611600
,wall_error,%,0.1'
is "$(read_as iterations,metric,unit,value -german)" "$german" \
	"bench-convert reads counts of perf stat with points between digits and a decimal comma"
is "$(read_as metric,value -french)" 'task-clock,69810000
task-clock_error,0.33
page-faults,188
page-faults_error,0.35
context-switches,16
context-switches_error,2.08
cycles,
wall,69010000
wall_error,1.84' "bench-convert reads counts of perf stat with narrow spaces between digits"
is "$(read_as sample,t,metric,value,status -interval)" '0,20088890,task-clock,530000,ok
0,20088890,page-faults,60,ok
0,40336056,task-clock,,skipped
0,40336056,page-faults,,skipped
0,50273292,task-clock,50000,ok
0,50273292,page-faults,0,ok' "bench-convert reads intervals of perf stat -I"
is "$(read_as place,sample,metric,value,status -places)" 'S0,0,task-clock,42570000,ok
S0,0,cycles,,unsupported
,0,wall,21285025,ok
CPU0,1,task-clock,21280000,ok
CPU1,1,task-clock,21300000,ok
CPU0,1,cycles,,unsupported
CPU1,1,cycles,,unsupported
,1,wall,21290523,ok' "bench-convert reads the places of perf stat -A and --per-socket, and blocks of counts as samples"
is "$(read_as metric,value -table | tail -n 2)" 'wall,107240000
wall_error,2.34' "bench-convert reads the time of perf stat --table after its table"
is "$(read_as bench,cgroup,metric,value,status -cgroups)" ',web,task-clock,3250000,ok
,web,cycles,,unsupported
,web,page-faults,179,ok
,,wall,119774625,ok' "bench-convert reads the control groups of perf stat --for-each-cgroup"
is "$(read_as bench,iterations,metric,value,running_pct -new | grep -v _error)" './false_sharing 1,3,context-switches,14,
./false_sharing 1,3,cpu-migrations,0,
./false_sharing 1,3,page-faults,67,
./false_sharing 1,3,task-clock,11124430000,
./false_sharing 1,3,L1-dcache-load-misses,94607174,15.41
./false_sharing 1,3,LLC-loads,47396916,23.16
./false_sharing 1,3,branch-misses,88701,23.21
./false_sharing 1,3,branches,7325010900,23.23
./false_sharing 1,3,cpu-cycles,30931997598,30.93
./false_sharing 1,3,instructions,40846002727,30.87
./false_sharing 1,3,stalled-cycles-frontend,1959896,30.79
./false_sharing 1,3,stalled-cycles-backend,24739777784,30.74
./false_sharing 1,3,stalled-cycles-backend,24735208758,23.08
./false_sharing 1,3,wall,7739760343,' "bench-convert reads the counts of perf of Linux 7, and for how much of the time they were taken"

printf 'step 1\rstep 2\r Performance counter stats for %s:\r\n\r\n   1,234   cycles\r\n   5   page-faults\r\n' "'a b'" >progress.txt
is "$(bench-convert progress.txt | columns bench,metric,value)" 'a b,cycles,1234
a b,page-faults,5' "bench-convert reads the command of perf stat after a line that a program wrote over"

for runs in '(9223372036854775808 runs)' '(-3 runs)' '( runs)' 'runs)' ' runs)'; do
	printf " Performance counter stats for 'a b'%s:\n\n   1,234   cycles\n" "$runs" >runs.txt
	is "$(bench-convert runs.txt | columns bench,iterations,metric,value)" 'a b,,cycles,1234' \
		"bench-convert reads '$runs' after the command of perf stat as no number of runs"
done

# block LINE: a block of counts with this line
block() { printf "\n Performance counter stats for 'a b' (2 runs):\n\n%s\n\n       0.5 +- 0.1 seconds time elapsed  ( +- 20.00%% )\n\n" "$1"; }
# count LINE: metric, unit and value of the first row of a line
count() { block "$1" | bench-convert | columns metric,unit,value | head -n 1; }
is "$(count '        200.421583      task-clock (msec)         #    1.004 CPUs utilized')" task-clock,ns,200421583 \
	"bench-convert reads the unit that perf before 4.20 wrote after the event"
is "$(count "       1920.159821 task-clock                #    0.991 CPUs utilized")" task-clock,ns,1920159821 \
	"bench-convert reads task-clock without a unit as milliseconds if it has a fraction"
is "$(count '    28,160,951,165      cpu-clock                        #     28.0 CPUs  CPUs_utilized')" cpu-clock,ns,28160951165 \
	"bench-convert reads cpu-clock without a unit as nanoseconds if it has no fraction"
is "$(count "        70’214’623      cycles")" cycles,1,70214623 "bench-convert reads counts with Swiss separators"
is "$(count '              1.25 Joules power/energy-pkg/')" power/energy-pkg/,J,1.25 "bench-convert reads energy that perf stat prints"
is "$(count '     1,679,085,181      cpu_core/cpu-cycles/             #      0.1 GHz  cycles_frequency  (49.77%)')" \
	cpu_core/cpu-cycles/,1,1679085181 "bench-convert reads events of a kind of processor"
is "$(block '         7,452,699 ns   duration_time   #    7.746 G/sec   ( +- 29.64% )' | bench-convert | columns metric,value)" \
	'wall,500000000
wall_error,20' "bench-convert reads the mean wall time of perf stat -r, not duration_time, which is that of the last run"

for line in '         7,45,699      cycles' '         7.452,699      cycles' '         1,234  2,345' '    12.3   45.6   7.8' 'cycles' \
	'worker x   1,234   cycles'; do
	status 2 "bench-convert rejects the line '$line' among the counts of perf stat" sh -c 'bench-convert -f perf-console "$1"' - \
		"$(block "$line" >bad.txt; echo bad.txt)"
	is "$(cat "$T/.err")" "bench-convert: bad.txt:4: not a line of counts of perf stat that can be read: run it with -x, or -j and -o" \
		"the message about the line '$line' names the file, the line and other options"
done
is "$(block '             1,234      cycles' | sed '$d' | head -c -1 | bench-convert | columns metric,value | tail -n 1)" wall_error,20 \
	"bench-convert reads a block of counts whose last line has no line feed but is whole"
status 2 "bench-convert rejects a count of perf stat that may be cut off" \
	sh -c "printf ' Performance counter stats for '\''a'\'':\n\n    1,234   cycl' | bench-convert"
done_testing
