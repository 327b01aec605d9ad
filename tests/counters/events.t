#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names of events, groups, sets with derived metrics, and messages about events that cannot be
# counted. Recorded machines provide the names; tests/counters/pmu.t counts on an emulated machine.
. "${0%/*}/../lib/tap.sh"

trees=$ROOT/tests/fixtures/machines
run() { timeout 60 bench-run -q -w 0 --commit none --csv "$@"; }
# metrics ARG...: metric, unit and status of the counted rows of a run of true
metrics() { run -r 1 "$@" -- true | awk -F, 'NR > 1 && $12 !~ /^(wall|user|sys|max_rss|block_in|block_out|page-faults|context-switches|ok|rows)$/ { print $12, $13, $15 }' | paste -sd';'; }
# code TREE GLOB: type and configuration
code() { BENCH_ROOT=$trees/$1 bench-list -a --csv events "$2" | awk -F, 'NR > 1 { print $3, $4 }'; }
refused() { # WHAT MESSAGE
	status 2 "bench-run rejects the event $1" bench-run -q -r 1 -e "$1" -- true
	is "$(cat "$T/.err")" "bench-run: $2" "bench-run gives the reason why it rejects the event $1"
}

# Names
is "$(metrics -e cs,faults,migrations,task-clock,dummy,emulation-faults)" \
	'cs 1 ok;faults 1 ok;migrations 1 ok;task-clock ns ok;dummy 1 ok;emulation-faults 1 ok' \
	'bench-run counts software events by their long and short names'
is "$(code amd-server cpu/stalls/)" '4 0x100000187' 'bench-list encodes a sysfs field that has two parts'
is "$(code intel-hybrid cpu_atom/mem-loads/)" '10 0x5d0' 'bench-list encodes an event of one kind of processors with the PMU of that kind'
is "$(code intel-hybrid sched:sched_switch)" '2 0x13c' 'bench-list encodes a tracepoint with its number in tracefs'
is "$(BENCH_ROOT=$trees/intel-hybrid bench-list -a events 'uncore*' | wc -l)" 1 'bench-list events does not list events that count whole packages'
is "$(LIBPFM_FORCE_PMU=amd64_fam19h_zen4 bench-list -a --csv events RETIRED_SSE_AVX_FLOPS:ANY | awk -F, 'NR > 1 { print $2, $4 }')" \
	'amd64_fam19h_zen4 0x1f03' "bench-list encodes an event of the vendor with its unit mask as libpfm4 does"
status 1 'bench-list events ends with 1 if no event matches' bench-list events 'no-such*'
status 2 'bench-list ends with 2 for an operand that is neither a verb nor a file' bench-list fruits
is "$(bench-list events task-clock | sed 1d)" 'task-clock,perf,1,0x1,ok,,CPU time of the measured processes' 'bench-list events tries each event on this machine'

# Rejected events
refused foo "event 'foo': unknown to perf and libpfm4 (see bench-list events)"
refused foo/bar/ "event 'foo/bar/': the kernel has no PMU 'foo' (see /sys/bus/event_source/devices)"
refused foo/bar "event 'foo/bar': the second slash is missing"
refused ../x/y/ "event '../x/y/': the kernel has no PMU '..' (see /sys/bus/event_source/devices)"
refused r1g "event 'r1g': unknown to perf and libpfm4 (see bench-list events)"
refused r10000000000000000 "event 'r10000000000000000': unknown to perf and libpfm4 (see bench-list events)"
refused r1:p "event 'r1:p': unknown modifier (use u, k or h)"
refused '{cycles,instructions' "'{cycles,instructions': a '}' is missing"
refused '{cycles}instructions' "'{cycles}instructions': a comma was expected at 'instructions'"
refused 'cycles}' "'cycles}': a comma was expected at '}'"
refused '{cycles,{branches}}' "'{cycles,{branches}}': the name of an event is empty"
refused 'cycles,,branches' "'cycles,,branches': the name of an event is empty"
BENCH_ROOT=$trees/amd-server
export BENCH_ROOT
refused cpu/event=0x1,nix/ "event 'cpu/event=0x1,nix/': the PMU has neither an event nor a field 'nix'"
refused cpu/umask=0x100/ "event 'cpu/umask=0x100/': the value of umask does not fit into its field (config:8-15)"
refused cpu/umask=x/ "event 'cpu/umask=x/': 'x' is not a number"
refused cpu/umask=/ "event 'cpu/umask=/': '' is not a number"
refused power/energy-pkg/ "event 'power/energy-pkg/': its PMU counts whole packages, not commands or processes (-a counts it; for energy see bench-run --energy)"
unset BENCH_ROOT

# Several kinds of processors: an event has a row for each kind. The status is removed because this
# machine may have a PMU of the same number.
is "$(BENCH_ROOT=$trees/intel-hybrid metrics -e cycles,instructions:u,r1c2 | sed 's/ [a-z]*;/;/g; s/ [a-z]*$//' |
	tr ';' '\n' | sort | tr '\n' ';')" \
	'cpu_atom/cycles/ 1;cpu_atom/instructions/u 1;cpu_atom/r1c2/ 1;cpu_core/cycles/ 1;cpu_core/instructions/u 1;cpu_core/r1c2/ 1;' \
	'bench-run writes a row of a hardware event for each kind of processors'
is "$(BENCH_ROOT=$trees/intel-hybrid metrics -e task-clock)" 'task-clock ns ok' 'bench-run writes one row of a software event for all kinds of processors'

# Groups
is "$(metrics -e '{task-clock,page-faults},dummy')" 'task-clock ns ok;dummy 1 ok' 'bench-run counts a group of software events'
mkdir -p odd/sys/bus/event_source/devices/odd/format
echo 2000000000 >odd/sys/bus/event_source/devices/odd/type
echo config:0-63 >odd/sys/bus/event_source/devices/odd/format/event
is "$(BENCH_ROOT=$T/odd metrics -e '{task-clock,odd/event=1/},dummy')" \
	'dummy 1 ok;task-clock ns unsupported;odd/event=1/ 1 unsupported' 'all events of a group are unsupported if one of them is'
BENCH_ROOT=$T/odd bench-run -r 1 -w 0 -e '{task-clock,odd/event=1/}' -- true >/dev/null 2>err
like "$(cat err)" 'task-clock: their group' 'bench-run reports a group that cannot be counted'
if ! have pmu; then
	bench-run -w 0 -r 1 --csv -e '{task-clock,cycles},page-faults' -- true >s.csv 2>err
	is "$(grep -cE ',(task-clock|cycles),.*,unsupported,' s.csv),$(grep -c ',page-faults,1,[0-9]*,ok' s.csv)" 2,1 \
		'bench-run counts other events together with a group that can never be counted'
	is "$(cat err)" 'bench-run: task-clock: their group can never be counted together (more events than the processor has counters, or an event that it lacks); cycles: this machine cannot count them (no such hardware counter, or a virtual machine without hardware counters)' \
		'bench-run reports the events that cannot be counted and the reasons in one line'
fi

if ! have pmu; then
	bench-run -w 0 -r 1 --csv -- true >/dev/null 2>err
	is "$(cat err)" '' 'bench-run does not report default counters that the machine lacks'
	bench-run -v -w 0 -r 1 --csv -- true >/dev/null 2>err
	like "$(cat err)" 'cycles, .*: this machine cannot count them' 'bench-run -v reports default counters that the machine lacks'
fi

# Sets
cat >own.csv <<'END2'
name,formula,unit,event
busy,task-clock / wall,1,
double,2 * work - 0,ns,
work,,,task-clock
faults_per_ms,1e6 * page-faults / work,1/ms,
dummy,,,
lost,missing / work,1,
END2
run -r 3 -E ./own.csv -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' >s.csv
is "$(cut -d, -f12,13 s.csv | sed 1d | sort -u | grep -vE '^(wall|user|sys|max_rss|block|ok|context|page|rows)' | paste -sd' ')" \
	'double,ns dummy,1 faults_per_ms,1/ms work,ns' "a set from a file yields exactly the metrics whose events were counted"
is "$(awk -F, '{ v[$9, $12] = $14 } END { for (s = 0; s < 3; s++) if (v[s, "double"] != 2 * v[s, "work"]) bad++; print bad + 0 }' s.csv)" 0 \
	'formulas of a set use the values of the same sample'
printf 'name,formula\nx,1 +\n' >bad.csv
status 2 'bench-run rejects a set with an invalid formula' bench-run -q -r 1 -E ./bad.csv -- true
is "$(cat .err)" "bench-run: ./bad.csv:2: formula '1 +': a number was expected at ''" 'bench-run reports an invalid formula with file and line'
printf 'name,event\nx,nix\n' >bad.csv
status 2 'bench-run rejects a set with an unknown event' bench-run -q -r 1 -E ./bad.csv -- true
is "$(cat .err)" "bench-run: ./bad.csv:2: event 'nix': unknown to perf and libpfm4 (see bench-list events)" 'bench-run reports an unknown event of a set with file and line'
printf 'event\nx\n' >bad.csv
status 2 'bench-run rejects a set without the column name' bench-run -q -r 1 -E ./bad.csv -- true
status 2 'bench-run rejects a set that does not exist' bench-run -q -r 1 -E nix -- true
like "$(cat .err)" "^bench-run: unknown event set 'nix' .there are: branch, cache, cycles, default, fp, tlb, topdown; " \
	'bench-run lists the sets if one does not exist'
for file in "$ROOT"/share/events/*.csv; do
	set=$(basename "$file" .csv)
	ok "bench-run accepts the set $set" run -r 1 -E "$set" -- true
	for pmu in skl icx spr amd64_fam19h_zen4 amd64_fam17h_zen2; do
		LIBPFM_FORCE_PMU=$pmu BENCH_ROOT=$trees/amd-server run -r 1 -E "$set" -- true >/dev/null 2>err ||
			cat err
	done >faults
	is "$(cat faults)" '' "bench-run accepts the set $set on other processors"
done
is "$(BENCH_ROOT=$trees/intel-hybrid metrics -E topdown | tr ';' '\n' | grep -c topdown)" 4 'the set topdown counts its four events if the kernel has them'
is "$(LIBPFM_FORCE_PMU=arm_ac57 BENCH_ROOT=$trees/arm-board metrics -E topdown)" \
	'retiring 1 unsupported;bad_speculation 1 unsupported;frontend_bound 1 unsupported;backend_bound 1 unsupported;smt_contention_bound 1 unsupported' \
	'metrics of a set that are not available for this processor are unsupported'
is "$(LIBPFM_FORCE_PMU=amd64_fam19h_zen4 BENCH_ROOT=$T/odd metrics -E topdown | sed 's/^cycles 1 [a-z]*/cycles/')" \
	'cycles;no_ops_from_frontend 1 unsupported;backend_stalls 1 unsupported;smt_contention 1 unsupported;ops_dispatched 1 unsupported;ops_retired 1 unsupported' \
	'events of a set whose PMU the kernel lacks are unsupported'
status 2 'bench-run rejects -e none together with a set' bench-run -q -r 1 -e none -E cache -- true

# An ordinary user
if skip_unless another-user 'an ordinary user counts the events that the kernel allows in user mode'; then
	chmod 755 "$T"
	as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
	if [ "$paranoid" -eq 2 ]; then
		as_user bench-run -w 0 -r 1 --csv -e task-clock,cpu-migrations -- true >s.csv 2>err
		is "$(cut -d, -f12,15 s.csv | grep -E 'clock|migr' | paste -sd' ')" 'task-clock:u,ok cpu-migrations,denied' \
			'an ordinary user counts the events that the kernel allows in user mode'
		is "$(sed 's,ep /.*/,ep /,' err)" 'bench-run: cpu-migrations: permission denied; task-clock:u: counted in user mode only (kernel.perf_event_paranoid is 2; as root: sysctl kernel.perf_event_paranoid=1, or setcap cap_perfmon+ep /bench-spawn)' \
			'bench-run prints the commands that allow an ordinary user to count all events'
		cp -r "$BUILD/bin" "$BUILD/libexec" "$BUILD/share" .
		# a file system may lack capabilities
		if sed -n 's/.*or \(setcap.*\))/\1/p' err | sed "s,$BUILD,$T," | sh 2>/dev/null; then
			as_user bin/bench-run -w 0 -r 1 --csv -e task-clock,cpu-migrations -- true >s.csv 2>err
			is "$(cat err; cut -d, -f12,15 s.csv | grep -E 'clock|migr' | paste -sd' ')" 'task-clock,ok cpu-migrations,ok' \
				'the setcap command that bench-run prints allows an ordinary user to count all events'
		fi
	fi
fi

# Tracepoints
# traced COMMAND...: runs a command that sees the tracepoints, where they are mounted or not
traced() {
	unshare -m sh -c '[ -e /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing
		exec "$@"' sh "$@"
}
if skip_unless own-mounts 'a tracepoint counts the calls of the command'; then
	traced timeout 60 bench-run -q -w 0 --csv -r 2 \
		-e syscalls:sys_enter_write -- sh -c 'echo a; echo b' >s.csv 2>err
	is "$(cut -d, -f12,14,15 s.csv | grep sys_enter | paste -sd' ')" 'syscalls:sys_enter_write,2,ok syscalls:sys_enter_write,2,ok' \
		'a tracepoint counts the calls of the command' || cat err
	traced timeout 10 bench-list -a events \
		'syscalls:*' >s.csv
	is "$?,$(cut -d, -f2,5 s.csv | sort -u | paste -sd' ')" '0,pmu,status tracepoint,ok' \
		'bench-list lists hundreds of tracepoints without trying each'
fi
# More events than counters, some of which may not count: none reads 0.
if skip_unless pmu 'two names of one event have equal counts'; then
	pairs='instructions:u r00c0:u branches:u branch-instructions:u cycles:u cpu-cycles:u'
	bench-run -q -r 3 -w 0 -e "$(echo "$pairs" | tr ' ' ,)" -- awk 'BEGIN { while (i++ < 8e6); }' >many.csv
	bench-stat -s median many.csv | awk -F, -v pairs="$pairs" '
		{ median[$(NF - 2)] = $NF }
		END {
			n = split(pairs, name, " ")
			for (i = 1; i < n; i += 2)
				if (!(name[i + 1] ~ /^r/ && !median[name[i + 1]]))
					print name[i], median[name[i]] / (median[name[i + 1]] + 1)
		}' >ratios
	is "$(awk '$2 < 0.85 || $2 > 1.15' ratios)" '' 'two names of one event have equal counts'
fi

done_testing
