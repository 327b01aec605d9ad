#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs tests/validation/decisions.sh at reduced size: the decisions of bench-compare and of other programs
# on the same samples.
# slow
. "${0%/*}/../lib/tap.sh"

use_engines
if skip_unless R "bench-compare decides about differences as other programs do" &&
	{ in_venv pyperf && in_venv asv || skip_unless "$VENV" "bench-compare decides about differences as pyperf and asv do"; }; then
	REPEATS=20 FAMILIES=runs sh "$ROOT/tests/validation/decisions.sh" >decisions.md 2>err
	result $? 'tests/validation/decisions.sh ends with status 0'
	[ ! -s err ] || note "$(cat err)"
	like "$(tail -n 1 decisions.md)" 'REPEATS=20 sh tests/validation/decisions.sh' "the section ends with the command that makes it"
	is "$(awk '/^\|/ { n = gsub(/\|/, "|"); if (last && n != last) print; last = n; next } { last = 0 }' decisions.md)" '' \
		'all rows of a table of decisions have the same number of cells'
	sed -n 's/ *| */|/g; s/^|//p' decisions.md >rows
	# rate ROW COLUMN: prints a rate in percent, of the last table that has the row
	rate() { grep "^$1|" rows | tail -n 1 | cut -d'|' -f "$2" | cut -d' ' -f 1; }
	is "$(rate 'runs|0%|3' 4)" 0.0 'bench-compare does not decide by three samples per side'
	ok 'pyperf calls identical sides of a run each different if runs differ' test "$(rate 'runs|0%|20' 7 | cut -d. -f 1)" -gt 30
	ok 'bench-compare calls few identical sides of five runs different if runs differ' test "$(rate 'runs|0%' 3 | cut -d. -f 1)" -lt 20
	ok 'every program finds a difference of 15% between sides of five runs' awk -F '|' \
		'$1 == "normal" && $2 == "15%" { for (i = 3; i < NF; i++) { n++; bad += $i != "–" && $i + 0 < 80 } } END { exit bad || n < 7 }' rows
fi
done_testing
