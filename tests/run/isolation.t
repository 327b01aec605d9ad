#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Isolation of samples: processes that hooks and commands leave behind, and
# processes that an interrupt leaves behind.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -w 0 "$@"; }
# values METRIC FILE
values() { awk -F, -v m="$1" '$12 == m && $15 == "ok" { print $14 }' "$2"; }

# A --cleanup that does not end after a signal; its end is checked last.
bench-run -q -e none -w 0 -r 1 --cleanup "sleep 0.7$$; exec sleep 7$$.5" -- true >/dev/null 2>stuck.err &
stuck=$!
wait_for alive "^sleep 0.7$$"
kill -TERM $stuck

# A server that --setup starts and --cleanup stops; it is busy while the command sleeps.
cat >start <<'END'
#!/bin/sh
setsid -f sh -c 'echo $$ >server.pid; while :; do :; done'
until [ -s server.pid ]; do sleep 0.01; done
END
cat >stop <<'END'
#!/bin/sh
kill "$(cat server.pid)"
END
chmod +x start stop
run -r 3 -e task-clock --setup ./start --cleanup ./stop -- sleep 0.2 >server.csv
is $? 0 'a server from --setup lives until --cleanup stops it'
if timeout 20 bench-run -q -w 0 -r 1 -e task-clock -- true | grep -q ',task-clock,.*,ok,'; then
	is "$(values task-clock server.csv | awk '$1 < 1e8' | wc -l)" 3 'a server from --setup is not counted with the command'
fi
run -r 1 -e none --cpu 0 --prepare 'grep Cpus_allowed: /proc/self/status >hook.cpus' \
	--stdout cmd.cpus -- grep Cpus_allowed: /proc/self/status >cpu.csv
is "$(cat hook.cpus)" "$(grep Cpus_allowed: /proc/self/status)" '--cpu does not confine hooks'
is "$(awk '{ gsub(/[0,]/, "", $2); print $2 }' cmd.cpus)" 1 '--cpu confines commands'

# Processes that remain in the group, and that leave it.
mark=8$$.25
run -r 2 -e none --prepare "sleep $mark &" -- true >hook.csv
ok 'processes that a hook leaves in its group are killed' wait_for gone "^sleep $mark"
run -r 1 -e none -S -c "(sleep $mark; sleep $mark) & (trap '' TERM HUP INT; sleep $mark) & sleep 0.05" >deaf.csv
ok 'processes that a command leaves in its group are killed, even if they ignore signals' wait_for gone "^sleep $mark"
run -r 40 -e none -S -c 'setsid -f true; ps -o stat= --ppid $PPID >>states' >zombies.csv
ok 'processes that leave the group and end are reaped' test "$(grep -c Z states)" -le 120

# Signals while a hook runs: --setup and --prepare are ended, --conclude and --cleanup are not.
for hook in setup prepare; do
	bench-run -q -e none -w 0 -r 1 --$hook "sleep $mark" -- true >$hook.csv 2>$hook.err &
	pid=$!
	wait_for alive "^sleep $mark"
	kill -TERM $pid
	wait $pid 2>/dev/null
	is $? 143 "SIGTERM in --$hook ends bench-run by it"
	ok "SIGTERM ends a --$hook" wait_for gone "^sleep $mark"
	is "$(cat $hook.err)" 'bench-run: interrupted after 0 of 1 run' \
		"a --$hook that SIGTERM ended is not reported as a failure"
done

# again SIGNAL PID: sends the signal, and succeeds when the process is gone
again() {
	kill "-$1" "$2" 2>/dev/null
	! kill -0 "$2" 2>/dev/null
}
for hook in conclude cleanup; do
	bench-run -q -e none -w 0 -r 1 --$hook "sleep $mark" -- true >$hook.csv 2>$hook.err &
	pid=$!
	wait_for alive "^sleep $mark"
	wait_for again TERM $pid
	wait $pid 2>/dev/null
	is $? 143 "a second SIGTERM in --$hook ends bench-run by it"
	ok "a second SIGTERM ends a --$hook" wait_for gone "^sleep $mark"
	is "$(cat $hook.err)" '' "a --$hook that a second SIGTERM ended is not reported as a failure"
done
bench-run -q -e none -w 0 -r 2 --conclude "sleep 0.9$$; echo concluded >>ends" -- true >conclude.csv &
pid=$!
wait_for alive "^sleep 0.9$$"
kill -TERM $pid
wait $pid 2>/dev/null
like "$(cat conclude.csv)" ',ok,1,1,ok,$' 'a sample is written if a signal arrives during its --conclude'
is "$(cat ends)" concluded 'a running --conclude is completed after a signal'

# After a signal, bench-run also runs --cleanup, and then ends by the same signal.
for signal in TERM INT HUP; do
	: >hooks
	# Of a shell's background processes SIGINT is ignored, unless job control is on
	setsid env --default-signal=INT bench-run -q -e none -w 0 -r 3 --setup 'echo setup >>hooks' --prepare 'echo prepare >>hooks' \
		--conclude 'echo conclude >>hooks; sleep 0.3; echo concluded >>hooks' \
		--cleanup 'echo cleanup >>hooks; sleep 0.3; echo cleaned >>hooks' -- sleep $mark >tidy.csv 2>tidy.err &
	pid=$!
	wait_for alive "^sleep $mark"
	kill -$signal $pid
	wait $pid 2>/dev/null
	is $? $((128 + $(case $signal in HUP) echo 1 ;; INT) echo 2 ;; TERM) echo 15 ;; esac))) \
		"bench-run ends by SIG$signal when hooks have run after it"
	is "$(tr '\n' ' ' <hooks)" 'setup prepare conclude concluded cleanup cleaned ' \
		"--conclude and --cleanup run after SIG$signal"
	is "$(cat tidy.err)" 'bench-run: interrupted after 0 of 3 runs' \
		"SIG$signal causes one message, and hooks after it cause none"
done
: >hooks
bench-run -q -e none -w 0 -r 3 --conclude 'echo conclude >>hooks' --prepare "echo prepare >>hooks; sleep $mark" \
	--cleanup 'echo cleanup >>hooks; exit 7' -- true >/dev/null 2>tidy.err &
pid=$!
wait_for alive "^sleep $mark"
kill -TERM $pid
wait $pid 2>/dev/null
is "$(tr '\n' ' ' <hooks)" 'prepare cleanup ' 'an interrupted --prepare is not followed by --conclude'
like "$(cat tidy.err)" "^bench-run: --cleanup .* ended with status 7" 'a --cleanup that fails after a signal is reported'
: >hooks
bench-run -q -e none -w 0 -r 1 --setup 'echo {n} >>hooks; sleep '$mark --cleanup 'echo down {n} >>hooks' \
	-P n=1,2 -c 'true {n}' >/dev/null 2>&1 &
pid=$!
wait_for alive "^sleep $mark"
kill -TERM $pid
wait $pid 2>/dev/null
is "$(tr '\n' ' ' <hooks)" '1 down 1 ' 'only subjects whose --setup was begun are cleaned up after a signal'
# Hooks also run after the reader has gone away.
: >hooks
bench-run -q -e none -w 0 -r 1000 --cleanup 'echo cleanup >>hooks' -- true | head -n 1 >/dev/null
ok '--cleanup runs after the reader has gone away' wait_for grep -q cleanup hooks

# A hangup under nohup also reaches the helper.
setsid sh -c 'echo $$ >group
trap "" HUP
exec bench-run -q -e none -w 0 -r 2 --stdout ignored -- sh -c "grep SigIgn /proc/self/status; exec sleep '"1.$$"'"' \
	>nohup.csv 2>nohup.err &
pid=$!
wait_for alive "^sleep 1.$$"
kill -HUP "-$(cat group)"
wait $pid
is "$?$(cat nohup.err)" 0 'a signal that was ignored from the start does not stop bench-run'
is "$(grep -c ,wall, nohup.csv)" 2 'a signal that was ignored from the start loses no sample'
like "$(cat ignored)" '[13579bdf]$' 'a command ignores a signal that was ignored from the start'

# A command that moves to the group of the helper.
cat >defect.pl <<'END'
setpgrp(0, getpgrp(getppid())) or die;
exec('sleep', $ARGV[0]);
END
start=$(date +%s)
run -r 1 -e none --timeout 200ms -- perl defect.pl 4.$$ >defect.csv
is $(($(date +%s) - start < 3)) 1 '--timeout ends a command that left its group'
bench-run -q -e none -w 0 -r 1 -- perl defect.pl 9.$$ >/dev/null &
pid=$!
wait_for alive "^sleep 9.$$"
start=$(date +%s)
kill -TERM $pid
wait $pid 2>/dev/null
is $(($(date +%s) - start < 3)) 1 'an interrupt ends a command that left its group'

# kill -9 with grandchildren
bench-run -q -e none -w 0 -r 1 -c "sh -c 'sleep $mark & sleep $mark'" >/dev/null 2>&1 &
wait_for alive "^sleep $mark"
kill -KILL $!
wait $! 2>/dev/null
ok 'kill -9 of bench-run ends the whole group of the command' wait_for gone "^sleep $mark"
wait $stuck 2>/dev/null
is $? 143 'bench-run ends by the signal when a --cleanup after it takes too long'
ok 'a --cleanup that takes too long after a signal is killed' gone "^sleep 7$$.5"
like "$(cat stuck.err)" "^bench-run: --cleanup '.*' was killed: it did not end within 10 s of the signal$" \
	'a --cleanup that was killed is reported'

done_testing
