#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Energy and carbon of commands, on recorded machines whose counters the commands move.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

# draw ZONE MICROJOULES: moves a counter in place, so that no reader finds it empty
cat >draw <<'END'
for i in 1; do
	file=$BENCH_ROOT/sys/class/powercap/$1/energy_uj
	read -r now <"$file"
	read -r range <"${file%/*}/max_energy_range_uj"
	printf '%-16s\n' $(((now + $2) % range)) 1<>"$file"
done
END
# draws ZONE MICROJOULES...: moves several counters, and lasts long enough not to be pooled
cat >draws <<'END'
while [ $# -gt 0 ]; do
	sh ./draw "$1" "$2"
	shift 2
done
sleep 0.03
END

# on TREE: selects the recorded machine
on() {
	chmod -R u+w machine 2>/dev/null
	rm -rf machine
	cp -R "$ROOT/tests/fixtures/machines/$1" machine
	BENCH_ROOT=$T/machine
	export BENCH_ROOT
}
run() { timeout 60 bench-run -e none -w 0 "$@"; }
quick() { run -q --energy --energy-idle 0 "$@"; }
# values METRIC FILE: iterations, value and status of a metric's rows, a line each
values() {
	awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m { print $at["iterations"], $at["value"], $at["status"] }' "$2"
}
zone() { echo "$BENCH_ROOT/sys/class/powercap/$1/energy_uj"; }

# A laptop: the package includes core and uncore, memory is separate, psys includes them all, and
# the package appears a second time through another interface.
on intel-laptop
quick -r 2 -- sh draws intel-rapl:0 2500000 intel-rapl:0:0 1500000 intel-rapl:0:1 250000 \
	intel-rapl:0:2 500000 intel-rapl:1 6000000 intel-rapl-mmio:0 2500000 >laptop.csv
is "$(values energy laptop.csv)" '1 3 ok
1 3 ok' 'energy is the sum of package and memory, each counted once'
is "$(values energy_package laptop.csv)$(values energy_dram laptop.csv | tail -1)" '1 2.5 ok
1 2.5 ok1 0.5 ok' 'package and memory have their own rows'
is "$(values energy_core laptop.csv | tail -1) $(values energy_uncore laptop.csv | tail -1)" \
	'1 1.5 ok 1 0.25 ok' 'core and uncore have their own rows'
is "$(values energy_psys laptop.csv | tail -1)" '1 6 ok' 'psys has its own row'
is "$(values energy_net laptop.csv)" '' '--energy-idle 0 gives no net energy'
values energy_uncertainty laptop.csv | while read -r n u status; do
	# Two stale readings of 1 ms each, at the power of a run of 30 ms or more.
	awk -v u="$u" 'BEGIN { exit !(u > 0 && u <= 3 * 0.001 / 0.03 / sqrt(6) * 1.01) }' || echo "$n $u $status"
done >wrong
is "$(cat wrong)" '' "the uncertainty of energy is that of the counter's resolution"

# Wrap-around
echo 262143000000 >"$(zone intel-rapl:0)"
quick -r 3 -- sh draws intel-rapl:0 1000000 >wrap.csv
is "$(values energy wrap.csv | uniq)" '1 1 ok' 'a counter that wraps once loses no energy'
echo 2000000 >"$BENCH_ROOT/sys/class/powercap/intel-rapl:0/max_energy_range_uj"
echo 0 >"$(zone intel-rapl:0)"
run --energy --energy-idle 0 -r 1 -- sh draws intel-rapl:0 1000000 >often.csv 2>err
is "$(values energy often.csv)" '1  skipped' 'the energy has no value if a counter may have wrapped twice'
like "$(cat err)" 'may have wrapped' 'bench-run reports that a counter may have wrapped'

# Two packages
on amd-server
quick -r 2 -- sh draws intel-rapl:0 1250000 intel-rapl:1 850000 intel-rapl:1:0 100000 >server.csv
is "$(values energy server.csv | uniq)" '1 2.1 ok' 'the energies of two packages are added'
is "$(values energy_core server.csv | uniq)" '1 0.1 ok' 'the energies of cores are not added to those of packages'

# No counter, or none that may be read
on arm-board
run --energy --carbon DE -r 3 -- true >board.csv 2>err
is "$(values energy board.csv)$(values co2e board.csv)" '1  unsupported1  unsupported' \
	'a machine without energy counters gives one row without a value'
like "$(cat err)" '^bench-run: energy: .*/sys/class/powercap.*energy-model' 'bench-run reports why there is no energy, and suggests --energy-model'
is "$(wc -l <err)" 1 'bench-run reports missing energy counters in one line'
rm -r machine && mkdir machine
run --energy -q -r 1 -- true >nothing.csv
is "$(values energy nothing.csv)" '1  unsupported' 'energy is unsupported on a machine without any files'

if skip_unless root "energy counters that an ordinary user may not read are reported"; then
	mkdir -p box/bin box/libexec box/share
	cp "$BUILD"/bin/bench-run "$BUILD"/bin/bench-env box/bin
	cp -R "$BUILD/libexec/benchutils" box/libexec
	cp -R "$BUILD/share/benchutils" box/share
	chmod -R a+rX "$T"
	# as_user COMMAND...
	as_user() { PATH=$T/box/bin:$PATH timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

	on intel-laptop
	chmod 400 machine/sys/class/powercap/*/energy_uj
	as_user bench-run -e none -w 0 -r 1 --energy --energy-idle 0 -- sh -c 'sleep 0.03' >fall.csv 2>err
	is "$(values energy fall.csv)" '1  skipped' 'the power PMU is read if powercap is denied'
	is "$(as_user bench-env --csv energy_access | tail -1 | cut -d, -f3)" perf 'bench-env reports the power PMU as the source if powercap is denied'
	chmod 444 machine/sys/class/powercap/*/energy_uj
	chmod 400 machine/sys/class/powercap/*/max_energy_range_uj
	is "$(as_user bench-env --csv energy_access | tail -1 | cut -d, -f3)" perf \
		'the power PMU is read if the range of a powercap counter is denied'
	chmod 400 machine/sys/class/powercap/*/energy_uj machine/perf/type-22/*/*
	as_user bench-run -e none -w 0 -r 2 --energy -- true >denied.csv 2>err
	is "$(values energy denied.csv)" '1  denied' 'energy has one row with the status denied if both sources are denied'
	like "$(cat err)" 'energy: /sys/class/powercap/intel-rapl:0/energy_uj: Permission denied .*sudo chmod a\+r /sys/class/powercap/.*_uj' \
		'bench-run names the denied powercap file and the command that permits it'
	like "$(cat err)" 'power/energy-[a-z]*/: Permission denied .*sudo sysctl kernel.perf_event_paranoid=0' \
		'bench-run names the denied power event and the command that permits it'
	is "$(wc -l <err)" 1 'bench-run reports denied energy counters in one line'
	is "$(as_user bench-env --csv energy_access energy_domains | cut -d, -f2-)" 'fact,value
energy_access,denied
energy_domains,package-0 core uncore dram psys' 'bench-env lists the domains of denied energy counters'
	like "$(as_user bench-env --check --csv 2>&1)" '^note,energy,denied,.*sudo chmod a\+r /sys/class/powercap' \
		'bench-env --check names the file and the fix'
fi

# perf's power PMU: one counter for each package
on amd-server
rm -r machine/sys/class/powercap
cat >count <<'END'
for cpu in 0 32; do
	file=$BENCH_ROOT/perf/type-13/config-2/cpu-$cpu
	read -r now <"$file"
	printf '%-20s\n' $((now + 4294967296 * $1)) 1<>"$file"
done
sleep 0.03
END
quick -r 2 -- sh count 2 >pmu.csv
is "$(values energy pmu.csv | uniq)" '1 4 ok' 'energy from the power PMU is the sum of two packages'
is "$(bench-env --csv energy_domains | tail -1 | cut -d, -f3)" 'package package' 'bench-env lists both packages of the power PMU'

# Executions too short for the counter
on intel-laptop
quick -r 300 -- sh ./draw intel-rapl:0 100000 >short.csv
is "$(values energy short.csv | awk '{ n += $1; e += $1 * $2 } END { printf "%d %.3f", n, e }')" '300 30.000' \
	'short executions are pooled without losing one'
like "$(values energy short.csv | awk '$1 > 1' | wc -l)" '^[1-9]' 'the column iterations of a pool contains the number of its executions'
values energy short.csv | sed '$d' >a
values energy_uncertainty short.csv | sed '$d' >b
is "$(paste -d' ' a b | awk 'NF != 6 || $5 > 0.05 * $2')" '' 'the uncertainty of each pool but the last is at most 5 percent'
is "$(values energy short.csv | cut -d' ' -f2 | sort -u)" 0.1 'the energy of each pool is the mean of its executions'
is "$(bench-stat -s median short.csv | grep -c ',energy,J,0.1$')" 1 'bench-stat summarizes pooled energy'
# timeout continues the process that it interrupts, and with it one that a search for leaks stopped.
env ${SANITIZED:+ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"} timeout -s INT 1 bench-run -q -e none -w 0 --energy --energy-idle 0 -t 60 -- sh ./draw intel-rapl:0 100000 >interrupted.csv
is "$(values energy interrupted.csv | awk '{ n += $1 } END { print n }')" "$(values wall interrupted.csv | wc -l)" \
	'the last pool is written after an interrupt'
run --energy --energy-idle 0 -r 2 -- true >nil.csv 2>err
is "$(values energy nil.csv)" '2  skipped' 'the energy has no value if the counter did not move'
like "$(cat err)" '^bench-run: energy: 1 value .*-r' 'bench-run reports that the energy is too small, and suggests -r'
quick -i -r 2 -- sh -c 'sh draws intel-rapl:0 3000000; exit 3' >failed.csv
is "$(values energy failed.csv | uniq)" '1 3 failed:exit=3' 'a failed sample has its energy and its status'

# The idle machine
(while sleep 0.01; do sh ./draw intel-rapl:0:2 100000; done) &
background=$!
run -q --energy --energy-idle 0.3 -r 3 -- sh draws intel-rapl:0 2000000 >idle.csv
kill $background
wait $background 2>/dev/null
is "$(values energy_net idle.csv | wc -l)" 3 'net energy is written if the idle power is known'
values energy idle.csv >a
values energy_net idle.csv >b
values energy_net_uncertainty idle.csv >c
values energy_uncertainty idle.csv >d
is "$(paste -d' ' a b c d | awk '!($2 > 2 && $5 < $2 && $5 > 0 && $8 >= $11 && $11 > 0)')" '' \
	'net energy is smaller and less certain than energy'

# Carbon
on intel-laptop
quick --carbon 344.14 -r 2 -- sh draws intel-rapl:0 1234567 >carbon.csv
values energy carbon.csv >a
values co2e carbon.csv >b
is "$(paste -d' ' a b | awk '{ want = $2 / 3.6e6 * 344.14; d = $5 / want - 1
	if (NF != 6 || d > 1e-12 || d < -1e-12) print }')" '' 'co2e is energy multiplied by the intensity, within 1e-12'
is "$(wc -l <b)" 2 'co2e has one row for each row of energy'
for code in DE deu; do
	quick --carbon $code -r 2 -- sh draws intel-rapl:0 1234567 >country.csv
	is "$(values co2e country.csv)" "$(values co2e carbon.csv)" "--carbon $code uses the average of that country"
done
# refused TEXT ARG...: bench-run exits with 2 and one line with the text, and measures nothing
refused() {
	wanted=$1
	shift
	status 2 "bench-run rejects $*" run "$@" -r 1 -- touch ran
	like "$(cat .err)" "$wanted" "the message about the rejected option names the reason"
	is "$(wc -l <.err)$(ls ran 2>/dev/null)$(cat .out)" 1 "bench-run prints one line and executes nothing after a rejected option"
}
BENCH_ROOT=nowhere
refused "nowhere: No such" --energy
BENCH_ROOT=$T/machine
refused "XQ.*carbon\.csv" --energy --carbon XQ
refused "is negative" --energy --carbon -1
refused "carbon requires --energy" --carbon DE
refused "energy-idle requires --energy" --energy-idle 1s
refused "tdp=65W" --energy-model 65W
refused "tdp=65W" --energy-model tdp=0
refused "already" --energy --extract 'energy=([0-9]+)'

# The model
run -q --energy-model tdp=65W --carbon 1000 -r 2 -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' >model.csv
for metric in user sys energy_modelled co2e_modelled; do
	values $metric model.csv >$metric.txt
done
is "$(paste -d' ' user.txt sys.txt energy_modelled.txt co2e_modelled.txt | awk '
	{ want = 65 * ($2 + $5) / 1e9 / 8; d = $8 / want - 1; c = $11 / (want / 3600) - 1
	if (NF != 12 || d > 1e-12 || d < -1e-12 || c > 1e-12 || c < -1e-12) print }')" '' \
	'energy_modelled is tdp multiplied by processor time, divided by the number of processors'
is "$(values energy model.csv)$(values co2e model.csv)" '' '--energy-model writes no metric named energy'

# The tables of metrics and countries
cut -d, -f1,2 "$ROOT/share/metrics.csv" >known
cat laptop.csv idle.csv model.csv carbon.csv | awk -F, '/^run,/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["metric"] "," $at["unit"] }' | grep -e energy -e co2e | sort -u >used
is "$(wc -l <used) $(grep -v -x -F -f known used)" '12 ' 'every energy metric is in the table of metrics'
is "$(awk -F, 'NR > 1 && (NF != 7 || $1 !~ /^[A-Z][A-Z]$/ || $2 !~ /^[A-Z][A-Z][A-Z]$/ || $3 == "" ||
	!($4 > 0 && $4 < 1500) || !($5 >= 2020) || $6 == "" || $7 == "" || seen[$1]++ || seen[$2]++)' \
	"$ROOT/share/energy/carbon.csv")" '' 'every country has one figure with year, source and license'
done_testing
