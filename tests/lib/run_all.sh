#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run_all.sh TEST...: runs TAP tests through prove, as many at once as there are processors.
# Tests that say "# timing" near their top wait for what other processes do, and a machine that is
# too busy fails them: they are tried once more, alone; second tries are kept in
# $BUILD/tests/second-tries and printed at the end.
here=${0%/*}
state=$BUILD/tests/state tries=$BUILD/tests/second-tries

run() {
	prove --statefile "$state" --exec "sh $here/limited.sh" --timer --directives --failures \
		--comments "$@"
}

rm -f "$state"
run --state=save -j "$(nproc)" "$@" && exit 0
status=0
failed=$(prove --statefile "$state" --state=failed --dry 2>/dev/null)
for test in $failed; do
	if ! head -n 12 "$test" | grep -q '^# timing'; then
		status=1
	elif echo "A second try of $test:" && run "$test"; then
		echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $test" >>"$tries"
	else
		status=1
	fi
done
[ -n "$failed" ] || status=1
echo "Failed at first: $(echo "$failed" | tr '\n' ' ')"
[ ! -s "$tries" ] || { echo 'Passed at the second try:' && cat "$tries"; }
exit $status
