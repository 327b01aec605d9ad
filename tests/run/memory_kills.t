#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run in a control group whose memory is limited.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

if ! skip_unless unsanitized 'bench-run reports samples that the kernel killed' ||
	! skip_unless memory-limit 'bench-run reports samples that the kernel killed'; then
	done_testing
fi
group=$(control_group memory)
trap 'rmdir "$group"; rm -rf "$T"' EXIT
mkdir "$group"
limit=$group/memory.max
[ -e "$limit" ] || limit=$group/memory.limit_in_bytes
echo 40M >"$limit"
# measure COMMAND...: measures in the group
measure() {
	# shellcheck disable=SC2016 # the inner shell expands it
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" \
		bench-run -e none -w 0 -r 2 -- "$@" >out.csv 2>err
}

measure head -c 1M /dev/zero
is "$? $(cat err)" '0 ' 'bench-run reports nothing if the memory of its control group is enough'
measure dd if=/dev/zero of=/dev/null bs=200M count=1
is "$? $(grep '^bench-run: the kernel' err)" \
	"1 bench-run: the kernel killed 2 processes of the control group for lack of memory, of which the group may use 40.00 MiB; \
samples that failed with SIGKILL may be among them" \
	'bench-run reports samples that the kernel killed'
is "$(rows wall out.csv | grep -c 'failed:signal=SIGKILL')" 2 'samples that the kernel killed have the status of SIGKILL'
done_testing
