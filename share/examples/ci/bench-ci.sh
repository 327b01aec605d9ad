#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures a commit in continuous integration, compares it, and fails if something became worse or
# cannot be decided.
#
#	bench-ci.sh [CONF]
#
# These variables come from the environment and from CONF, a file of shell commands (default:
# bench-ci.conf, if it exists), which takes precedence:
#	BENCH_MEASURE   command line that measures the tree it runs in and writes samples, such as
#	                "bench-run -q -e none -r 5 --strict -I bench/subjects.csv"
#	BENCH_RUNS      number of runs (10). Runs are compared with runs, so that the differences
#	                between runs are taken into account. With too few runs for the number of
#	                metrics nothing can be decided: five are too few for more than six
#	BENCH_BASE      commit that is built and measured in turns with this tree, on this machine.
#	                Use this if you can, such as for a pull request
#	BENCH_BUILD     command line that builds the tree of BENCH_BASE
#	BENCH_BASELINE  directory that the CI service restores and keeps ("bench-baseline"), with one
#	                file for each earlier commit. Without BENCH_BASE the newest file from a
#	                machine with the same env is the baseline, or else the newest file. All
#	                files show how noisy identical code is
#	BENCH_KEEP      yes: add this commit to BENCH_BASELINE, as on the main branch
#	BENCH_KEPT      number of commits to keep in BENCH_BASELINE (30)
#	BENCH_COMPARE   options of bench-compare, such as "--thresholds bench/thresholds.csv",
#	                "--unsure fail" or "--worst 1.25"
#	BENCH_ALLOW_MISSING
#	                yes: accept that benchmarks of the baseline are missing. Set this for one run of
#	                the job after benchmarks were removed or renamed on purpose; until then each
#	                commit of the main branch fails, because the baseline still has them
#	BENCH_AGAIN     command line that compares the trees in the directories $BENCH_OLD and $BENCH_NEW
#	                in one run, until that is decided. It is run before an alarm is raised, and
#	                withdraws the alarm if it exits with 0. It needs BENCH_BASE. For example:
#	                bench-run -q -e none --until decided --compare tree --gate --unsure fail
#	                -P tree=$BENCH_OLD,$BENCH_NEW -n sort -- {tree}/build/sort input
#	BENCH_BUDGET    file of limits that the new samples must keep; see bench-stat --budget
#	BENCH_OUT       directory for new.csv, old.csv, report.md and report.html, and for gate.xml and budget.xml, which
#	                show the decisions as test results in the format of JUnit ("bench-out")
#	BENCH_PAGE      options of bench-report, which then writes the page report.html, such as
#	                "--title Benchmarks". If the machine is private and the page will be public, use
#	                "--anonymize-key FILE", where FILE is a secret of the CI service: hosts, paths,
#	                arguments of commands and users are replaced, and with the same key a host keeps
#	                its name. Then publish only report.html: the other files are not anonymized
#	BENCH_POST      command line that reads report.md from standard input. If an error prevents the
#	                comparison, report.md begins with ERROR and has the message
#
# Put directories inside the tree into .gitignore: runs of a dirty tree are not used for the noise.
#
# Exit status: that of bench-compare (0 passed; 1 worse, or samples newly fail; 2 a benchmark is
# missing, nothing can be decided, or an error). Without a baseline, 0, or 1 if samples fail. If a
# limit of BENCH_BUDGET is broken, 1; if it cannot be decided, 2.
set -u
conf=${1:-./bench-ci.conf}
if [ -e "$conf" ] || [ $# -gt 0 ]; then
	case $conf in */*) ;; *) conf=./$conf ;; esac
	# shellcheck disable=SC1090
	. "$conf" || exit 2
fi
: "${BENCH_RUNS:=10}" "${BENCH_BASE:=}" "${BENCH_BUILD:=:}" "${BENCH_KEEP:=no}" "${BENCH_KEPT:=30}"
: "${BENCH_BASELINE:=bench-baseline}" "${BENCH_COMPARE:=}" "${BENCH_ALLOW_MISSING:=no}" "${BENCH_BUDGET:=}" "${BENCH_OUT:=bench-out}" "${BENCH_POST:=}" "${BENCH_AGAIN:=}" "${BENCH_PAGE:=}"
say() { echo "bench-ci.sh: $*" >&2; }
mkdir -p "$BENCH_OUT" || exit 2
out=$(cd "$BENCH_OUT" && pwd) top=$PWD base=
rm -f "$out/new.csv" "$out/old.csv" "$out/report.md" "$out/report.html" "$out/again.csv" "$out/gate.xml" "$out/budget.xml"

post() { [ -z "$BENCH_POST" ] || eval "$BENCH_POST" <"$out/report.md" || say "BENCH_POST failed: $BENCH_POST"; }
# report_error: writes a report of the messages in the standard input. Indented, they are no markup.
report_error() {
	{ printf '**ERROR**: this commit was not compared; the log of the job has the details.\n\n' && sed 's/^/    /'; } >"$out/report.md"
}
# die MESSAGE: also reports the error, so that no report of an earlier commit seems to be of this one.
die() {
	say "$*"
	printf '%s\n' "$*" | report_error
	post
	exit 2
}
[ "$BENCH_ALLOW_MISSING" != yes ] || BENCH_COMPARE="$BENCH_COMPARE --allow-missing"
[ -n "${BENCH_MEASURE:-}" ] || die 'BENCH_MEASURE is not set: set it to the command that measures this tree'
[ -z "$BENCH_BUDGET" ] || [ -r "$BENCH_BUDGET" ] || die "BENCH_BUDGET: $BENCH_BUDGET cannot be read: create it, or do not set BENCH_BUDGET"

clean() { [ -z "$base" ] || git worktree remove --force "$base"; }
trap clean EXIT
trap 'exit 2' HUP INT TERM

# measure DIR FILE: appends a run to a file. A run with failed samples is kept: their rows have a
# status. Returns 1 if samples failed.
measure() {
	(cd "$1" && eval "$BENCH_MEASURE") >>"$2" </dev/null
	case $? in
	0) ;;
	1) return 1 ;;
	*) die "BENCH_MEASURE failed: $BENCH_MEASURE" ;;
	esac
}

if [ -n "$BENCH_BASE" ]; then
	base=$out/base
	# A script that was killed may have left a worktree.
	git worktree remove --force "$base" 2>/dev/null
	rm -rf "$base"
	git worktree prune
	git worktree add --force --detach "$base" "$BENCH_BASE" >&2 ||
		{ base='' && die "BENCH_BASE: git cannot check out $BENCH_BASE; if this commit is missing, fetch the whole history"; }
	(cd "$base" && eval "$BENCH_BUILD") >&2 || die "$BENCH_BASE cannot be built: BENCH_BUILD failed: $BENCH_BUILD"
fi
run=0 failing=
while [ $run -lt "$BENCH_RUNS" ]; do
	[ -z "$base" ] || measure "$base" "$out/old.csv"
	measure "$top" "$out/new.csv" || failing=yes
	run=$((run + 1))
done
[ -s "$out/new.csv" ] || die "BENCH_MEASURE wrote no samples: $BENCH_MEASURE"

# env_of FILE: prints the env of the first row, which distinguishes kinds of machines
env_of() { awk -F, 'NR == 1 { while (++at < NF && $at != "env"); next } { if (at < NF) print $at; exit }' "$1"; }

# Names of files begin with the time, so the last file is the newest.
set --
old=$out/old.csv env=$(env_of "$out/new.csv") alike=
for file in "$BENCH_BASELINE"/*.csv; do
	[ -s "$file" ] || continue
	set -- "$@" --floor "$file"
	[ -n "$base" ] || old=$file
	[ -n "$base" ] || [ "$(env_of "$file")" != "$env" ] || alike=$file
done
old=${alike:-$old}
status=0
if [ -e "$old" ]; then
	# shellcheck disable=SC2086
	bench-compare --gate --junit "$out/gate.xml" $BENCH_COMPARE "$@" "$old" "$out/new.csv" >"$out/gate" 2>"$out/errors"
	status=$?
	cat "$out/gate"
	cat "$out/errors" >&2
	! tail -n 1 "$out/gate" | grep -q ' vanished' ||
		say 'if benchmarks were removed or renamed on purpose, run this job once with BENCH_ALLOW_MISSING=yes'
	# Only samples that newly fail count.
	tail -n 1 "$out/gate" | grep -q ' failing' || failing=
	# shellcheck disable=SC2086
	bench-compare -q --markdown $BENCH_COMPARE "$@" "$old" "$out/new.csv" >"$out/report.md" 2>/dev/null
	[ -s "$out/report.md" ] || report_error <"$out/errors"
	rm -f "$out/errors"
else
	say 'there is no baseline yet: nothing was compared'
	echo 'There is no baseline yet: nothing was compared.' >"$out/report.md"
	if [ -n "$failing" ]; then
		status=1
		say 'samples fail: this commit does not become the baseline'
		printf '\n**FAIL**: samples fail.\n' >>"$out/report.md"
	fi
fi

# An alarm may be withdrawn if rows are worse or unsure, but not if samples fail.
doubtful() { tail -n 1 "$out/gate" | grep -Eq '^FAIL: [^:]* compared: [^,]* worse, [^,]* warnings?, [^,]* unsure, [^,]* better, [^,]* same$'; }
if [ $status -eq 1 ] && [ -n "$base" ] && [ -n "$BENCH_AGAIN" ] && doubtful; then
	say 'measuring again until decided'
	(BENCH_OLD=$base BENCH_NEW=$top && export BENCH_OLD BENCH_NEW && eval "$BENCH_AGAIN") >"$out/again.csv" </dev/null
	case $? in
	0)
		status=0
		say 'the alarm is withdrawn: nothing is worse when measured again'
		{ printf '**PASS** when measured again: nothing is worse. The first result was:\n\n' && cat "$out/report.md"; } >"$out/gate"
		cp "$out/gate" "$out/report.md"
		rm -f "$out/gate.xml"
		;;
	1) say 'the alarm is confirmed' ;;
	*) say "BENCH_AGAIN failed: $BENCH_AGAIN" ;;
	esac
fi
rm -f "$out/gate"
if [ -n "$BENCH_BUDGET" ]; then
	bench-stat --table --budget "$BENCH_BUDGET" --junit "$out/budget.xml" "$out/new.csv" >"$out/budget"
	limits=$?
	cat "$out/budget"
	# Indented, it is no markup.
	{ printf '\nBudgets:\n\n' && sed 's/^/    /' "$out/budget"; } >>"$out/report.md"
	rm -f "$out/budget"
	# A broken budget takes precedence over an error.
	[ $status -eq 1 ] || [ $limits -eq 0 ] || status=$limits
fi
if [ -n "$BENCH_PAGE" ]; then
	set --
	[ ! -e "$old" ] || set -- --baseline "$old"
	# shellcheck disable=SC2086
	bench-report $BENCH_PAGE "$@" -o "$out/report.html" "$out/new.csv" || say 'the page report.html is incomplete or missing'
fi
post

# On the main branch a worse commit also becomes the baseline, so a regression is reported once
# for each env. A commit that cannot be decided does not, nor does one whose samples newly fail: the commit that
# repairs them would be compared with nothing, however slow it is.
if [ "$BENCH_KEEP" = yes ] && [ $status -le 1 ] && [ -z "$failing" ]; then
	mkdir -p "$BENCH_BASELINE" || exit 2
	commit=$(git rev-parse --short HEAD 2>/dev/null || echo none)
	kept=$BENCH_BASELINE/$(date -u +%Y%m%dT%H%M%SZ)-$commit
	# An incomplete file must not become a baseline.
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
