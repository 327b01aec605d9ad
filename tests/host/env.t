#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-env prints the machine's facts and their hash, and checks the machine.
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
like "$hash" '^[0-9a-f]{12}$' "bench-env --hash prints twelve hexadecimal digits"
is "$hash" ca0bf0d2acbc "bench-env prints the same hash for the same facts in every version"
is "$(bench-env --root tree)" "$(echo env,fact,value && sed "s/^/$hash,/" want.csv)" \
	"bench-env --root prints exactly the facts that the machine provides"
is "$(bench-env --root tree --csv turbo cpu_threads)" "env,fact,value
$hash,turbo,off
$hash,cpu_threads,4" "bench-env prints named facts in the requested order"
like "$(bench-env --root tree --table frequency_max_hz)" '3\.5.* GHz$' "bench-env --table prints numbers with units"
like "$(bench-env --root tree --json cpu_threads)" '"value": ?4\b' "bench-env --json prints numbers as numbers"
status 1 "bench-env ends with status 1 if a named fact is not available" bench-env --root tree cpu_threads color
like "$(cat .out)" cpu_threads,4 "bench-env prints the known fact although another is not available"
like "$(cat .err)" "^bench-env: this machine has no fact 'color' " "bench-env names the fact that is not available"

status 0 "bench-env --check succeeds on an idle machine" bench-env --root tree --check
is "$(cat .out)" level,check,found,advice "bench-env --check prints no row for a suitable machine"
like "$(cat .err)" '^bench-env: suitable for benchmarking: 0 problems, 0 notes$' \
	"bench-env --check reports a suitable machine as suitable"
status 0 "bench-env --check -q succeeds on a suitable machine" bench-env --root tree -c -q
is "$(cat .err)" '' "bench-env --check -q prints no summary"

echo '3.10 0.20 0.30 1/99 1234' | put proc/loadavg
is "$(bench-env --root tree --hash)" "$hash" "the load average does not change the hash of bench-env"
echo powersave | put $cpu/cpufreq/policy0/scaling_governor
unlike "$(bench-env --root tree --hash)" "$hash" "another frequency governor changes the hash of bench-env"
status 1 "bench-env --check fails on a busy machine with the powersave governor" bench-env --root tree --check
is "$(cut -d, -f1-3 .out)" "level,check,found
unfit,load,3.1
unfit,governor,powersave" "bench-env --check prints a row for each problem"
like "$(cat .err)" '^bench-env: not suitable for benchmarking: 2 problems, 0 notes$' \
	"bench-env --check counts the problems"

# A machine with every problem
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
note,nmi_watchdog,1" "each check of bench-env --check reports its problem"
like "$(cat all.csv)" 'sudo sysctl kernel.perf_event_paranoid=2' "the advice of bench-env --check includes the command to run"
sed 1d all.csv | cut -d, -f2 | while read -r check; do
	grep -q "^\.It Cm.*\b$check\b" "$ROOT/man/bench-env.1" || echo "$check"
done >undocumented
is "$(cat undocumented)" '' "bench-env(1) describes every check"

# The real machine
bench-env >here.csv
like "$(cat here.csv)" "^[0-9a-f]{12},kernel,$(uname -r)$" "bench-env reports the release of the running kernel"
like "$(cat here.csv)" ",cpu_threads,$(getconf _NPROCESSORS_ONLN)$" "bench-env reports the number of online processors"
is "$(cut -d, -f1 here.csv | sed 1d | sort -u)" "$(bench-env --hash)" "every row of bench-env has the hash of bench-env --hash"
unlike "$(cat here.csv)" ',(""|)$' "bench-env prints no fact without a value"
sed 1d here.csv | cut -d, -f2 | while read -r fact; do
	grep -q "^\.It Cm.*\b$fact\b" "$ROOT/man/bench-env.1" || echo "$fact"
done >undocumented
is "$(cat undocumented)" '' "bench-env(1) describes every fact"
if skip_unless root "bench-env --hash prints the same hash for an ordinary user as for root"; then
	cp "$(command -v bench-env)" ./bench-env-here
	chmod 755 . bench-env-here
	is "$(setpriv --reuid=65534 --regid=65534 --clear-groups ./bench-env-here --hash)" \
		"$(bench-env --hash)" "bench-env --hash prints the same hash for an ordinary user as for root"
fi

status 2 "bench-env rejects a --root that does not exist" bench-env --root nowhere
like "$(cat .err)" '^bench-env: nowhere: No such' "bench-env names the --root that does not exist"
status 2 "bench-env rejects --hash together with names of facts" bench-env --hash cpu_model
if [ -w /dev/full ]; then
	status 2 "bench-env ends with status 2 if the disk is full" sh -c 'bench-env >/dev/full'
	like "$(cat .err)" 'No space' "bench-env reports a full disk"
	status 2 "bench-env --hash ends with status 2 if the disk is full" sh -c 'bench-env --hash >/dev/full'
fi
if skip_unless pmu 'bench-env reports the number of hardware counters'; then
	ok 'bench-env reports the number of hardware counters' sh -c 'bench-env | grep -E "^[^,]*,counters,[1-9]"'
	ok 'bench-env reports the number of hardware counters that do not count' sh -c 'bench-env | grep -E "^[^,]*,counters_dead,[0-9]"'
fi
done_testing
