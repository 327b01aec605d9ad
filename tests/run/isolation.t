#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What one run must not do to another: processes that hooks and commands leave behind, and
# what an interrupt leaves of them.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -q -w 0 "$@"; }
# values METRIC FILE
values() { awk -F, -v m="$1" '$12 == m && $15 == "ok" { print $14 }' "$2"; }

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
	is "$(values task-clock server.csv | awk '$1 < 1e8' | wc -l)" 3 'and is not counted with the command'
fi
run -r 1 -e none --cpu 0 --prepare 'grep Cpus_allowed: /proc/self/status >hook.cpus' \
	--stdout cmd.cpus -- grep Cpus_allowed: /proc/self/status >cpu.csv
is "$(cat hook.cpus)" "$(grep Cpus_allowed: /proc/self/status)" '--cpu does not confine hooks'
is "$(awk '{ gsub(/[0,]/, "", $2); print $2 }' cmd.cpus)" 1 'but the commands'

# What is left of a group, and what leaves it.
mark=8$$.25
run -r 2 -e none --prepare "sleep $mark &" -- true >hook.csv
ok 'what a hook leaves in its group is killed' wait_for gone "^sleep $mark"
run -r 1 -e none -S -c "(sleep $mark; sleep $mark) & (trap '' TERM HUP INT; sleep $mark) & sleep 0.05" >deaf.csv
ok 'so is what a command leaves, deaf or not' wait_for gone "^sleep $mark"
run -r 40 -e none -S -c 'setsid -f true; ps -o stat= --ppid $PPID >>states' >zombies.csv
ok 'what leaves the group and ends does not pile up' test "$(grep -c Z states)" -le 120

# Interrupts while a hook runs.
for hook in setup prepare conclude; do
	bench-run -q -e none -w 0 -r 1 --$hook "sleep $mark" -- true >$hook.csv 2>$hook.err &
	pid=$!
	wait_for alive "^sleep $mark"
	kill -TERM $pid
	wait $pid 2>/dev/null
	is $? 143 "SIGTERM in --$hook ends bench-run by it"
	ok 'and the hook' wait_for gone "^sleep $mark"
done
is "$(cat setup.err prepare.err conclude.err)" '' 'without complaint about the hook'
like "$(cat conclude.csv)" ',ok,1,1,ok,$' 'a run that ended before its --conclude was interrupted is written'

# A hangup under nohup comes to the helper, too.
setsid sh -c 'echo $$ >group
trap "" HUP
exec bench-run -q -e none -w 0 -r 2 --stdout ignored -- sh -c "grep SigIgn /proc/self/status; exec sleep '"1.$$"'"' \
	>nohup.csv 2>nohup.err &
pid=$!
wait_for alive "^sleep 1.$$"
kill -HUP "-$(cat group)"
wait $pid
is "$?$(cat nohup.err)" 0 'a signal that was ignored from the start stops nothing'
is "$(grep -c ,wall, nohup.csv)" 2 'nor loses a run'
like "$(cat ignored)" '[13579bdf]$' 'and the command ignores it, too'

# A command that leaves its group, for that of the helper.
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
is $(($(date +%s) - start < 3)) 1 'so does an interrupt'

# kill -9 with grandchildren
bench-run -q -e none -w 0 -r 1 -c "sh -c 'sleep $mark & sleep $mark'" >/dev/null 2>&1 &
wait_for alive "^sleep $mark"
kill -KILL $!
wait $! 2>/dev/null
ok 'kill -9 of bench-run ends the whole group of the command' wait_for gone "^sleep $mark"
done_testing
