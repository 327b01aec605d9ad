#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --cgroup: control groups of version 2.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

skip_unless unsanitized 'bench-run --cgroup measures control groups' || done_testing

run() { timeout 60 bench-run -q -e none --csv --commit none "$@"; }
# column METRIC NAME FILE [BENCH]: a column of the rows of a metric
column() {
	awk -F, -v m="$1" -v name="$2" -v bench="${4:-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m && (bench == "" || $at["bench"] == bench) { print $at[name] }' "$3"
}
values() { column "$1" value "$2"; }
statuses() { column "$1" status "$2"; }
# ratio A B FILE: of the sums of two metrics over all windows
ratio() {
	values "$1" "$3" >top
	values "$2" "$3" | paste -d' ' top - | awk '{ a += $1; b += $2 } END { printf "%.6g\n", a / b }'
}

# A recorded machine, with a group whose counts move
mkdir -p machine/proc/self machine/sys/fs/cgroup/web.slice/api.service machine/sys/fs/cgroup/bare new
echo '30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw' >machine/proc/self/mountinfo
group=machine/sys/fs/cgroup/web.slice/api.service
: >machine/sys/fs/cgroup/cgroup.controllers
: >$group/cgroup.controllers
: >machine/sys/fs/cgroup/bare/cgroup.controllers
echo 'usage_usec 5
user_usec 4
system_usec 1' >machine/sys/fs/cgroup/bare/cpu.stat
cat >step.awk <<'END'
BEGIN {
	printf "usage_usec %d\nuser_usec %d\nsystem_usec %d\nnr_throttled 3\nthrottled_usec %d\n", 8000 * n, 6000 * n, 2000 * n, 500 * n >"new/cpu.stat"
	printf "anon 1\npgfault %d\npgmajfault %d\n", 30 * n, 2 * n >"new/memory.stat"
	printf "8:0 rbytes=%d wbytes=%d rios=1 wios=2\n8:16 rbytes=%d wbytes=0 rios=7 wios=0\n", 4096 * n, 2048 * n, 4096 * n >"new/io.stat"
	for (i = split("cpu memory io", what, " "); i > 0; i--)
		printf "some avg10=0.00 avg60=0.12 avg300=1.00 total=%d\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=%d\n",
			1000 * i * n, 100 * i * n >("new/" what[i] ".pressure")
	print 4096000 >"new/memory.current"
	print 8192000 >"new/memory.peak"
	print 7 >"new/pids.current"
}
END
put() {
	awk -v n="$1" -f step.awk
	mv new/* $group/
}
put 1
(
	n=1
	while [ ! -e stop ]; do
		n=$((n + 1))
		put $n
		sleep 0.005
	done
) &
BENCH_ROOT=$T/machine run -G web.slice/api.service -r 2 --window 200ms >group.csv 2>err
BENCH_ROOT=$T/machine run --cgroup /sys/fs/cgroup/web.slice/api.service -r 1 -- sleep 0.2 >during.csv
: >stop
wait
is "$(awk -F, 'NR == 2 { print $6 "," $7 "," $8 }' group.csv),$(awk -F, 'NR == 2 { print $6 "," $7 "," $8 }' during.csv)" \
	'cgroup,web.slice/api.service,200ms,cgroup,web.slice/api.service,sleep 0.2' 'a control group is found by its name and by its path'
is "$(ratio user sys group.csv) $(ratio cpu_time sys group.csv) $(ratio throttled sys group.csv)" '3 4 0.25' 'times are those of cpu.stat'
is "$(ratio page-faults major-faults group.csv) $(ratio block_in block_out group.csv)" '15 4' 'faults are those of memory.stat, and bytes those of all devices of io.stat'
is "$(ratio cpu_pressure cpu_pressure_full group.csv) $(ratio memory_pressure memory_pressure_full group.csv) $(ratio io_pressure io_pressure_full group.csv)" '10 10 10' \
	'the pressure is that of the pressure files'
is "$(values cpu_time during.csv | awk '{ print ($1 > 0 && $1 % 8e6 == 0) }') $(values io_pressure during.csv | awk '{ print ($1 > 0 && $1 % 3e6 == 0) }')" '1 1' \
	'microseconds of the kernel become ns, which are not scaled during a command'
is "$(values memory_current group.csv | sort -u) $(values memory_peak group.csv | sort -u) $(values threads group.csv | sort -u)" '4096000 8192000 7' 'memory and threads are those at the end of the window'
is "$(statuses swap_current group.csv) $(statuses ok group.csv | tr '\n' ' ')" 'unsupported ok ok ' 'a value that the kernel does not account has one row without a value'
is "$(ratio cpu_time cpu_utilisation group.csv),$(values wall during.csv | awk '{ print ($1 >= 0.2e9) }')" 2e+08,1 'cpu_utilisation is the processor time divided by the length of the window'
BENCH_ROOT=$T/machine bench-run -e none --csv -G bare -G web.slice/api.service -r 1 --window 10ms >bare.csv 2>err
is "$(column cpu_time value bare.csv bare),$(column memory_current status bare.csv bare),$(column io_pressure status bare.csv bare)" 0,unsupported,unsupported 'a group without controllers has the values of cpu.stat alone'
like "$(cat err)" '^bench-run: bare: throttled, .*memory_current.*: the kernel has no such value of this control group' 'a note names the values that the kernel does not account'
if skip_unless another-user 'values that may not be read are denied'; then
	chmod 711 .
	chmod -R a+rX machine
	chmod 0 "$group"/memory.current
	BENCH_ROOT=$T/machine setpriv --reuid 65534 --clear-groups timeout 20 "$(command -v bench-run)" -e none --csv --commit none -G web.slice/api.service -r 1 --window 10ms >denied.csv 2>err
	is "$(statuses memory_current denied.csv),$(statuses cpu_time denied.csv),$(grep -c 'memory_current: permission denied' err)" denied,ok,1 'values that may not be read are denied'
fi
(sleep 0.3; rm -r "$group") &
BENCH_ROOT=$T/machine run -G web.slice/api.service -r 100 --window 100ms >gone.csv 2>err
is "$?,$(grep -c 'api.service: the control group was removed after [0-9]* of 100 complete windows' err)" 1,1 'a group that is removed ends its windows'
rm machine/proc/self/mountinfo

# refused MESSAGE ARGUMENT...
refused() {
	message=$1
	shift
	BENCH_ROOT=$T/machine timeout 10 bench-run "$@" >out.csv 2>err </dev/null
	got=$?
	is "$got,$(grep -Ec -- "$message" err),$(wc -l <err),$(wc -c <out.csv)" 2,1,1,0 "one message rejects bench-run $*" || cat err
}
refused 'no control groups of version 2 are mounted .as root: mount' -G bare
echo '30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw' >machine/proc/self/mountinfo
power=machine/sys/bus/event_source/devices/power
mkdir -p $power/format
echo 20 >$power/type
echo 0 >$power/cpumask
echo config:0-7 >$power/format/event
while IFS='|' read -r what line; do
	# shellcheck disable=SC2086 # words
	refused "$what" $line
done <<END
there is no control group 'none' of version 2 below /sys/fs/cgroup|-G none
there is no control group 'bare,none' .*; give --cgroup once for each|-G bare,none
there is no control group 'memory/x'|-G /sys/fs/cgroup/memory/x
--cgroup measures control groups, alone or while a command runs, and cannot be combined with 'machine'|-a -G bare
--energy .*: for commands, .*, and 'bare' is a cgroup|-G bare --energy
--param: for commands, .*, and 'bare' is a cgroup|-G bare -P a=1
--per requires -a|-G bare --per cpu
its PMU counts whole packages|-G bare -e power/event=2/
unknown option --for-each-cgroup; use -G GROUP|--for-each-cgroup bare
END

# This machine
if skip_unless control-groups 'a group of this machine is measured'; then
	root=$(group_mount)
	own=bench-test-$$
	mkdir "$root/$own" "$root/$own/below"
	# shellcheck disable=SC2016 # expanded by sh
	sh -c 'echo $$ >"$1/cgroup.procs" && exec sh -c "while :; do :; done"' sh "$root/$own/below" &
	busy=$!
	wait_for grep -q $busy "$root/$own/below/cgroup.procs"
	run -G "$own" -G "$own/below" -r 2 --window 200ms >live.csv 2>err
	is "$?,$(values cpu_time live.csv | awk '{ print ($1 > 5e6 && $1 < 0.4e9) }' | sort -u)" 0,1 'the processor time of a busy group is found, with the groups below it'
	if skip_unless root 'events of a group are counted'; then
		timeout 60 bench-run -q --csv --commit none -G "$own" -r 2 -e task-clock,context-switches --window 300ms >events.csv
		values cpu_time events.csv >spent
		is "$(values task-clock events.csv | paste -d' ' - spent | awk '{ r = $1 / $2; print (r > 0.8 && r < 1.25) }' | sort -u)" 1 'task-clock of a group is its processor time'
		if skip_unless perf 'counts of a group are those of perf stat'; then
			echo "perf stat -x, -o inner -a -e task-clock -G $own -- sleep 0.3" >inner.sh
			perf stat -x, -o outer -a -e task-clock -G "$own" -- bench-run -q --csv --commit none -G "$own" -r 1 -e task-clock -- sh inner.sh >counted.csv
			counts=$(awk -F, '/task-clock/ { print $1 * 1e6 }' inner outer | tr '\n' ' ')
			is "$(echo "$counts$(values task-clock counted.csv)" | awk '{ print ($1 > 0 && $3 >= 0.99 * $1 && $2 >= 0.99 * $3) }')" 1 \
				'task-clock of a group is between those of perf stat inside and outside' || echo "# $counts$(values task-clock counted.csv)"
		fi
	fi
	kill $busy
	wait $busy 2>/dev/null
	for _ in 1 2 3 4 5; do
		rmdir "$root/$own/below" "$root/$own" 2>/dev/null && break
		sleep 0.1
	done
fi
done_testing
