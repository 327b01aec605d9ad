#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One night's measurement for cron or a timer: says nothing when all is well, and something on
# standard error, which cron mails, when a run failed or nothing could be kept.
#
#	nightly.sh [CONF]
#
# CONF, a file of shell, may set:
#	SUBJECTS  a table of what to measure, as bench-list writes and bench-run -I reads
#	ARGS      options of bench-run, split at blanks (-T 60 -e none)
#	BENCH_DB  the database: a file, or a postgresql:// URL
#	LOCK      a file that keeps two nights from overlapping; samples have its name, in TMPDIR
#	LOAD      fewer processors than this are to be busy before measuring begins
#	WAIT      how long to wait for the night before, in seconds
#
# The environment of cron is enough: no HOME, no terminal, no locale, a PATH of two folders.
set -u
conf=${1:-/etc/benchutils/nightly.conf}
SUBJECTS='' ARGS='' LOCK=/run/lock/bench-nightly LOAD=0.5 WAIT=3600
BENCH_DB=/var/lib/benchutils/bench.db
PATH=$PATH:/usr/local/bin
if [ -e "$conf" ] || [ $# -gt 0 ]; then
	case $conf in */*) ;; *) conf=./$conf ;; esac
	# shellcheck disable=SC1090
	. "$conf" || exit 2
fi
export PATH BENCH_DB
if [ -z "$SUBJECTS" ]; then
	echo "nightly.sh: $conf: SUBJECTS is not set: what is to be measured?" >&2
	exit 2
fi

exec 9>>"$LOCK" || exit 2
if ! flock -w "$WAIT" 9; then
	echo "nightly.sh: $LOCK: the measurement before still runs after $WAIT s; none today" >&2
	exit 2
fi
# Under the lock, whatever lies there was left by a night that was killed, or could not be kept.
prefix=${TMPDIR:-/tmp}/$(basename "$LOCK")
for left in "$prefix".??????; do
	if [ -s "$left" ]; then
		echo "nightly.sh: $left: samples of a night before; add and remove them" >&2
	else
		rm -f "$left"
	fi
done
samples=$(mktemp "$prefix.XXXXXX") || exit 2
trap 'rm -f "$samples"' EXIT

# A night that is stopped keeps what it measured so far; one that is killed takes the
# measurement along, lest that and the next one overlap. The lock is not for what is measured to
# inherit, as it may leave a daemon behind.
measuring='' stopped=
stop() {
	stopped=1
	[ -z "$measuring" ] || kill "$measuring" 2>/dev/null
}
trap stop HUP INT TERM
along=
setpriv --pdeathsig TERM true 2>/dev/null && along='setpriv --pdeathsig TERM'
# ARGS is split at blanks, and nothing else is done to it.
set -f
# shellcheck disable=SC2086
$along bench-run -q --wait-idle "$LOAD" $ARGS -I "$SUBJECTS" >"$samples" </dev/null 9>&- &
measuring=$!
[ -z "$stopped" ] || stop
wait $measuring
measured=$?
while [ -n "$stopped" ] && kill -0 $measuring 2>/dev/null; do
	wait $measuring
	measured=$?
done
measuring=

# Kept also when a run failed: those rows say so.
if [ -s "$samples" ]; then
	{ bench-env; cat "$samples"; } 9>&- | bench-store add -q 9>&- || {
		kept=$?
		trap - EXIT
		echo "nightly.sh: not kept; the samples are in $samples" >&2
		exit $kept
	}
fi
exit $measured
