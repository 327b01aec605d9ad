#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The clock of a GPU and what limits it, while kernels are measured on a backend of the test and with a
# library in place of NVML.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

gcc -shared -fPIC -o libnvidia-ml.so.1 "$ROOT/tests/fixtures/gpu/nvml.c"
export BENCH_BACKEND_PATH="$BUILD/tests/plugins" CLOCK_FILE="$T/clock" REASONS_FILE="$T/reasons" GPU_NAME=peaks
kernel() {
	LD_LIBRARY_PATH=$T timeout 60 bench-run -e none -w 0 --processes 1 --sample-time 5ms --csv --commit none \
		-b peaks -k triad -P n=100000 "$@"
}
# cells COLUMN...: prints columns of the CSV rows on standard input
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}
set_number() { echo "$2" >"$1.new" && mv "$1.new" "$1"; }

set_number clock 1980
set_number reasons 0
kernel -r 2 >s.csv 2>err
is "$(cells metric value <s.csv | grep '^gpu_' | sort -u)" 'gpu_clock 1980000000
gpu_memory_clock 2619000000
gpu_power 123.456
gpu_settled 1
gpu_temperature 61
gpu_throttle_other 0
gpu_throttle_power 0
gpu_throttle_thermal 0' 'each sample of a kernel on a GPU records the state of the GPU'
is "$(cells metric <s.csv | grep -c '^gpu_clock$')" 2 'each sample of a kernel on a GPU has one row for the clock'
is "$(cells device <s.csv | sort -u)" peaks 'the rows of the state of a GPU have the device of the kernel'
is "$(grep GPU err)" '' 'bench-run reports nothing about a GPU whose clock is constant and not limited'
kernel -r 1 -q --gpu >s.csv
is "$(cells metric value <s.csv | grep -e '^gpu_util' -e '^gpu_memory ')" 'gpu_utilisation 0.87
gpu_memory 5899345920' '--gpu adds utilization and memory to the samples of kernels'
LD_LIBRARY_PATH=$T timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 -b ref -k scale -P n=100 >s.csv
is "$(cells metric <s.csv | grep -c '^gpu_')" 0 'the samples of a kernel on a processor have no rows about GPUs'

# in_seconds N: the time in N seconds
in_seconds() { date +%s.%N | awk -v n="$1" '{ printf "%.3f", $1 + n }'; }
end=$(in_seconds 2)
CLOCK_UNTIL=$end kernel -r 3 -q >s.csv
cells metric value time <s.csv | grep '^gpu_settled 1' | while read -r _ _ time; do
	awk -v at="$(date -d "$time" +%s.%N)" -v end="$end" 'BEGIN { if (at < end) print "a sample began", end - at, "s too early" }'
done >early
is "$(cat early)" '' 'the samples of a kernel wait until the clock of the GPU is constant'
ok 'the samples after the clock of a GPU is constant are marked as settled' grep -q ',gpu_settled,1,1,ok' s.csv
CLOCK_UNTIL=$(in_seconds 7) kernel -r 1 >s.csv 2>err
is "$(cells metric value <s.csv | grep gpu_settled)" 'gpu_settled 0' 'a sample is taken and marked if the clock of the GPU does not become constant'
like "$(cat err)" '^bench-run: triad.*: the clock of the GPU was not constant before 1 of 1 samples$' \
	'bench-run reports samples before which the clock of the GPU was not constant'

set_number clock 1440
set_number reasons 4
kernel -r 5 >limited.csv 2>err
is "$(cells metric value <limited.csv | grep throttle | sort -u)" 'gpu_throttle_other 0
gpu_throttle_power 1
gpu_throttle_thermal 0' 'a sample records that the limit of the power lowers the clock of the GPU'
like "$(cat err)" '^bench-run: triad.*: the limit of its power lowered the clock of the GPU in 5 of 5 samples$' \
	'bench-run reports samples in which the clock of the GPU was limited'
set_number reasons 64
kernel -r 1 -q >s.csv
is "$(cells metric value <s.csv | grep throttle_thermal)" 'gpu_throttle_thermal 1' 'a sample records that heat lowers the clock of the GPU'
set_number clock 1980
set_number reasons 3
kernel -r 5 -q >free.csv
is "$(cells metric value <free.csv | grep throttle | grep -c ' 1')" 0 'an idle GPU and rates that a user chose are no limits'
bench-compare free.csv limited.csv >table.csv 2>err
like "$(cat err)" 'triad.*: the limit of its power lowered the clock of the GPU in 100% more of the new samples' \
	'bench-compare reports that a GPU was limited on one side only'
bench-compare free.csv free.csv >table.csv 2>err
unlike "$(cat err)" 'clock of the GPU' 'bench-compare reports no limit of a GPU if the sides do not differ in it'
done_testing
