#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run and bench-env in a control group whose processor time is limited.
# timing: the kernel counts periods of a tenth of a second
# waits
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

if ! skip_unless cpu-quota 'bench-run reports a control group that is throttled'; then
	done_testing
fi
group=$(control_group cpu)
trap 'rmdir "$group"; rm -rf "$T"' EXIT
mkdir "$group"
# allow MICROSECONDS: limits the processor time of a period of a tenth of a second
allow() {
	if [ -e "$group/cpu.max" ]; then
		echo "$1 100000" >"$group/cpu.max"
	else
		echo 100000 >"$group/cpu.cfs_period_us"
		echo "$1" >"$group/cpu.cfs_quota_us"
	fi
}
allow 20000
# in_group PROGRAM ARGUMENT...: runs a program in the group
in_group() {
	# shellcheck disable=SC2016 # the inner shell expands it
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}
# shellcheck disable=SC2016 # the inner shell expands it
busy() { in_group bench-run -e none -w 0 -r 2 "$@" -- sh -c 'i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done' 2>err; }

is "$(in_group bench-env | grep -o 'cpu_quota_pct,.*')" cpu_quota_pct,20 'bench-env reads the limit of its control group'
busy >out.csv
like "$? $(cat err)" '^0 bench-run: the control group, which may use 20% of a processor, used this up in [0-9]+ of [0-9]+ periods, ' \
	'bench-run reports that its control group was throttled'
is "$(rows wall out.csv | grep -c ',ok,')" 2 'the samples of a control group that is throttled are written'
busy -q >out.csv
is "$(cat err)" '' 'bench-run -q does not report that its control group was throttled'
allow 90000
in_group bench-run -e none -w 0 -r 2 sleep 0.2 >out.csv 2>err
is "$(cat err)" '' 'bench-run reports nothing if its control group was not throttled'
done_testing
