#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Energy of samples during which bench-run was suspended, on a recorded machine.
# timing: stops processes for a time
. "${0%/*}/../lib/tap.sh"

cp -R "$ROOT/tests/fixtures/machines/intel-laptop" machine && chmod -R u+w machine || exit 1
export BENCH_ROOT="$T/machine"
# draw MICROJOULES: moves the counter
cat >draw <<'END'
counter=$BENCH_ROOT/sys/class/powercap/intel-rapl:0/energy_uj
read -r now <"$counter"
printf '%-16s\n' $((now + $1)) 1<>"$counter"
END
# suspended_run SIGNAL OPTION...: suspends a run during its first execution, while others draw 50 J
suspended_run() {
	number=$1
	shift
	rm -f begun go
	timeout 60 bench-run -e none -w 0 --energy "$@" >out 2>err &
	waiter=$!
	wait_for test -e begun
	run=$(pgrep -P $waiter bench-run)
	kill -"$number" "$run"
	wait_for grep -q '^State:.T' "/proc/$run/status"
	sh ./draw 50000000
	: >go
	sleep 0.3
	kill -CONT "$run"
	wait $waiter
}
# rows METRIC: value and status of its rows
rows() {
	awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m { print $at["value"] "," $at["status"] }' out
}
line='sh ./draw 1000000; echo >begun; while [ ! -e go ]; do sleep 0.01; done; sleep 0.03'

for signal in STOP TSTP; do
	suspended_run $signal --energy-idle 0 -r 3 -- sh -c "$line"
	is "$? $(rows energy | tr '\n' ' ')" '0 ,skipped 1,ok 1,ok ' \
		"a sample during which SIG$signal suspended bench-run has no energy"
	is "$(rows wall | grep -c '^[0-9]*,ok$')" 3 "a sample during which SIG$signal suspended bench-run has its time"
	is "$(cat err)" 'bench-run: energy: bench-run was suspended during 1 sample, whose energy is not known' \
		"bench-run reports that SIG$signal suspended it during a sample"
done
suspended_run STOP --energy-idle 0 --processes 2 --rate 20 --arrivals uniform -r 2 -- sh -c "$line"
is "$(rows energy_period | tr '\n' ' ')$(rows energy | tr '\n' ' ')" ',skipped 2,ok ,skipped 1,ok ' \
	'a period of a load during which bench-run was suspended has no energy'

# The power of the idle machine: the signal arrives while it is measured.
timeout 60 bench-run -e none -w 0 --energy --energy-idle 2s -r 1 -- sh -c 'sh ./draw 1000000; sleep 0.03' >out 2>err &
waiter=$!
sleep 0.7
run=$(pgrep -P $waiter bench-run)
kill -STOP "$run"
sh ./draw 50000000
sleep 0.1
kill -CONT "$run"
wait $waiter
is "$(rows energy) $(rows energy_net)" '1,ok ,skipped' 'the energy has no net value if bench-run was suspended while it measured the idle machine'
like "$(cat err)" 'the power of the idle machine could not be measured' \
	'bench-run reports that the power of the idle machine is not known'
done_testing
