#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measure a commit in continuous integration, compare it, and fail when something is worse.
#
#	bench-ci.sh [CONF]
#
# CONF, a file of shell (bench-ci.conf where there is one), and the environment, over which CONF
# goes, may set:
#	BENCH_MEASURE   a command line that measures the tree it runs in and writes samples:
#	                "bench-run -q -e none -r 5 --strict -I bench/subjects.csv"
#	BENCH_RUNS      how often that is done (10): whole runs are compared, so that what differs
#	                from run to run is known; with five a side little can be told
#	BENCH_BASE      a commit that is built and measured in turns with this tree, on this machine:
#	                the better way, as for a pull request
#	BENCH_BUILD     a command line that builds the tree of BENCH_BASE
#	BENCH_BASELINE  a folder that the service restores and keeps ("bench-baseline"): runs of
#	                earlier commits, a file each. Without BENCH_BASE the newest is compared with;
#	                all of them tell how noisy identical code is
#	BENCH_KEEP      yes: add this commit to BENCH_BASELINE, as on the main branch
#	BENCH_KEPT      how many commits that holds (30)
#	BENCH_COMPARE   options of bench-compare: "--thresholds bench/thresholds.csv"
#	BENCH_OUT       where new.csv, old.csv and report.md go ("bench-out")
#	BENCH_POST      a command line that reads report.md as its standard input
#
# Folders within the tree belong into .gitignore: runs of a dirty tree tell no noise.
#
# Exit status: that of bench-compare (0 fine, 1 worse, 2 trouble); 0 without a baseline.
set -u
conf=${1:-./bench-ci.conf}
if [ -e "$conf" ] || [ $# -gt 0 ]; then
	case $conf in */*) ;; *) conf=./$conf ;; esac
	# shellcheck disable=SC1090
	. "$conf" || exit 2
fi
: "${BENCH_RUNS:=10}" "${BENCH_BASE:=}" "${BENCH_BUILD:=:}" "${BENCH_KEEP:=no}" "${BENCH_KEPT:=30}"
: "${BENCH_BASELINE:=bench-baseline}" "${BENCH_COMPARE:=}" "${BENCH_OUT:=bench-out}" "${BENCH_POST:=}"
say() { echo "bench-ci.sh: $*" >&2; }
die() {
	say "$*"
	exit 2
}
[ -n "${BENCH_MEASURE:-}" ] || die 'BENCH_MEASURE is not set: how is this tree measured?'
mkdir -p "$BENCH_OUT" || exit 2
out=$(cd "$BENCH_OUT" && pwd) top=$PWD base=

clean() { [ -z "$base" ] || git worktree remove --force "$base"; }
trap clean EXIT
trap 'exit 2' HUP INT TERM

# measure FOLDER FILE: one more run, also when some of it failed: those rows say so
measure() {
	(cd "$1" && eval "$BENCH_MEASURE") >>"$2" </dev/null
	[ $? -le 1 ] || die "measuring failed: $BENCH_MEASURE"
}

rm -f "$out/new.csv" "$out/old.csv" "$out/report.md"
if [ -n "$BENCH_BASE" ]; then
	base=$out/base
	# A run that was killed left it.
	git worktree remove --force "$base" 2>/dev/null
	rm -rf "$base"
	git worktree prune
	git worktree add --force --detach "$base" "$BENCH_BASE" >&2 || { base='' && die "no commit $BENCH_BASE"; }
	(cd "$base" && eval "$BENCH_BUILD") >&2 || die "$BENCH_BASE cannot be built: $BENCH_BUILD"
fi
run=0
while [ $run -lt "$BENCH_RUNS" ]; do
	[ -z "$base" ] || measure "$base" "$out/old.csv"
	measure "$top" "$out/new.csv"
	run=$((run + 1))
done

# The files of a folder are in the order of their names, which begin with the time.
set --
old=$out/old.csv
for file in "$BENCH_BASELINE"/*.csv; do
	[ -e "$file" ] || continue
	set -- "$@" --floor "$file"
	[ -n "$base" ] || old=$file
done
status=0
if [ -e "$old" ]; then
	# shellcheck disable=SC2086
	bench-compare --gate $BENCH_COMPARE "$@" "$old" "$out/new.csv"
	status=$?
	# shellcheck disable=SC2086
	bench-compare -q --markdown $BENCH_COMPARE "$@" "$old" "$out/new.csv" >"$out/report.md" 2>/dev/null
else
	say 'there is no baseline yet: nothing to compare with'
	echo 'There is no baseline yet: nothing was compared.' >"$out/report.md"
fi
[ -z "$BENCH_POST" ] || eval "$BENCH_POST" <"$out/report.md" || say "posting failed: $BENCH_POST"

# On the main branch what is worse is the new baseline, too: it is told once.
if [ "$BENCH_KEEP" = yes ] && [ $status -le 1 ]; then
	mkdir -p "$BENCH_BASELINE" || exit 2
	commit=$(git rev-parse --short HEAD 2>/dev/null || echo none)
	kept=$BENCH_BASELINE/$(date -u +%Y%m%dT%H%M%SZ)-$commit
	# A file that is not whole is no baseline.
	if ! { cp "$out/new.csv" "$kept.part" && mv "$kept.part" "$kept.csv"; }; then
		rm -f "$kept.part"
		exit 2
	fi
	set -- "$BENCH_BASELINE"/*.csv
	while [ $# -gt "$BENCH_KEPT" ]; do
		rm -f "$1"
		shift
	done
fi
exit $status
