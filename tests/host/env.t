#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-env: the machine's facts, their hash, and whether it is fit to measure on.
. "${0%/*}/../lib/tap.sh"

# put PATH: standard input becomes a file of the made-up machine
put() {
	mkdir -p "tree/${1%/*}"
	cat >"tree/$1"
}

cpu=sys/devices/system/cpu
printf 'vendor_id\t: GenuineIntel\nmodel name\t: A "fast", CPU\nflags\t\t: fpu vme\n' | put proc/cpuinfo
echo 0-3 | put $cpu/online
echo 0 | put $cpu/smt/active
echo performance | put $cpu/cpufreq/policy0/scaling_governor
echo 3500000 | put $cpu/cpu0/cpufreq/cpuinfo_max_freq
echo 1 | put $cpu/intel_pstate/no_turbo
echo tsc | put sys/devices/system/clocksource/clocksource0/current_clocksource
echo '0.10 0.20 0.30 1/99 1234' | put proc/loadavg

cat >want.csv <<'END'
cpu_model,"A ""fast"", CPU"
cpu_vendor,GenuineIntel
cpu_threads,4
smt,off
hypervisor,none
governor,performance
frequency_max_hz,3500000000
turbo,off
clocksource,tsc
load_1min,0.1
END
hash=$(bench-env --root tree --hash)
like "$hash" '^[0-9a-f]{12}$' "the hash is twelve hex digits"
is "$hash" ca0bf0d2acbc "a machine keeps its hash for ever"
is "$(bench-env --root tree)" "$(echo env,fact,value && sed "s/^/$hash,/" want.csv)" \
	"the facts of a made-up machine, and only those it tells"
is "$(bench-env --root tree --csv turbo cpu_threads)" "env,fact,value
$hash,turbo,off
$hash,cpu_threads,4" "facts are printed by name, in the order asked for"
like "$(bench-env --root tree --table frequency_max_hz)" '3\.5.* GHz$' "a table shows facts with units"
like "$(bench-env --root tree --json cpu_threads)" '"value": ?4\b' "JSON has numbers as numbers"
status 1 "an unknown fact ends with status 1" bench-env --root tree cpu_threads colour
like "$(cat .out)" cpu_threads,4 "a known fact is printed beside an unknown one"
like "$(cat .err)" '^bench-env: colour: ' "an unknown fact is named"

status 0 "a quiet machine is fit" bench-env --root tree --check
is "$(cat .out)" level,check,found,advice "a fit machine gets no advice"
like "$(cat .err)" '^bench-env: fit ' "a fit machine is reported as fit"
status 0 "a quiet check of a fit machine ends with status 0" bench-env --root tree -c -q
is "$(cat .err)" '' "a quiet check prints no message"

echo '3.10 0.20 0.30 1/99 1234' | put proc/loadavg
is "$(bench-env --root tree --hash)" "$hash" "load does not change the hash"
echo powersave | put $cpu/cpufreq/policy0/scaling_governor
unlike "$(bench-env --root tree --hash)" "$hash" "a governor changes the hash"
status 1 "a busy machine with a drowsy clock is unfit" bench-env --root tree --check
is "$(cut -d, -f1-3 .out)" "level,check,found
unfit,load,3.1
unfit,governor,powersave" "each reason why a machine is unfit has a line"
like "$(cat .err)" '^bench-env: unfit .*2 against' "the reasons why a machine is unfit are counted"

# Everything wrong at once.
printf 'flags\t\t: fpu hypervisor\n' | put proc/cpuinfo
printf 'cpu  900 0 0 9000 0 0 0 100\n' | put proc/stat
printf 'SwapTotal: 2048 kB\nSwapFree: 1024 kB\n' | put proc/meminfo
printf '0::/\n' | put proc/self/cgroup
echo '50000 100000' | put sys/fs/cgroup/cpu.max
echo hpet | put sys/devices/system/clocksource/clocksource0/current_clocksource
echo '[always] madvise never' | put sys/kernel/mm/transparent_hugepage/enabled
echo 4 | put proc/sys/kernel/perf_event_paranoid
echo 1 | put proc/sys/kernel/nmi_watchdog
echo 1 | put proc/sys/kernel/numa_balancing
echo 0 | put proc/sys/kernel/randomize_va_space
echo 0 | put $cpu/intel_pstate/no_turbo
echo 1 | put $cpu/smt/active
echo 12 | put $cpu/cpu0/thermal_throttle/core_throttle_count
echo Discharging | put sys/class/power_supply/BAT0/status
echo x86_pkg_temp | put sys/class/thermal/thermal_zone3/type
echo 95500 | put sys/class/thermal/thermal_zone3/temp
bench-env --root tree -cq >all.csv
is "$(cut -d, -f1-3 all.csv)" "level,check,found
unfit,load,3.1
unfit,governor,powersave
unfit,power_source,battery
unfit,cpu_quota,50%
unfit,temperature,95.50 °C
unfit,clocksource,hpet
note,steal,1%
note,hypervisor,unknown
note,turbo,on
note,smt,on
note,throttle,12
note,swap,1.000 MiB
note,thp,always
note,numa_balancing,1
note,aslr,0
note,perf_event_paranoid,4
note,nmi_watchdog,1" "every check speaks where it should"
like "$(cat all.csv)" 'sudo sysctl kernel.perf_event_paranoid=2' "the line to type is given"
sed 1d all.csv | cut -d, -f2 | while read -r check; do
	grep -q "^\.It Cm.*\b$check\b" "$ROOT/man/bench-env.1" || echo "$check"
done >undocumented
is "$(cat undocumented)" '' "the manual explains every check"

# This machine, whatever it is.
bench-env >here.csv
like "$(cat here.csv)" "^[0-9a-f]{12},kernel,$(uname -r)$" "this kernel"
like "$(cat here.csv)" ",cpu_threads,$(getconf _NPROCESSORS_ONLN)$" "these processors"
is "$(cut -d, -f1 here.csv | sed 1d | sort -u)" "$(bench-env --hash)" "one hash in every row"
unlike "$(cat here.csv)" ',(""|)$' "no fact without a value"
sed 1d here.csv | cut -d, -f2 | while read -r fact; do
	grep -q "^\.It Cm.*\b$fact\b" "$ROOT/man/bench-env.1" || echo "$fact"
done >undocumented
is "$(cat undocumented)" '' "the manual explains every fact"
if skip_unless root "the hash is the same for an ordinary user"; then
	cp "$(command -v bench-env)" ./bench-env-here
	chmod 755 . bench-env-here
	is "$(setpriv --reuid=65534 --regid=65534 --clear-groups ./bench-env-here --hash)" \
		"$(bench-env --hash)" "the hash is the same for an ordinary user"
fi

status 2 "a root that does not exist is refused" bench-env --root nowhere
like "$(cat .err)" '^bench-env: nowhere: No such' "the root that does not exist is named"
status 2 "a hash of some facts makes no sense" bench-env --hash cpu_model
if [ -w /dev/full ]; then
	status 2 "a full disk ends with status 2" sh -c 'bench-env >/dev/full'
	like "$(cat .err)" 'No space' "a full disk is reported"
	status 2 "a full disk under --hash ends with status 2" sh -c 'bench-env --hash >/dev/full'
fi
if skip_unless pmu 'hardware counters'; then
	ok 'the number of hardware counters is a fact' sh -c 'bench-env | grep -E "^[^,]*,counters,[1-9]"'
	ok 'the number of dead hardware counters is a fact' sh -c 'bench-env | grep -E "^[^,]*,counters_dead,[0-9]"'
fi
done_testing
