#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Processes that are stopped during a measurement: the helper by its own command, and
# bench-run by its user.
# timing: stops processes for a time
# waits
. "${0%/*}/../lib/tap.sh"

run() { timeout -s KILL 60 bench-run -e none -w 0 "$@"; }
# of METRIC FILE: the values and statuses of a metric
of() {
	awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["metric"] == m { print $at["value"] "," $at["status"] }' "$2" | sort -u
}

# shellcheck disable=SC2016 # the command expands it
status 1 'a command that stops its parent process does not stop the run' \
	run -r 2 -- sh -c 'kill -STOP $PPID'
is "$(of wall .out)" ',failed:signal=SIGSTOP' 'a command that stops its parent process fails without a time'
is "$(of ok .out)" '0,ok' 'a command that stops its parent process counts as failed'
like "$(cat .err)" '^bench-run: 2 samples failed; .*: signal=SIGSTOP: bench-spawn, which times it, was stopped by a signal meanwhile' \
	'bench-run reports that a command stopped its helper'
# shellcheck disable=SC2016
status 1 'a command that stops its parent process is killed after --timeout' \
	run -r 1 --timeout 300ms -- sh -c "kill -STOP \$PPID; exec sleep 9$$.25"
is "$(of wall .out)" '300000000,timeout' 'a command that stops its parent process has the time-out as its time'
ok 'a command that stops its parent process does not survive --timeout' gone "^sleep 9$$"
# shellcheck disable=SC2016
status 1 'a command that stops its parent and ends before --timeout does not time out' \
	run -r 1 --timeout 300ms -- sh -c 'kill -STOP $PPID'
is "$(of wall .out)" ',failed:signal=SIGSTOP' 'a command that ends before --timeout has no time if its parent was stopped'
# shellcheck disable=SC2016
status 1 'several copies of a command that stop their parent process do not stop the run' \
	run -r 1 -J 2 -- sh -c 'kill -STOP $PPID'
is "$(of worker_wall .out)" ',failed:signal=SIGSTOP' 'copies that stop their parent process have no times'
# shellcheck disable=SC2016
status 1 'a request that stops its server does not stop a load' \
	run --rate 10 -r 2 --processes 1 -- sh -c 'kill -STOP $PPID'
# shellcheck disable=SC2016
status 0 'a hook that stops its parent process does not stop the run' \
	run -r 1 --prepare 'kill -STOP $PPID' -- true

# An alarm of the command is not the one of --timeout.
for copies in 1 2; do
	# shellcheck disable=SC2016
	status 0 "a command that sends an alarm to its parent process does not time out, $copies at once" \
		run -r 1 -J $copies --timeout 20s -- sh -c 'kill -ALRM $PPID; sleep 0.05'
done

# A signal that ends bench-run also ends a helper that was stopped.
# shellcheck disable=SC2016
bench-run -q -e none -w 0 -r 1 -- sh -c "echo >begun; kill -STOP \$PPID; exec sleep 8$$.25" >end.csv 2>end.err &
pid=$!
wait_for test -e begun
kill -TERM $pid
wait $pid
is $? 143 'SIGTERM ends a run whose helper was stopped'
ok 'SIGTERM leaves no process of a run whose helper was stopped' gone "^sleep 8$$"

# Ctrl-Z stops the process group of bench-run, but not the command that it times.
cat >suspend <<'END'
set -m
bench-run -q -e none -w 0 -r 1 -- sleep 0.5 >suspend.csv &
sleep 0.2
kill -TSTP -$!
sleep 1.5
kill -CONT -$!
wait $!
END
ok 'a run that was suspended with SIGTSTP succeeds' timeout 60 sh suspend
is "$(of wall suspend.csv | sed 's/^[56]........,/half a second,/')" 'half a second,ok' \
	'the time during which bench-run was suspended is not part of wall'

# A function whose answer waits while bench-run is stopped.
cat >nap.c <<'END'
#include <bench.h>
#include <unistd.h>
BENCH(nap, "")
{
	BENCH_LOOP(b) {
		usleep(700000);
	}
}
END
gcc -shared -fPIC -I "$ROOT/include" -o nap.so nap.c || exit 1
bench-run -q -e none -w 0 -r 1 --processes 1 --timeout 2s -f nap.so:nap >nap.csv &
pid=$!
sleep 0.3
kill -STOP $pid
sleep 3
kill -CONT $pid
wait $pid
is $? 0 'a function that answers while bench-run is stopped does not time out'

# A function whose process is stopped, in the second sample of its first process.
cat >stops.c <<'END'
#include <bench.h>
#include <signal.h>
#include <unistd.h>
static int calls;
static void stop(void) { kill(getpid(), SIGSTOP); }
BENCH(forever, "")
{
	BENCH_LOOP(b) {
		if (++calls == 4)
			stop();
		usleep(1000);
	}
}
BENCH(second, "")
{
	const int is_second = getpid() != getpgrp();

	BENCH_LOOP(b) {
		if (is_second && ++calls == 2)
			stop();
		usleep(1000);
	}
}
BENCH(shortly, "")
{
	BENCH_LOOP(b) {
		if (++calls == 4 && fork() == 0) {
			usleep(20000);
			kill(getppid(), SIGCONT);
			_exit(0);
		}
		if (calls == 4)
			stop();
		usleep(1000);
	}
}
END
gcc -shared -fPIC -I "$ROOT/include" -o stops.so stops.c || exit 1
for name in forever shortly; do
	status 1 "a function whose process is stopped does not stop the run: $name" \
		run -r 2 --sample-time 0 --processes 2 -f stops.so:$name
	is "$(grep ',wall,' .out | sed 's/.*,wall,ns,[0-9]\{1,\},/value,/; s/.*,wall,ns,,/none,/' | paste -sd' ')" \
		'value,ok, none,failed:signal=SIGSTOP, value,ok, value,ok,' \
		"a sample of a function during which its process was stopped has no time: $name"
done
status 1 'a function one of whose processes is stopped does not stop the run' \
	run -r 1 --sample-time 0 --processes 1 -J 2 -f stops.so:second
is "$(grep -c ',wall,ns,,failed:signal=SIGSTOP' .out)" 1 \
	'a sample of a function during which one of its processes was stopped has no time'
like "$(cat .err)" ': signal=SIGSTOP: its process was stopped by a signal meanwhile' \
	'bench-run reports that the process of a function was stopped'
done_testing
