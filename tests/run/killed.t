#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A run whose processes are killed leaves no process of the commands that it measures.
# timing: waits for other processes
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# begin COMMAND OPTION...: starts a run in a session of its own, whose command writes its process number
begin() {
	rm -f begun
	line=$1
	shift
	# shellcheck disable=SC2016 # the inner shells expand it
	env --default-signal=INT,QUIT setsid bench-run -q -e none -w 0 -r 1 "$@" -- sh -c "$line" >out.csv 2>err &
	run=$!
	wait_for test -s begun
}
helper() { pgrep -P $run -f '^bench-spawn'; }
mark=6$$.25
# shellcheck disable=SC2016
children="sleep $mark & echo \$\$ >begun; sleep $mark; wait"

for copies in 1 2; do
	begin "$children" -J $copies
	kill -KILL "$(helper)"
	wait $run
	is $? 2 "a run of $copies copies whose helper is killed fails"
	is "$(head -n 1 err)" 'bench-run: the helper bench-spawn ended unexpectedly' "a run of $copies copies reports that its helper was killed"
	ok "a helper that is killed leaves no process of $copies copies of a command" wait_for gone "^sleep $mark"
done
begin "$children"
kill -QUIT -$run
wait $run 2>/dev/null
is $? 131 'SIGQUIT ends a run'
ok 'SIGQUIT to the process group leaves no process of a command' wait_for gone "^sleep $mark"
begin "$children"
kill -KILL $run
wait $run 2>/dev/null
ok 'bench-run that is killed leaves no process of a command' wait_for gone "^sleep $mark"
# The samples of a run that is killed without warning are in the file that it writes until it ends.
for signal in KILL QUIT; do
	rm -f s.csv* runs
	env --default-signal=INT,QUIT bench-run -q -e none -w 0 -r 100000 -o s.csv -- sh -c 'echo >>runs; sleep 0.05' 2>err &
	run=$!
	wait_for awk 'END { exit NR < 4 }' runs
	kill -$signal $run
	wait $run 2>/dev/null
	taken=$(wc -l <runs)
	is "$(echo s.csv*)" s.csv.partial "bench-run -o leaves one file after SIG$signal, with another name"
	kept=$(rows wall s.csv.partial | sed 1d | wc -l)
	ok "bench-run -o keeps all samples before SIG$signal but those of the last two rounds" test "$kept" -ge $((taken - 2)) -a "$kept" -le "$taken"
	ok "the rows that bench-run -o has written before SIG$signal can be read" bench-stat s.csv.partial
	is "$(grep -c ',rows,1,' s.csv.partial)" 0 "the rows of a run that ended by SIG$signal have no end mark"
done
bench-run -e none -w 0 -r 2 -o s.csv true 2>err
is "$(echo s.csv*)" 's.csv s.csv.partial' 'a run leaves the samples of an earlier run that was killed'
is "$(cat err)" 'bench-run: s.csv.partial: kept from an earlier run that was not completed, or in use by another one; remove the file if it is not needed' \
	'a run reports the samples of an earlier run that was killed'
# shellcheck disable=SC2016
begin 'kill -STOP $PPID; '"$children"
stopped=$(helper)
kill -KILL $run
wait $run 2>/dev/null
ok 'bench-run that is killed leaves no process of a command that stopped its parent' wait_for gone "^sleep $mark"
ok 'bench-run that is killed leaves no helper that was stopped' wait_for test ! -e "/proc/$stopped/exe"
# The memory with the process groups can be a file that is too large.
is "$(prlimit --fsize=1000 bench-run -q -e none -w 0 -r 2 -- true | grep -c ',wall,ns,[0-9]*,ok,')" 2 \
	'a limit of the size of files does not prevent a run'
done_testing
