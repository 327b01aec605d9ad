#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures earlier commits of a git repository in turns, so that a change of the machine during the
# measurement affects all of them.
#
#	bench-commits.sh REVISIONS [CONF]
#
# REVISIONS are given to git rev-list, such as v1.0..main, "-n 20 main" or "main -- src". A
# repository with merges has its first parents measured.
#
# These variables come from the environment and from CONF, a file of shell commands (default:
# bench-ci.conf, if it exists), which takes precedence:
#	BENCH_MEASURE  command line that measures the tree it runs in and writes samples, such as
#	               "bench-run -q -e none -r 5 -n sort -- ./build/sort input"
#	BENCH_BUILD    command line that builds the tree it runs in
#	BENCH_ROUNDS   number of times that BENCH_MEASURE measures each commit (4)
#	BENCH_MOST     largest number of commits to measure, evenly spaced, with the first and the last
#	               (20)
#	BENCH_TREES    directory that is made for the trees, all of which exist until the end
#	               ("bench-trees")
#	BENCH_SAMPLES  file to which the samples are appended ("bench-commits.csv"). Commits that it
#	               already has are not measured again, so a second call measures the commits
#	               that are missing
#	BENCH_ORDER    file to which the names of all commits are written, the oldest first
#	               ("bench-commits.txt")
#
# Then this command finds the commits at which something changed:
#
#	bench-compare --history --order bench-commits.txt bench-commits.csv
#
# Exit status: 0 if all commits were measured; 1 if some could not be built or measured, which are
# named, or have failed samples; 2 if nothing was measured, or on an error.
set -u
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo 'usage: bench-commits.sh REVISIONS [CONF]' >&2
	exit 2
fi
revisions=$1 conf=${2:-./bench-ci.conf}
if [ -e "$conf" ] || [ $# -gt 1 ]; then
	case $conf in */*) ;; *) conf=./$conf ;; esac
	# shellcheck disable=SC1090
	. "$conf" || exit 2
fi
: "${BENCH_BUILD:=:}" "${BENCH_ROUNDS:=4}" "${BENCH_MOST:=20}" "${BENCH_TREES:=bench-trees}"
: "${BENCH_SAMPLES:=bench-commits.csv}" "${BENCH_ORDER:=bench-commits.txt}"
say() { echo "bench-commits.sh: $*" >&2; }
die() {
	say "$*"
	exit 2
}
[ -n "${BENCH_MEASURE:-}" ] || die 'BENCH_MEASURE is not set: set it to the command that measures a tree'
for number in "$BENCH_ROUNDS" "$BENCH_MOST"; do
	case $number in '' | 0* | *[!0-9]*) die "BENCH_ROUNDS and BENCH_MOST: $number is not a number from 1 on" ;; esac
done
# Words of REVISIONS are split at blanks; patterns are for git.
set -f
# shellcheck disable=SC2086
all=$(git rev-list --reverse --first-parent $revisions) || die "git knows no revisions $revisions"
set +f
[ -n "$all" ] || die "there are no commits in $revisions"
chosen=$(echo "$all" | awk -v most="$BENCH_MOST" '
	{ line[NR] = $0 }
	END {
		if (NR <= most) most = NR
		for (i = 0; i < most; i++)
			print line[most == 1 ? NR : 1 + int(i * (NR - 1) / (most - 1))]
	}')
[ "$(echo "$all" | wc -l)" -eq "$(echo "$chosen" | wc -l)" ] ||
	say "measuring $(echo "$chosen" | wc -l) of $(echo "$all" | wc -l) commits; BENCH_MOST sets how many"

[ ! -s "$BENCH_SAMPLES" ] || bench-stat -q --csv "$BENCH_SAMPLES" >/dev/null ||
	die "$BENCH_SAMPLES cannot be read: repair it, or set BENCH_SAMPLES to another file"
[ ! -e "$BENCH_TREES" ] || die "$BENCH_TREES exists: remove it, with git worktree prune, unless another bench-commits.sh is running"
mkdir -p "$BENCH_TREES" || exit 2
trees=$(CDPATH="" cd -- "$BENCH_TREES" && pwd) || exit 2
clean() {
	rm -rf "$trees"
	git worktree prune
}
trap clean EXIT
trap 'exit 2' HUP INT TERM

# subject_columns: prints the columns of the samples that identify a subject, after commas
subject_columns() {
	bench-convert -q --one-header "$BENCH_SAMPLES" | sed q | tr , '\n' | grep -vxE \
		'run|time|host|env|commit|process|sample|t|iterations|metric|unit|value|status|running_pct|x_.*' |
		sed 's/^/,/' | tr -d '\n'
}

# rounds_of COMMIT: prints how often a commit was measured. BENCH_MEASURE may run bench-run several
# times, so this is the largest number of runs of a subject.
rounds_of() {
	[ -s "$BENCH_SAMPLES" ] || { echo 0 && return; }
	bench-stat -q --csv -s n -g "run,commit$(subject_columns)" "$BENCH_SAMPLES" | awk -F, -v commit="$1" '
		{ run = $1; of = $2; sub(/-dirty$/, "", of) }
		NR > 1 && of == commit {
			sub(/^[^,]*,[^,]*,/, ""); sub(/,[^,]*$/, "")
			if (!(($0, run) in seen) && ++runs[$0] > most) most = runs[$0]
			seen[$0, run]
		}
		END { print most + 0 }'
}

# drop COMMIT WHY: gives a commit up
drop() {
	say "$(git log -1 --format='%h %s' "$1"): $2"
	git worktree remove --force "$trees/$1"
	status=1
}

status=0
for commit in $chosen; do
	[ "$(rounds_of "$commit")" -lt "$BENCH_ROUNDS" ] || continue
	git worktree add --quiet --detach "$trees/$commit" "$commit" >&2 || exit 2
	(cd "$trees/$commit" && eval "$BENCH_BUILD") >&2 </dev/null || drop "$commit" 'BENCH_BUILD failed; not measured'
done
round=1
while [ "$round" -le "$BENCH_ROUNDS" ]; do
	for commit in $(echo "$chosen" | shuf); do
		[ -d "$trees/$commit" ] || continue
		[ "$(rounds_of "$commit")" -lt "$round" ] || continue
		(cd "$trees/$commit" && eval "$BENCH_MEASURE") >>"$BENCH_SAMPLES" </dev/null
		case $? in
		0) ;;
		1)
			say "$(git log -1 --format='%h %s' "$commit"): samples failed"
			status=1
			;;
		*) drop "$commit" 'BENCH_MEASURE failed; not measured again' ;;
		esac
	done
	round=$((round + 1))
done
[ -s "$BENCH_SAMPLES" ] || die 'nothing was measured'
# An earlier call may have measured other commits, so this is the whole history.
newest=$(echo "$chosen" | tail -n 1)
git rev-list --reverse --topo-order "$newest" HEAD >"$BENCH_ORDER" || exit 2
exit $status
