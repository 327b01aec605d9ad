#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The clock of a GPU and what limits it, while kernels are measured on a backend of the test and with a
# library in place of NVML.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

gcc -shared -fPIC -o libnvidia-ml.so.1 "$ROOT/tests/fixtures/gpu/nvml.c" -lm
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

# Two cards of one model; the second one has no power meter.
export SECOND_NAME=peaks
# states: prints what a kernel on a device of that model records about the clock and the power
states() { kernel -r 1 -q | cells metric value | grep -E '^gpu_(clock|power) ' | paste -sd ' '; }
is "$(states)" '' 'the state of a GPU is not recorded if the device may be one of two GPUs'
is "$(PEAKS_PCI=0000:3b:00.0 states)" 'gpu_power 123.456 gpu_clock 1980000000' \
	'of two GPUs of one model, the one at the PCI address of the device is recorded'
is "$(PEAKS_PCI=0000:5e:00.0 states)" 'gpu_clock 1980000000' 'the second of two GPUs of one model is found by its PCI address'
is "$(PEAKS_PCI=0000:99:00.0 states)" '' 'the state of a GPU is not recorded if no GPU has the PCI address of the device'
is "$(PEAKS_PCI=0000:5e:00.0 bench-list --csv devices peaks | cells device pci)" 'peaks 0000:5e:00.0' \
	'bench-list shows the PCI address of a device'
is "$(PEAKS_PCI=0000:5e:00.0 bench-run -q -e none -r 1 -w 0 --processes 1 --csv -b peaks:0000:5E:00.0 -k triad -P n=100 | cells metric | grep -c '^wall$')" 1 \
	'the PCI address selects a device'
unset SECOND_NAME

# in_seconds N: the time in N seconds
in_seconds() { date +%s.%N | awk -v n="$1" '{ printf "%.3f", $1 + n }'; }
end=$(in_seconds 2)
CLOCK_UNTIL=$end kernel -r 3 -q >s.csv
cells metric value time <s.csv | grep '^gpu_settled 1' | while read -r _ _ time; do
	awk -v at="$(date -d "$time" +%s.%N)" -v end="$end" 'BEGIN { if (at < end) print "a sample began", end - at, "s too early" }'
done >early
is "$(cat early)" '' 'the samples of a kernel wait until the clock of the GPU is constant'
ok 'the samples after the clock of a GPU is constant are marked as settled' grep -q ',gpu_settled,1,1,ok' s.csv
CLOCK_UNTIL=+5 kernel -r 1 >s.csv 2>err
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
awk 'FNR == 1 || !/,rows,/' free.csv >mixed.csv
sed 1d limited.csv | grep -v ,rows, | sed 's/^[^,]*,/01a20000-0000-7000-8000-000000000000,/' >>mixed.csv
bench-stat mixed.csv >table.csv 2>err
is "$(cat err)" 'bench-stat: gpu_throttle_power: the clock of the GPU was limited in 5 of 10 samples, so the samples are not taken under the same conditions' \
	'bench-stat reports a group some of whose samples were limited'
bench-stat limited.csv >table.csv 2>err
is "$(cat err)" '' 'bench-stat reports nothing about a group whose samples were all limited'

# Locked clocks
export XDG_STATE_HOME="$T/state" LOCK_LOG="$T/lock.log"
state=$XDG_STATE_HOME/benchutils/gpu-clocks
clocks() { LD_LIBRARY_PATH=$T timeout 60 bench-run -q -e none -r 1 -w 0 --gpu-clocks "$@"; }
# begun FILE: waits until a file exists
begun() {
	tries=0
	until [ -e "$1" ] || [ $((tries += 1)) -gt 200 ]; do
		sleep 0.05
	done
}
clocks 1410 -- cp "$state" listed >s.csv
is "$(paste -sd';' lock.log)" 'lock 1410 1410;reset' '--gpu-clocks locks the clock of a GPU and unlocks it at the end'
is "$(sed 1d listed | paste -sd' ')" 'GPU-0 GPU-2' 'a file names the GPUs during the run'
ok 'the file with the GPUs is removed at the end' [ ! -e "$state" ]
rm lock.log
status 2 '--gpu-clocks fails for a command with an invalid option' clocks 1410MHz --order nonesuch -- true
is "$(tail -n 1 lock.log 2>/dev/null || echo reset)" reset 'the clocks are unlocked after an error'
status 2 '--gpu-clocks rejects a rate that is no number' clocks fast -- true
NO_PERMISSION=1 status 2 '--gpu-clocks fails without permission' clocks 1410 -- true
like "$(cat .err)" '^bench-run: --gpu-clocks: NVML: cannot lock the clock: Insufficient Permissions' \
	'bench-run reports why it cannot lock the clock'
ok 'a run that locked no clock leaves no file' [ ! -e "$state" ]
rm -f lock.log
LD_LIBRARY_PATH=$T bench-run -q -e none -r 1 -w 0 --gpu-clocks 1410 -- sh -c 'touch began; sleep 20' >s.csv &
run=$!
begun began
status 2 'a second run cannot lock the clocks' clocks 1200 -- true
like "$(cat .err)" 'gpu-clocks.*another run has locked the clocks' 'bench-run reports that another run has locked the clocks'
clocks_of_other=$(LD_LIBRARY_PATH=$T bench-run -e none -r 1 -w 0 -- true 2>&1 >s.csv)
is "$clocks_of_other $(paste -sd';' lock.log)" ' lock 1410 1410' 'other runs leave the clocks of a run that is not over locked'
kill -TERM $run
wait $run 2>/dev/null
is "$(paste -sd';' lock.log)" 'lock 1410 1410;reset' 'the clocks are unlocked after a signal'
rm -f began lock.log
LD_LIBRARY_PATH=$T bench-run -q -e none -r 1 -w 0 --gpu-clocks 1410 -- sh -c 'touch began; sleep 20' >s.csv &
run=$!
begun began
kill -KILL $run
wait $run 2>/dev/null
is "$(paste -sd';' lock.log)" 'lock 1410 1410' 'a killed run leaves the clocks locked'
bench-run -e none -r 1 -w 0 -- true >s.csv 2>err
like "$(cat err)" 'a killed run left the clocks of GPUs locked, and they cannot be unlocked: libnvidia-ml' \
	'bench-run reports why it cannot unlock the clocks that a killed run left locked'
LD_LIBRARY_PATH=$T bench-run -e none -r 1 -w 0 -- true >s.csv 2>err
is "$(cat err)" 'bench-run: unlocked the clocks of GPUs, which a killed run had locked' \
	'the next run reports that it unlocks the clocks that a killed run left locked'
is "$(paste -sd';' lock.log)" 'lock 1410 1410;reset' 'the next run unlocks the clocks that a killed run left locked'
ok 'the next run removes the file of the killed run' [ ! -e "$state" ]
done_testing
