#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run -a: the whole machine, measured in windows of time.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

skip_unless unsanitized 'bench-run -a measures the machine' || done_testing

run() { timeout 60 bench-run -q -e none --csv --commit none "$@"; }
# column METRIC FIELD FILE [COLUMN=VALUE]: a field of the rows of a metric, of the whole machine or a part
column() {
	awk -F, -v m="$1" -v field="$2" -v part="${4:-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; split(part, p, "="); own = at["cpu"] + at["socket"]; next }
		$at["metric"] == m && (p[1] == "" ? !own || $own == "" : $at[p[1]] == p[2]) { print $at[field] }' "$3"
}
values() { metric=$1; shift; column "$metric" value "$@"; }
statuses() { metric=$1; shift; column "$metric" status "$@"; }

# A machine with two processors whose counts move: each step adds 6 ticks of user time (with 4 of
# guests), 2 of sys, 10 of idle, 2 of iowait and 1 of steal.
cp -R "$ROOT/tests/fixtures/machines/amd-server" machine
chmod -R u+w machine
mkdir -p machine/proc/net machine/sys/class/net/eth0/device machine/sys/class/net/br0
for cpu in 0 1; do
	mkdir -p machine/sys/devices/system/cpu/cpu$cpu/topology
	echo $cpu >machine/sys/devices/system/cpu/cpu$cpu/topology/physical_package_id
done
cat >step.awk <<'END'
# Writes the files of the machine after n steps; with cpu1 or without it.
BEGIN {
	printf "cpu  %d %d %d %d %d 0 %d %d %d %d\n", 900 + 4 * n, 2 * n, n, 10 * n, 2 * n, n, n, 3 * n, n >"new/stat"
	printf "cpu0 %d %d %d %d %d 0 0 0 %d %d\n", 900 + 2 * n, n, n, 3 * n, n, 3 * n, n >"new/stat"
	if (!gone)
		printf "cpu1 %d %d 0 %d %d 0 %d %d 0 0\n", 2 * n, n, 7 * n, n, n, n >"new/stat"
	printf "intr 1\nctxt %d\nprocesses %d\n", 100 * n, 5 * n >"new/stat"
	printf "pgpgin %d\npgpgout %d\npgfault %d\npgmajfault %d\n", 8 * n, 4 * n, 30 * n, 2 * n >"new/vmstat"
	printf "a\nb\n lo:%d 0 0 0 0 0 0 0 %d\neth0:%d 0 0 0 0 0 0 0 %d\nbr0: %d 0 0 0 0 0 0 0 %d\n",
		n * n, n * n, 2000 * n, 1000 * n, n * n, n * n >"new/net/dev"
	printf "MemTotal: 4000 kB\nMemAvailable: 1500 kB\n" >"new/meminfo"
	printf "%-16s\n", 40000 * n >"new/energy"
}
END
mkdir -p new/net
# put STEPS [GONE]
put() {
	awk -v n="$1" -v gone="${2:-0}" -f step.awk
	for file in net/dev vmstat meminfo stat; do mv new/$file machine/proc/$file; done
	cat new/energy 1<>machine/sys/class/powercap/intel-rapl:0/energy_uj
}
# moves: the machine works until the file stop exists; cpu1 is offline while the file gone exists
moves() {
	rm -f stop
	put 1
	(
		n=1
		while [ ! -e stop ]; do
			n=$((n + 1))
			if [ -e gone ]; then put $n 1; else put $n; fi
			sleep 0.005
		done
	) &
	mover=$!
}
stops() {
	: >stop
	wait $mover
}
on_fake() { BENCH_ROOT=$T/machine run "$@"; }
# ratio A B FILE [PART]: of the sums of two metrics over all windows
ratio() {
	a=$1 b=$2
	shift 2
	values "$a" "$@" >top
	values "$b" "$@" | paste -d' ' top - | awk '{ a += $1; b += $2 } END { printf "%.6g\n", a / b }'
}

moves
on_fake -a -r 3 --window 300ms --energy >fake.csv
on_fake -a -r 3 --window 200ms --per cpu >cpu.csv
on_fake -a -r 2 --window 150ms --per socket --aa >socket.csv
BENCH_ROOT=$T/machine timeout 60 bench-run -q --csv --commit none -a -r 1 --window 100ms -e power/config=2/ >package.csv
package=$?
stops
is "$package,$(statuses power/config=2/ package.csv)" 0,unsupported 'events of whole packages are accepted for the machine'
is "$(awk -F, 'NR == 2 { print $6 "," $7 "," $8 "," $10 }' fake.csv)" machine,machine,300ms,0 'a sample is that of the machine, with the length of the window'
is "$(ratio user sys fake.csv) $(ratio idle sys fake.csv) $(ratio iowait sys fake.csv) $(ratio steal sys fake.csv)" '3 5 1 0.5' \
	'processor times are those of all processors, with the time of guests counted once'
is "$(ratio cpu_time sys fake.csv)" 4 'cpu_time is the sum of user and sys'
is "$(ratio cpu_time cpu_utilisation fake.csv)" 3e+08 'cpu_utilisation is cpu_time divided by the length of the window'
is "$(ratio context-switches forks fake.csv) $(ratio page-faults major-faults fake.csv) $(ratio block_in page-faults fake.csv) $(ratio block_out page-faults fake.csv)" \
	'20 15 273.067 136.533' 'counts of the kernel are those of the window, and those of storage are bytes'
is "$(ratio net_in net_out fake.csv)" 2 'only network interfaces with a device count'
is "$(values memory_used fake.csv | sort -u) $(values cpus fake.csv | sort -u)" '2560000 2' 'memory_used is what is not available, and cpus are those online'
# A step is 40 mJ and 2 ticks of sys.
is "$(ratio energy sys fake.csv | awk '{ r = $1 / (0.04 / 2e7); print (r > 0.7 && r < 1.4) }')" 1 'energy is that of each window'
is "$(values energy_net fake.csv)" '' 'there is no net energy, because the machine is not idle'
is "$(ratio user sys cpu.csv) $(ratio user sys cpu.csv cpu=0) $(ratio user steal cpu.csv cpu=1)" '3 3 3' '--per cpu adds the times of each processor'
is "$(ratio idle sys socket.csv socket=0),$(values idle socket.csv socket=1 | wc -l)" 3,4 '--per socket adds the times of each socket, twice with --aa'
is "$(tail -n 1 fake.csv | awk -F, '{ print $13 "," $15 }')" "rows,$(($(wc -l <fake.csv) - 2))" 'the end mark has the number of rows'

moves
on_fake -a -r 2 --window 200ms --cpu 1 --per cpu >one.csv
on_fake -a -r 2 -- sleep 0.2 >during.csv
on_fake -a -r 1 -- sleep 0.01 >short.csv 2>err
stops
is "$(ratio user sys one.csv),$(ratio idle sys one.csv),$(ratio idle sys one.csv cpu=1),$(values cpus one.csv | sort -u)" 3,7,7,1 '--cpu measures the times of these processors only'
is "$(awk -F, 'NR == 2 { print $6 "," $8 "," $9 }' one.csv),$(values user one.csv cpu=0)" machine,200ms,1, '--cpu lists the processors in the column cpus'
is "$(values page-faults one.csv)$(values memory_used one.csv)$(values net_in one.csv)$(values forks one.csv)" '' '--cpu leaves out what all processors share'
is "$(awk -F, 'NR == 2 { print $6 "," $7 "," $8 }' during.csv),$(ratio user sys during.csv)" 'machine,machine,sleep 0.2,3' \
	'the machine is measured while a command runs, which has a column of its own'
values wall during.csv | awk '{ print ($1 > 0.2e9 && $1 < 1e9) }' | sort -u >ends
values user during.csv | awk '{ print $1 % 1e7 }' | sort -u >whole
is "$(cat ends),$(cat whole)" 1,0 'the values of a window during a command are not scaled'
is "$(statuses cpu_time short.csv),$(statuses forks short.csv)" skipped,ok 'a command that runs for less than ten ticks has no processor times'

# A processor goes offline in a window, and comes back in another one.
for _ in 1 2 3; do
	moves
	on_fake -a -r 8 --window 150ms --per cpu >gone.csv &
	wait_for test -s gone.csv
	sleep 0.2
	: >gone
	sleep 0.4
	rm gone
	wait $!
	stops
	[ "$(values idle gone.csv | grep -c '^$')" = 2 ] && break
done
is "$(values idle gone.csv | grep -c '^$') $(statuses idle gone.csv | sort | uniq -c | awk '{ print $1 $2 }' | tr '\n' ' ')" '2 6ok 2skipped ' \
	'idle has no value in the windows in which a processor goes offline or online'
is "$(values cpu_time gone.csv | grep -c .)" 8 'cpu_time has a value in all windows'
is "$(values cpu_time gone.csv cpu=0 | grep -c .) $(values cpu_time gone.csv cpu=1 | grep -c '^$')" '8 2' 'a processor that was offline at an end of a window has no values'
like "$(values cpus gone.csv | uniq | tr '\n' ' ')" '^2 1 2 $' 'cpus counts the processors that are online'

moves
: >gone
wait_for sh -c '! grep -q cpu1 machine/proc/stat'
on_fake -a -r 2 --window 150ms --cpu 0-1 >offline.csv 2>err
is "$?,$(cat err),$(wc -c <offline.csv)" "2,bench-run: --cpu 0-1: processors that do not exist or are offline: 1 (online: 0),0" '--cpu refuses a processor that is offline'
rm gone
wait_for grep -q cpu1 machine/proc/stat
on_fake -a -r 8 --window 150ms --cpu 1 >offline.csv &
wait_for test -s offline.csv
: >gone
wait $!
stops
rm gone
is "$(values cpus offline.csv | tail -n 1),$(values cpu_time offline.csv | tail -n 1),$(values cpu_utilisation offline.csv | tail -n 1),$(statuses user offline.csv | tail -n 1)" \
	'0,,,skipped' 'a chosen processor that went offline has no times'

# Events: the PMU power has the type of software events, which count on the processors of this machine.
if skip_unless root 'events follow the processors that come and go'; then
	pmu=machine/sys/bus/event_source/devices/power
	mkdir -p $pmu/format
	rm -f $pmu/cpumask $pmu/cpus
	echo 1 >$pmu/type
	echo config:0-7 >$pmu/format/event
	event=power/event=0/
	counted() { BENCH_ROOT=$T/machine timeout 60 bench-run --csv --commit none -a -e "$event" --window 150ms "$@"; }
	for _ in 1 2 3; do
		moves
		counted -r 8 >hot.csv 2>err &
		wait_for test -s hot.csv
		sleep 0.2
		: >gone
		sleep 0.4
		rm gone
		wait $!
		stops
		[ "$(values $event hot.csv | grep -c '^$')" = 2 ] && break
	done
	is "$(statuses $event hot.csv | sort | uniq -c | awk '{ print $1 $2 }' | tr '\n' ' ')" '6ok 2skipped ' 'events have no value in the windows in which a processor goes offline or online'
	# The clock of each processor that is online
	values cpus hot.csv >numbers
	values $event hot.csv | paste -d' ' - numbers | awk 'NF == 2 { print $1 / (0.15e9 * $2) }' >ratios
	is "$(awk '$1 < 0.9 || $1 > 1.1' ratios)" '' 'events are counted on the processors that are online in each window'
	like "$(cat err)" 'machine: no events in 2 of 8 windows, because processors went online or offline in them' 'a note says that events lack windows'
	for file in cpumask cpus; do
		echo 0 >$pmu/$file
		counted -r 1 --per cpu >part.csv 2>/dev/null
		counted -r 1 --cpu 1 >other.csv 2>err
		is "$(values $event part.csv | awk '{ print ($1 > 0.14e9 && $1 < 0.17e9) }'),$(values $event part.csv cpu=0 | grep -c .),$(statuses $event part.csv cpu=1)" 1,1,skipped \
			"an event of a PMU with a file $file is counted on its processors"
		is "$(statuses $event other.csv),$(grep -c "^bench-run: $event: counted on other processors than those that are measured" err)" unsupported,1 \
			"an event of a PMU with a file $file is unsupported if --cpu chooses other processors"
		rm $pmu/$file
	done
fi

rm machine/proc/vmstat machine/proc/net/dev
BENCH_ROOT=$T/machine timeout 60 bench-run -e none --csv -a -r 2 --window 10ms >lacks.csv 2>err
is "$(statuses page-faults lacks.csv),$(statuses net_in lacks.csv),$(statuses forks lacks.csv | tr '\n' ' ')" 'unsupported,unsupported,ok ok ' \
	'counts that the machine lacks have one row without a value'
like "$(cat err)" 'machine: page-faults, .*net_out: not available on this machine' 'a note names the counts that the machine lacks'
like "$(cat err)" 'machine: no processor times in 2 of 2 windows, which the kernel counts in ticks of 10 ms: they need a --window of at least 100 ms' \
	'a note says that short windows have no processor times'
is "$(statuses cpu_time lacks.csv | sort -u)" skipped 'short windows have no processor times'
rm machine/proc/stat
is "$(on_fake -a -r 1 --window 10ms 2>&1 >out.csv),$(wc -c <out.csv)" 'bench-run: /proc/stat cannot be read, or lacks the times of processors,0' \
	'a machine without /proc/stat cannot be measured'

# This machine
sh -c 'while :; do :; done' &
busy=$!
run -a -r 2 --window 300ms >live.csv
kill $busy
is "$(values cpu_time live.csv | awk '{ print ($1 > 0.1e9 && $1 < 0.4e9 * '"$(nproc --all)"') }' | sort -u)" 1 'the processor time of a busy loop is found'
for m in user sys idle iowait steal; do values $m live.csv | sed -n 1p; done | awk -v cpus="$(values cpus live.csv | head -n 1)" '
	{ sum += $1 } END { print (sum > 0.5 * cpus * 0.3e9 && sum < 1.5 * cpus * 0.3e9) }' >whole
is "$(cat whole)" 1 'the times of processors add up to the window'
if skip_unless root 'events are counted on each processor'; then
	timeout 60 bench-run -q --csv --commit none -a -r 2 --window 100ms --per cpu -e context-switches,task-clock,cpu-clock >events.csv
	is "$(values context-switches events.csv | awk '{ print ($1 > 0) }' | sort -u)" 1 'events are counted on all processors'
	is "$(values cpu-clock events.csv | awk -v n="$(values cpus live.csv | head -n 1)" '{ print ($1 > 0.9e8 * n && $1 < 1.1e8 * n) }' | sort -u)" 1 \
		'an event of the whole machine is the sum of all processors'
	is "$(values cpu-clock events.csv cpu=0 | awk '{ print ($1 > 0.9e8 && $1 < 1.1e8) }' | sort -u)" 1 'an event of a processor is counted on this one alone'
	is "$(statuses task-clock events.csv)" unsupported 'task-clock is not counted, because it would include idle time'
fi
if skip_unless another-user 'an ordinary user measures the machine, without events'; then
	chmod 755 .
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ]; then
		setpriv --reuid 65534 --clear-groups timeout 20 "$(command -v bench-run)" --csv --commit none -a -r 1 --window 100ms -e page-faults,cpu-migrations >user.csv 2>err
		is "$(statuses cpu-migrations user.csv),$(statuses cpu_time user.csv),$(statuses page-faults user.csv)" denied,ok,ok \
			'an ordinary user measures the machine, without events'
		like "$(cat err)" 'cpu-migrations: permission denied .the whole machine is counted; kernel.perf_event_paranoid is [1-9]; as root: sysctl kernel.perf_event_paranoid=0, or setcap cap_perfmon' \
			'a message explains why events of the machine are denied'
	fi
fi
timeout 20 script -qec "bench-run -q -e none --commit none -a --per cpu -r 8 --window 100ms" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*[mK]//g' >screen
like "$(cat screen)" '^  CPU +processors [0-9.]+, user .*, idle .*$' 'on a terminal a line shows the use of the processors'
like "$(cat screen)" '^machine cpu=0 window=100ms$' 'on a terminal each processor has its lines'
is "$(grep -c relative screen)" 0 'the parts of a machine are not ranked'

# refused MESSAGE ARGUMENT...
refused() {
	message=$1
	shift
	timeout 10 bench-run "$@" >out.csv 2>err </dev/null
	got=$?
	is "$got,$(grep -Ec -- "$message" err),$(wc -l <err),$(wc -c <out.csv)" 2,1,1,0 "one message rejects bench-run $*" || cat err
}
while IFS='|' read -r what line; do
	# shellcheck disable=SC2086 # words
	refused "$what" $line
done <<END
-a measures the whole machine, alone or while a command runs, and cannot be combined with '.+'|-a --pid 1
-a measures the whole machine, alone or while a command runs, and cannot be combined with 'gemm'|-a -k gemm
--cpu 0,4096-4098: processors that do not exist or are offline: 4096-4098 .online: 0|-a --cpu 0,4096-4098
--cpu: 'x' is not a number|-a --cpu x
--energy with -a is that of the whole machine, and cannot be combined with --cpu|-a --cpu 0 --energy
--confidence: '0-3' is not a percentage .*; -a --cpu LIST measures some processors|-a -C 0-3
-C is the confidence, .*to measure some processors of the machine, use --cpu|-a -C 1
--per requires -a|--per cpu true
--per: unknown part of the machine 'core' .there are: cpu, socket|-a --per core
--per adds the column 'cpu'|-a --per cpu --label cpu=1 -r 1
--window must be from 1ms|-a --window 0
--window: for processes, the machine and cgroups only|--window 1s true
--param: for commands, .* only, not for the machine|-a -P a=1,2
--energy-idle: for commands, .* only, not for the machine|-a --energy --energy-idle 1s
--until: for commands|-a --until decided --compare bench
-p with -a requires a --window of at least 100 ms|-a -p 5 --window 50ms
unknown option -A; use -a --per cpu|-A
unknown option --per-socket; use -a --per socket|--per-socket
END
done_testing
