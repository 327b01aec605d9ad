#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Energy and carbon of functions, of inferences and of tokens, on a recorded machine.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

export ASAN_OPTIONS=detect_leaks=0
cp -R "$ROOT/tests/fixtures/machines/intel-laptop" machine && chmod -R u+w machine || exit 1
export BENCH_ROOT="$T/machine"
gcc -O2 -shared -fPIC -I "$ROOT/include" -o draws.so "$ROOT/tests/fixtures/functions/draws.c" || exit 1
# measure [OPTION...]: two processes, with energy and carbon, into out
measure() {
	timeout 60 bench-run -q -e none --processes 2 -r 1 -w 0 --energy --energy-idle 0 --carbon 360 "$@" >out
}
# rows METRIC: value, unit, iterations and status of its rows
rows() {
	awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m { print $at["value"], $at["unit"], $at["iterations"], $at["status"] }' out
}
# ratios A B: the distinct quotients of their values, to 9 digits
ratios() {
	rows "$1" >a
	rows "$2" >b
	paste -d' ' a b | awk '{ printf "%.9g\n", $1 / $5 }' | sort -u | tr '\n' ' '
}

# An iteration draws 2 mJ. The untimed iterations before a sample also draw.
measure --sample-time 10ms -f draws.so:draws
is "$(rows energy | awk '{ printf "%.6f %s %s\n", $1, $2, $4 }')" '0.002000 J ok
0.002000 J ok' 'energy of a function is that of an iteration'
is "$(ratios co2e energy)" '0.0001 ' 'co2e of a function is its energy at 360 g/kWh'
# Counters are updated every ms, so that a batch lasts 20 ms at least: P t / sqrt(6) <= E / 20 / sqrt(6).
is "$(rows energy_uncertainty | awk '!($1 > 0 && $1 <= 0.002 / 20 / sqrt(6) * 1.01)')" '' \
	'the uncertainty of the energy of a function is that of two readings'
is "$(rows energy_inference | wc -l) $(rows energy_token | wc -l)" '0 0' 'a function has no inferences and no tokens'

# A model cannot move the counter. Each order that bench-run sends to its process does, so that the counter
# also moves during a batch on a busy machine.
cat >orders.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	static long now = 1000000;
	char text[32];
	int counter = open(getenv("COUNTER"), O_WRONLY | O_CLOEXEC);
	int len = snprintf(text, sizeof(text), "%-16ld\n", now += 20000);

	if (counter < 0 || pwrite(counter, text, (size_t)len, 0) != len)
		_exit(99);
	close(counter);
	return sendto(fd, bytes, size, flags, NULL, 0);
}
END
gcc -O2 -shared -fPIC -o orders.so orders.c || exit 1
export COUNTER="$BENCH_ROOT/sys/class/powercap/intel-rapl:0/energy_uj"
# measure_model [OPTION...]: measure, on a machine whose counter moves
measure_model() {
	# shellcheck disable=SC2086 # words
	ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=$T/orders.so measure -b cpu $small "$@"
}
small='-P batch=3 -P seq=8 -P layers=1 -P hidden=16 -P heads=2 -P ff=16 -P vocab=50 -P positions=32'
measure_model -M bert-base-uncased
is "$(ratios energy energy_inference)" '3 ' 'energy_inference of a batch of 3 is a third of the energy of an iteration'
is "$(ratios energy energy_token)" '24 ' 'energy_token of 3 inputs of 8 tokens is 1/24 of the energy of an iteration'
is "$(ratios energy_uncertainty energy_token_uncertainty)$(ratios energy_uncertainty energy_inference_uncertainty)" \
	'24 3 ' 'the uncertainties are divided like the energies'
is "$(ratios co2e_inference energy_inference)$(ratios co2e_token energy_token)" '0.0001 0.0001 ' \
	'co2e_inference and co2e_token are their energies at 360 g/kWh'
is "$(rows energy_token | cut -d' ' -f2,4 | sort -u)" 'J ok' 'energy_token is in joules'
is "$(rows energy_token | cut -d' ' -f3)" "$(rows energy | cut -d' ' -f3)" 'energy_token has the number of iterations of the batch'
measure_model -P new_tokens=4 -M gpt2
is "$(ratios energy energy_token)$(ratios energy energy_inference)" '12 3 ' 'energy_token counts generated tokens'

# A counter that does not move gives no value.
measure --processes 1 -b cpu -P batch=1 -P image=32 -M resnet50
is "$(for m in energy energy_inference co2e co2e_inference; do rows $m | awk '{ print NF, $NF }'; done | sort | uniq -c | sed 's/^ *//')" \
	'4 3 skipped' 'energy_inference and co2e_inference have no value if the energy has none'
is "$(rows energy_token | wc -l)" 0 'a model without tokens has no energy_token'
done_testing
