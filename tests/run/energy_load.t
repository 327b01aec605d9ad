#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Energy under load: of periods, of requests and of tokens, on a recorded machine.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
cp -R "$ROOT/tests/fixtures/machines/intel-laptop" machine && chmod -R u+w machine || exit 1
export BENCH_ROOT="$T/machine"
counter=machine/sys/class/powercap/intel-rapl:0/energy_uj
gcc -O2 -shared -fPIC -I "$ROOT/include" -o draws.so "$ROOT/tests/fixtures/functions/draws.c" || exit 1

# measure OPTION...: two periods, into out and err
measure() {
	timeout 60 bench-run -e none -w 0 --processes 2 --energy --energy-idle 0 "$@" >out 2>err
}
# rows METRIC: value, iterations, process and status of its rows; values are rounded to 9 digits
rows() {
	awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m { v = $at["value"]; if (v != "") v = sprintf("%.9g", v)
			print v, $at["iterations"], $at["process"], $at["status"] }' out
}
# ratios A B: the distinct quotients of their values, to 6 digits
ratios() {
	rows "$1" >a
	rows "$2" >b
	paste -d' ' a b | awk '{ printf "%.6g\n", $1 / $5 }' | sort -u | tr '\n' ' '
}

# Commands: each request draws 2 J from the package and 0.5 J from the memory.
cat >draw <<'END'
for zone in intel-rapl:0=2000000 intel-rapl:0:2=500000; do
	file=$BENCH_ROOT/sys/class/powercap/${zone%=*}/energy_uj
	read -r now <"$file"
	printf '%-16s\n' $((now + ${zone#*=})) 1<>"$file"
done
END
measure --rate 25 --arrivals uniform -r 5 --carbon 360 -- sh ./draw
is "$(rows energy_period)" '12.5 1 0 ok
12.5 1 1 ok' 'energy_period is the energy that all requests of a period used together'
is "$(rows energy)" '2.5 5 0 ok
2.5 5 1 ok' 'the energy under load is that of a request, as the mean of the requests of its period'
is "$(rows energy_package)$(rows energy_dram | tail -n 1)" '2 5 0 ok
2 5 1 ok0.5 5 1 ok' 'the domains are those of a request'
is "$(ratios co2e energy)" '0.0001 ' 'co2e under load is the energy of a request at 360 g/kWh'
rows energy_period >a
rows power >b
rows throughput >c
# The throughput is that of 5 requests in a period; the readings are a little further apart.
is "$(paste -d' ' a b c | awk '{ d = $1 / $5 * $9 / 5; if (NF != 12 || d < 0.999 || d > 4) print }')" '' \
	'the power is the energy of a period divided by its time'
rows energy_period_uncertainty >a
rows power >b
# Two readings that may each be 1 ms old, of two counters: sqrt(P1^2 + P2^2) t / sqrt(6), P1 = 4 P2.
is "$(paste -d' ' a b | awk '{ want = $5 * sqrt(17) / 5 * 0.001 / sqrt(6); d = $1 / want - 1
	if (NF != 8 || d > 0.001 || d < -0.001) print }')" '' \
	'energy_period_uncertainty is that of two readings of each counter'
is "$(ratios energy_period_uncertainty energy_uncertainty)" '5 ' 'the uncertainty is divided by the number of requests'
is "$(bench-stat -s median --metric energy,power,energy_period out | grep -c .)" 4 'bench-stat summarizes the energy of a load'
measure -q --rate 25 --arrivals uniform -r 4 -i -- sh -c 'sh ./draw; exit 1'
is "$(rows energy_period | cut -d' ' -f1,4)$(rows energy)" '10 ok
10 ok' 'a period whose requests all fail has an energy, but no energy of a request'
measure --rate 25 --arrivals uniform -r 2 -i -- sh -c "echo gone >$counter; exit 1"
is "$(rows energy_period)$(rows energy_period_uncertainty)$(rows power)" ' 1 0 skipped
 1 1 skipped 1 0 skipped
 1 1 skipped' 'a period has no energy and no power if a counter could not be read'
like "$(cat err)" 'energy: the counters could not be read or may have wrapped in 2 periods' \
	'a counter that could not be read is reported even if no request was served'
printf '%-16s\n' 1000000 >"$counter"
measure -q --arrivals closed -r 3 -- sh -c 'sh ./draw; sleep 0.02'
is "$(rows energy | cut -d' ' -f1,2)" '2.5 3
2.5 3' 'a closed loop has the energy of its requests'
measure --rate 50 -r 2 -- true
is "$(rows energy_period)
$(rows energy)" ' 1 0 skipped
 1 1 skipped
 2 0 skipped
 2 1 skipped' 'the energy under load has no value if the counters did not move'
like "$(cat err)" 'energy: 2 values are too small .*; make the periods longer \(-t or -r\)' \
	'bench-run advises longer periods if their energy is too small'

# The idle machine: net energy is lower by its power times the time of a period.
(while sleep 0.005; do
	read -r now <"$counter"
	printf '%-16s\n' $((now + 50000)) 1<>"$counter"
done) &
background=$!
timeout 60 bench-run -q -e none -w 0 --processes 2 --energy --energy-idle 0.3 --rate 50 -r 20 -- true >out
is "$(rows energy_net | wc -l) $(rows energy_net_uncertainty | wc -l)" '2 2' 'net energy is written under load if the idle power is known'
rows energy >a
rows energy_net >b
is "$(paste -d' ' a b | awk '!($1 > 0 && $5 < $1 / 2 && $5 > -$1)')" '' \
	'the net energy of requests that use none beyond the idle machine is far below their energy'
kill $background
wait $background 2>/dev/null

# Functions: an iteration draws 2 mJ.
measure --rate 100 -r 20 -f draws.so:draws
is "$(rows energy_period | awk '{ printf "%.6f %s\n", $1, $4 }')" '0.040000 ok
0.040000 ok' 'energy_period of a function is that of all its requests'
is "$(rows energy)" '0.002 20 0 ok
0.002 20 1 ok' 'the energy of a function under load is that of a request, and there is no other batch'

# Models: another program moves the counter, because a model cannot.
cat >steadily <<'END'
now=1000000
while sleep 0.002; do
	now=$((now + 500000))
	printf '%-16s\n' $now 1<>"$BENCH_ROOT/sys/class/powercap/intel-rapl:0/energy_uj"
done
END
sh ./steadily &
background=$!
small='-P seq=8 -P layers=1 -P hidden=16 -P heads=2 -P ff=16 -P vocab=50 -P positions=32'
# shellcheck disable=SC2086
measure --rate 40 -r 12 -b cpu $small -P batch=3 -P new_tokens=4 -M gpt2
is "$(ratios energy_period energy)" '12 ' 'the energy of a model under load is that of a request'
is "$(ratios energy energy_inference)$(ratios energy energy_token)" '3 12 ' \
	'energy_inference and energy_token are those of 3 inputs and of 12 generated tokens of a request'
is "$(ratios energy_uncertainty energy_token_uncertainty)" '12 ' 'the uncertainty is divided among the tokens of a request'
# The requests of a batch have one input each.
# shellcheck disable=SC2086
measure --rate 100 -r 12 --batch-window 20ms -b cpu $small -P batch=4 -P new_tokens=4 -M gpt2
is "$(ratios energy energy_inference)$(ratios energy energy_token)" '1 4 ' \
	'a request that shares a batch has one input and its own tokens'
kill $background
wait $background 2>/dev/null

# The model
timeout 60 bench-run -q -e none -w 0 --processes 1 --energy-model tdp=65W --rate 10 -r 2 \
	-- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' >out
for metric in user sys energy_modelled; do
	rows $metric >$metric.txt
done
is "$(paste -d' ' user.txt sys.txt energy_modelled.txt | awk '{ want = 65 * ($1 + $5) / 1e9 / 8; d = $9 / want - 1
	if (NF != 12 || d > 1e-6 || d < -1e-6) print } END { if (NR != 2) print NR }')" '' \
	'energy_modelled of a request follows from its processor time'

# Machines without counters, and options that exclude each other
rm -rf machine
cp -R "$ROOT/tests/fixtures/machines/arm-board" machine
for subject in '-- true' '-k gemm -b ref -P m=8 -P n=8 -P k=8'; do
	# shellcheck disable=SC2086
	measure --rate 50 -r 2 $subject
	is "$(rows energy)$(rows energy_period)" ' 1 0 unsupported' "missing counters give one row under load ($subject)"
	is "$(grep -c '^bench-run: energy: ' err)" 1 "missing counters are reported under load ($subject)"
done
status 2 '--energy is refused with --rate max' timeout 60 bench-run --energy --rate max --slo latency=1s -f basics.so:strlen
is "$(sed 's/ (see bench-run --help)//' .err)" \
	'bench-run: --energy cannot be combined with --rate max, whose periods have different rates; measure the rate that it finds with --rate N' \
	'the message about --rate max says why there is no energy and what to do'
done_testing
