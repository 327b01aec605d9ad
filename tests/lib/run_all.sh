#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run_all.sh TEST...: runs TAP tests through prove, as many at once as there are processors.
# Three marks in the first twelve lines of a script matter here:
#   "# slow"    it is started before the others, so that none is left to run alone at the end
#   "# timing"  it waits for, or judges, what other processes do, and fails when the machine is
#               too busy: after a failure it is tried once more, alone
#   "# waits"   it sleeps or waits most of the time: scripts with this mark run one after the other
#               next to the others, instead of keeping a processor idle. Their results are printed
#               after those of the others
# Second tries are kept in $BUILD/tests/second-tries and printed at the end.
: "${BUILD:?}"
here=${0%/*}
# Tests that run make are not part of the make that runs them.
unset MAKEFLAGS MFLAGS MAKELEVEL
state=$BUILD/tests/state tries=$BUILD/tests/second-tries waited=$BUILD/tests/waited

# run STATE [OPTION...] TEST...: runs tests; the file STATE records how they ended. Its tests are begun with
# the default action for signals, which a shell ignores in commands that it starts with &.
run() {
	kept=$1
	shift
	env --default-signal=HUP,INT,QUIT prove --statefile "$kept" --exec "sh $here/limited.sh" --timer \
		--directives --failures --comments "$@"
}
# passed STATE: the tests that passed according to this file
passed() { prove --statefile "$1" --state=passed --dry 2>/dev/null; }
# marked MARK TEST...: the scripts among the tests that have a mark
marked() {
	mark=$1
	shift
	for test; do
		case $test in
		*.t) ! sed 12q "$test" 2>/dev/null | grep -Eq "^# $mark(:|\$)" || echo "$test" ;;
		esac
	done
}
# without LIST TEST...: the tests that are not lines of the list
without() {
	list=$1
	shift
	printf '%s\n' "$@" | grep -v -x -F -e "${list:-/}"
}

trap 'exit 130' INT
mkdir -p "$BUILD/tests"
rm -f "$state" "$state-waits" "$tries"
waits=$(marked waits "$@")
# shellcheck disable=SC2046 # names of tests have no blanks
slow=$(marked slow $(without "$waits" "$@"))
# shellcheck disable=SC2086
[ -z "$waits" ] || run "$state-waits" --state=save $waits >"$waited" 2>&1 &
waiting=$!
first=0
rest=$(without "$waits" "$@")
# shellcheck disable=SC2046,SC2086
[ -z "$rest" ] || run "$state" --state=save -j "$(nproc)" $slow $(without "$slow" $rest) || first=$?
wait $waiting || first=$?
[ -z "$waits" ] || cat "$waited"
# Tests that did not pass count as failed, even those that prove never started.
failed=$(without "$(passed "$state" && passed "$state-waits")" "$@")
if [ -z "$failed" ]; then
	exit $first
fi
status=0
# shellcheck disable=SC2086
timing=$(marked timing $failed)
for test in $failed; do
	if ! printf '%s\n' "$timing" | grep -q -x -F -e "$test"; then
		status=1
	elif echo "A second try of $test:" && run "$state" "$test"; then
		echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $test" >>"$tries"
	else
		status=1
	fi
done
echo "Failed at first: $(echo "$failed" | tr '\n' ' ')"
[ ! -s "$tries" ] || { echo 'Passed at the second try:' && cat "$tries"; }
exit $status
