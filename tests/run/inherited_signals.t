#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Signals that the parent of a program ignores or blocks do not change what it measures.
. "${0%/*}/../lib/tap.sh"

orphan() { timeout -s KILL 60 env --ignore-signal=CHLD "$@"; }
blocked() { timeout -s KILL 60 env --block-signal=ALRM --block-signal=TERM "$@"; }
run() { bench-run -q -e none -w 0 "$@"; }
# statuses FILE: prints the statuses of the samples
statuses() { grep ',wall,' "$1" | sed 's/.*,\([^,]*\),$/\1/' | paste -sd' '; }

orphan bench-run -q -e none -w 0 -r 2 -- sh -c 'exit 3' >s.csv 2>err
is "$? $(statuses s.csv)" '1 failed:exit=3 failed:exit=3' 'the exit status of a command is measured if SIGCHLD is ignored'
orphan bench-run -q -e none -w 0 -r 2 -- true >s.csv
is "$? $(awk -F, '/,(max_rss|page-faults),/ && $(NF - 2) > 0 && $(NF - 2) < 1e9' s.csv | wc -l)" '0 4' \
	'the usage of a command is measured if SIGCHLD is ignored'
orphan bench-run -q -e none -w 0 -r 1 -J 2 -- sh -c 'exit 3' >s.csv 2>err
is "$? $(statuses s.csv)" '1 failed:exit=3 failed:exit=3' 'the exit status of copies of a command is measured if SIGCHLD is ignored'
orphan bench-run -q -e none -w 0 -r 1 --prepare 'exit 4' -- true >s.csv 2>err
is $? 2 'a hook that fails is noticed if SIGCHLD is ignored'
cat >dies.c <<'END'
#include <signal.h>
void benchmark_dies(void) { raise(SIGKILL); }
END
gcc -shared -fPIC -o dies.so dies.c || exit 1
orphan bench-run -q -e none -f ./dies.so -r 1 --processes 1 >s.csv 2>err
is "$? $(grep -o 'failed:.*' s.csv | sort -u)" '1 failed:signal=SIGKILL,' 'the signal that ends a function is measured if SIGCHLD is ignored'
orphan bench-prof -q -o p.csv -- sh -c 'exit 5' 2>err
is $? 1 'bench-prof notices that the command failed if SIGCHLD is ignored'

blocked bench-run -q -e none -w 0 -r 1 --timeout 100ms -- sleep 5 >s.csv 2>err
is "$? $(statuses s.csv)" '1 timeout' '--timeout ends a command if SIGALRM is blocked'
run -r 1 -- grep -q '^SigBlk:.*0000$' /proc/self/status >s.csv 2>err
is "$(statuses s.csv)" ok 'a command has no blocked signals if the parent has none'
blocked bench-run -q -e none -w 0 -r 1 -- grep -q '^SigBlk:.*6000$' /proc/self/status >s.csv 2>err
is "$(statuses s.csv)" ok 'a command has the blocked signals of the parent'
done_testing
