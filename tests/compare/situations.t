#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The verdicts, exit status and findings of bench-compare in the situations of situations.txt.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

here=$ROOT/tests/compare
awk -f "$here/situations.awk" "$here/situations.txt" || exit
# compare OPTION...: compares the streams of the situation
compare() {
	if [ -e "$n.both" ]; then
		bench-compare "$@" --reference old "$n.both" 2>"$T/.err"
	else
		bench-compare "$@" "$n.old" "$n.new" 2>"$T/.err"
	fi
}
n=0
grep -v '^#' "$here/situations.txt" | sed 's/ *| */|/g' >lines
while IFS='|' read -r name _ _ options verdicts status kinds; do
	n=$((n + 1))
	# shellcheck disable=SC2086
	compare --csv --no-geomean $options >table.csv
	got=$?
	found=$([ -s table.csv ] && column verdict table.csv | paste -sd,)
	# shellcheck disable=SC2086
	compare --gate $options >gate.out
	got=$got,$?
	lines=$(sed '$d' gate.out | sed 's/: .*//' | sort -u | paste -sd,)
	last=$(tail -n 1 gate.out | sed 's/:.*//')
	# shellcheck disable=SC2086
	compare --markdown $options >markdown.out
	got=$got,$?
	first=$(head -n 1 markdown.out | sed 's/^\*\*//; s/:.*//')
	# shellcheck disable=SC2086
	compare --bisect $options >/dev/null
	got=$got,$?
	[ "$status" = 0 ] && want=PASS || want=FAIL
	[ "$verdicts" = - ] && verdicts='' want=''
	[ "$status" = 2 ] && bisect=125 || bisect=$status
	is "${found:+$found }$got ${lines:--} $last,$first" \
		"${verdicts:+$verdicts }$status,$status,$status,$bisect $kinds $want,$want" \
		"bench-compare decides: $name"
done <lines
ok "the table has at least 40 situations ($n)" test "$n" -ge 40
done_testing
