#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures once, for cron or a timer. Prints nothing unless a sample failed or could not be kept, or
# something became slower; then it prints messages to standard error, which cron mails. So it does if the
# database cannot be copied or thinned out, or if another machine is silent.
#
#	nightly.sh [CONF]
#
# CONF is a file of shell commands (default: /etc/benchutils/nightly.conf) that may set:
#	SUBJECTS  table of subjects, as bench-list writes and bench-run -I reads
#	ARGS      options of bench-run, split at blanks (-T 60 -e none)
#	BENCH_DB  database: a file, or a postgresql:// URL
#	LOCK      file that prevents two measurements at once; files of samples in TMPDIR have its name
#	SITE      directory of a site, which is brought up to date afterward; see bench-site(7)
#	COMPARE   options of bench-compare, such as "--by-run --threshold 5": compare this run with the
#	          earlier ones of this machine since the last change (bench-compare --since-change). If
#	          something became worse, print the table and exit with status 1. The first two nights
#	          of a machine are not compared with anything
#	BACKUP    file on another disk, to which the database is copied afterward; the copy is checked.
#	          Leave it empty if the database is on a server
#	PRUNE     options of bench-store prune, such as "--keep 90d --keep-tagged --thin 1/week", to
#	          thin out the database afterward, but not if BACKUP is set and the copy failed
#	SILENT    age, such as 3d: report each machine that added a run to the database in the last 30
#	          days, but none in this time. Set it on one machine of a fleet
#	LOAD      wait until fewer than LOAD processors are busy
#	WAIT      seconds to wait for a measurement that still runs
#
# The environment of cron is sufficient: no HOME, no terminal, no locale, two directories in PATH.
set -u
conf=${1:-/etc/benchutils/nightly.conf}
SUBJECTS='' ARGS='' SITE='' COMPARE='' BACKUP='' PRUNE='' SILENT='' LOCK=/run/lock/bench-nightly LOAD=0.5 WAIT=3600
BENCH_DB=/var/lib/benchutils/bench.db
PATH=$PATH:/usr/local/bin
if [ -e "$conf" ] || [ $# -gt 0 ]; then
	case $conf in */*) ;; *) conf=./$conf ;; esac
	# shellcheck disable=SC1090
	. "$conf" || exit 2
fi
export PATH BENCH_DB
if [ -z "$SUBJECTS" ]; then
	echo "nightly.sh: $conf: SUBJECTS is not set: set it to a table of subjects" >&2
	exit 2
fi

exec 9>>"$LOCK" || exit 2
if ! flock -w "$WAIT" 9; then
	echo "nightly.sh: $LOCK: another measurement still runs after $WAIT s; nothing was measured" >&2
	exit 2
fi
# keep FILE: adds samples and the facts of this machine to the database
keep() { { bench-env; cat "$1"; } 9>&- | bench-store add -q 9>&-; }
# Because of the lock, files found here are left from a script that was killed or could not keep them. In
# a directory like /tmp, other users could have written them.
prefix=${TMPDIR:-/tmp}/$(basename "$LOCK")
for left in "$prefix".??????; do
	if [ ! -s "$left" ]; then
		rm -f "$left"
	elif [ -n "$(find "$left" -prune -type f -links 1 -user "$(id -u)")" ] && keep "$left"; then
		rm -f "$left"
		echo "nightly.sh: samples of an earlier measurement, which had not been added, were added from $left" >&2
	else
		echo "nightly.sh: $left: samples of an earlier measurement cannot be added; add them with bench-store add and remove the file" >&2
	fi
done
samples=$(mktemp "$prefix.XXXXXX") || exit 2
trap 'rm -f "$samples"' EXIT

# If this script is stopped by a signal, it keeps the samples so far. If it is killed, bench-run ends
# with it, so that it does not overlap with the next measurement. Measured commands do not inherit the
# lock, because they may leave a daemon running.
measuring='' stopped=
stop() {
	stopped=1
	[ -z "$measuring" ] || kill "$measuring" 2>/dev/null
}
trap stop HUP INT TERM
along=
setpriv --pdeathsig TERM true 2>/dev/null && along='setpriv --pdeathsig TERM'
# ARGS is split at blanks; its patterns are not expanded.
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

# Samples are also kept if some failed: their rows have a status.
if [ -s "$samples" ]; then
	keep "$samples" || {
		kept=$?
		trap - EXIT
		echo "nightly.sh: the samples could not be added; they are in $samples" >&2
		exit $kept
	}
fi
# problem STATUS MESSAGE: prints a message; the script will exit with the status unless samples failed
problem() {
	[ "$measured" -ne 0 ] || measured=$1
	echo "nightly.sh: $2" >&2
}
# The samples are safe; the next night also brings the site up to date.
[ -z "$SITE" ] || bench-report -q --site "$SITE" "$BENCH_DB" 9>&- || problem 1 "the site $SITE is not up to date"
# hosts [FILTER]...: prints the names of the hosts that have runs, one a line
hosts() { bench-store -q list hosts --json "$@" | sed -n 's/^ *"host": "\(.*\)",$/\1/p'; }
# Runs of other machines in the same database raise no alarm here.
here=$(uname -n)
if [ -n "$COMPARE" ] && [ -s "$samples" ] && [ "$(bench-store -q list --host "$here" | wc -l)" -gt 3 ]; then
	# shellcheck disable=SC2086
	table=$(bench-store export --host "$here" | bench-compare -q --table --since-change $COMPARE)
	case $? in
	0) ;;
	1) problem 1 "worse than since the last change:
$table" ;;
	*) problem 2 'the new samples could not be compared with those of earlier nights' ;;
	esac
fi
if [ -n "$BACKUP" ] && ! { bench-store backup "$BACKUP" && bench-store -q -D "$BACKUP" check >&2; }; then
	problem 2 "$BACKUP: the copy of the database failed or has findings; nothing was pruned"
	PRUNE=
fi
if [ -n "$PRUNE" ]; then
	# shellcheck disable=SC2086
	bench-store -q prune $PRUNE || problem 2 "the database was not pruned: PRUNE=$PRUNE"
fi
if [ -n "$SILENT" ]; then
	heard=$(hosts --since "$SILENT")
	for host in $(hosts --since 30d); do
		printf '%s\n' "$heard" | grep -qxF -e "$host" || problem 1 "$host has added no run in the last $SILENT; look at its cron job and its spooled rows"
	done
fi
exit "$measured"
