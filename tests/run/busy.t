#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the message of bench-run about a machine that other processes kept busy. A recorded tree replaces
# the files of the machine; the measured command writes its ticks.
. "${0%/*}/../lib/tap.sh"

mkdir -p root/proc
cpus=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
# ticks BUSY STEAL IDLE: /proc/stat after these ticks of the processor
ticks() {
	echo "cpu 0 0 0 0 0 0 0 0 0 0"
	echo "cpu$cpus $((1000 + $1)) 0 0 $((5000 + $3)) 0 0 0 $2 0 0"
}
# told BUSY STEAL OPTION...: the message about others, if during 20000 ticks processes used BUSY and other
# guests used STEAL
told() {
	ticks 0 0 0 >root/proc/stat
	ticks "$1" "$2" $((20000 - $1 - $2)) >later
	shift 2
	BENCH_ROOT=$T/root script -qec "bench-run --cpu $cpus -r 1 -w 0 -e none $* -- cp later root/proc/stat" \
		/dev/null </dev/null | tr -d '\r' | grep 'other processes'
}
said='bench-run: other processes kept 0.7 of 1 processor busy; unless the subjects need them, measure on a quieter machine, or with --wait-idle'
if skip_unless script "bench-run reports how busy other processes kept the processors"; then
	is "$(told 14000 0)" "$said" "bench-run reports how busy other processes kept the processors"
	is "$(told 4000 0)" '' "bench-run does not report other processes that used a fifth of the processors"
	is "$(told 0 19000)" '' "bench-run does not call the time of other guests that of processes"
	is "$(told 14000 0 -q)" '' "bench-run -q does not report other processes"
	is "$(told 14000 0 --wait-idle 1)" '' "bench-run --wait-idle does not report other processes"
	is "$(told 14000 0 -o s.csv)" "$said" "bench-run -o reports other processes in the summary on the terminal"
	is "$(told 0 0 --setup "'rm root/proc/stat'" 2>&1)" '' "bench-run without /proc/stat reports no other processes"
fi
ticks 0 0 0 >root/proc/stat
ticks 14000 0 6000 >later
BENCH_ROOT=$T/root bench-run --cpu "$cpus" -r 1 -w 0 -e none -- cp later root/proc/stat >out.csv 2>err
is "$(cat err)" '' "bench-run reports no other processes in a pipe"
done_testing
