#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limited.sh TEST: runs one test. After $TEST_LIMIT seconds, six minutes by default, the test and
# all processes of its session are killed, so that a test that hangs fails and does not hold up
# the others. A shell ignores SIGINT and SIGQUIT in commands that it starts with &; here a test begins
# with the default action for these and for SIGHUP, regardless of how it was started.
limit=${TEST_LIMIT:-360}
case $1 in
*.t) set -- sh "$@" ;;
esac
# AddressSanitizer fails on the thread-local memory of libraries that generate code at run time,
# such as oneDNN.
[ -z "${SANITIZED:-}" ] || export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}intercept_tls_get_addr=0"
session='' guard=''
# A signal may come before the session is known, or before it exists.
stop() {
	session=${session:-$!}
	[ -z "$session" ] || { kill -KILL "$session"; pkill -KILL -s "$session"; } 2>/dev/null
}
trap 'stop; [ -z "$guard" ] || kill $guard; exit 1' HUP INT TERM
setsid env --default-signal=HUP,INT,QUIT "$@" &
session=$!
# Its output goes nowhere, because prove waits until nobody has the test's output open.
(
	trap 'kill $nap; exit' TERM
	sleep "$limit" &
	nap=$!
	wait $nap
	# The end of the session must not end this before the rest of the session is killed.
	trap '' TERM
	stop
) >/dev/null 2>&1 &
guard=$!
wait $session
status=$?
kill $guard 2>/dev/null
[ $status -ne 137 ] || echo "# killed, as after the limit of $limit s"
exit $status
