#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Concurrent initialization of the workers of functions and kernels with bench-run.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

gcc -O2 -shared -fPIC -I "$ROOT/include" -o start.so "$ROOT/tests/fixtures/functions/initialized.c" || exit 1
export TURN="$T/turn" ASAN_OPTIONS=detect_leaks=0
run() { timeout 60 bench-run -q -e none --processes 1 -r 1 -w 0 --sample-time 1ms "$@" >out; }
# value METRIC WORKERS: its values with this number of workers, from out
value() {
	awk -F, -v m="$1" -v n="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; by = at["workers"] ? at["workers"] : at["threads"]; next }
		$at["metric"] == m && $by == n { print $at["value"] }' out
}
# within VALUE LOW HIGH
within() { awk -v v="$1" -v lo="$2" -v hi="$3" 'BEGIN { exit !(v != "" && v >= lo && v <= hi) }'; }

# Loading and the setup take 100 ms each, in all workers at the same time.
run -O interleaved -J 3 -f start.so:concurrent
ok 'init_rate of one worker is 1 over the time of loading and setup' within "$(value init_rate 1)" 2.5 5
ok 'three workers that do not hinder each other are ready in the time of one' within "$(value init_rate 3)" 7.5 15
ok 'init_speedup of three such workers is 3' within "$(value init_speedup 3)" 1.8 4.5
is "$(awk "BEGIN { r = $(value init_rate 3) / $(value init_rate 1); s = $(value init_speedup 3); e = $(value init_efficiency 3)
	print (s / r > 1 - 1e-9 && s / r < 1 + 1e-9), (3 * e / s > 1 - 1e-9 && 3 * e / s < 1 + 1e-9) }")" '1 1' \
	'init_speedup and init_efficiency follow from init_rate'
is "$(value init_speedup 1) $(value init_efficiency 1)" '1 1' 'init_speedup of one worker is 1'
ok 'init_rate covers load and setup' awk "BEGIN { exit !(1e9 / $(value init_rate 1) >= $(value load 1) + $(value setup 1)) }"

# The setup takes 200 ms, in one worker after the other.
run -O interleaved -J 3 -f start.so:in_turn
ok 'three workers that take turns in their setup have a low speedup' within "$(value init_speedup 3)" 0.8 1.75
run -O interleaved -J 3 -f start.so:last
ok 'init_rate ends with the last worker, not the first one' within "$(value init_rate 3)" 3.5 7.5

# Threads load once.
run -O interleaved -j 3 -f start.so:concurrent
ok 'init_rate counts the threads of a process' within "$(value init_rate 3)" 7.5 15
run -O sequential -J 2 -f start.so:concurrent
is "$(value init_rate 2 | wc -l) $(value init_speedup 2 | wc -l)" '1 0' 'there is no init_speedup without a worker in the same block'
run -f start.so:concurrent
is "$(grep -c init_ out)" 0 'init_rate is not written without -J and -j'

# Kernels
bench-run -q -e none --processes 2 -r 1 -w 0 -b cpu -J 2 -k copy -P n=1000 >out
is "$(value init_rate 2 | wc -l) $(value init_speedup 2 | awk '$1 > 0' | wc -l)" '2 2' \
	'each process of a kernel has an init_rate and an init_speedup'
ok 'init_rate of a kernel covers open, load and compile' awk "BEGIN {
	exit !(1e9 / $(value init_rate 1 | head -n 1) >= $(value open 1 | head -n 1) + $(value load 1 | head -n 1) + $(value compile 1 | head -n 1)) }"
done_testing
