#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands that use the terminal: they are not in its foreground, so that the kernel stops them.
# timing: waits for other processes
. "${0%/*}/../lib/tap.sh"
skip_unless script 'commands that use the terminal' || { done_testing; exit; }

# on_terminal COMMAND [OPTION...]: measures a shell command on a terminal, into s.csv; prints the statuses of its samples
on_terminal() {
	line=$1
	shift
	timeout -s KILL 60 script -qec "bench-run -q -e none -w 0 -r 2 -o s.csv $* -- sh -c '$line'" /dev/null >out </dev/null 2>&1
	echo "$? $(grep ',wall,' s.csv | sed 's/.*,\([^,]*\),$/\1/' | paste -sd' ')"
}

is "$(on_terminal 'read x </dev/tty')" '1 failed:signal=SIGTTIN failed:signal=SIGTTIN' 'a command that reads from the terminal fails'
like "$(cat out)" 'SIGTTIN: it used the terminal, but commands run in the background .see --stdin' \
	'bench-run reports that a command used the terminal'
is "$(on_terminal 'stty raw </dev/tty')" '1 failed:signal=SIGTTOU failed:signal=SIGTTOU' 'a command that changes the terminal fails'
is "$(on_terminal 'read x </dev/tty' -J 2 -r 1)" '1 failed:signal=SIGTTIN failed:signal=SIGTTIN' 'copies of a command that read from the terminal fail'
cat >group.pl <<'END'
setpgrp;
open(my $terminal, '<', '/dev/tty') or die;
print <$terminal>;
END
is "$(on_terminal 'exec perl group.pl')" '1 failed:signal=SIGTTIN failed:signal=SIGTTIN' \
	'a command that reads from the terminal in a group of its own fails'
is "$(on_terminal 'echo text >/dev/tty')" '0 ok ok' 'a command can write to the terminal'
# shellcheck disable=SC2016 # the measured shell expands it
is "$(on_terminal '(sleep 0.1; kill -CONT $$) & kill -STOP $$')" '0 ok ok' 'a command that stops itself and is continued succeeds'
done_testing
