#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The evidence in small: the scripts run, and what they print is within generous bounds. Seeds
# are fixed, so this is the same every time.
# slow
. "${0%/*}/../lib/tap.sh"

# section NAME REPEATS: the rows of its tables, as "first|second|..." without spaces around
section() {
	REPEATS=$2 sh "$ROOT/tests/validation/$1.sh" >"$1.md" 2>err
	result $? "the section $1 is printed"
	[ ! -s err ] || note "$(cat err)"
	like "$(head -n 1 "$1.md")" '^## ' "the section $1 begins with a heading"
	like "$(tail -n 1 "$1.md")" "REPEATS=$2 sh tests/validation/$1.sh" "the section $1 ends with the command that makes it"
	is "$(awk '/^\|/ { n = gsub(/\|/, "|"); if (last && n != last) print; last = n; next } { last = 0 }' "$1.md")" '' \
		"the tables of the section $1 have rows of equal length"
	sed -n 's/ *| */|/g; s/^|//p' "$1.md" >"$1.rows"
}
# bounds LEAST MOST: every cell "RATE (..." read is a rate between them, in per cent, and some are
# there
bounds() {
	awk -v least="$1" -v most="$2" '{ n++; if ($1 < least || $1 > most) { print "# out of bounds: " $0; bad = 1 } }
		END { exit bad || !n }'
}

section calibration 100
for f in normal lognormal uniform exponential bimodal; do
	ok "false alarms of $f values are few" eval "grep '^$f|' calibration.rows | tr '|' '\n' | grep '(' | bounds 0 12"
done
for f in autocorrelated drifting runs; do
	ok "false alarms of $f values, in several runs and in blocks, are few" \
		eval "grep '^$f|' calibration.rows | cut -d '|' -f 3,4 | tr '|' '\n' | bounds 0 12"
done
ok "one run a side cannot tell runs that differ" eval "grep '^runs|' calibration.rows | cut -d '|' -f 2 | bounds 50 100"
like "$(cat calibration.md)" 'each side is one run' "the section calibration says that one run a side cannot tell them apart"
ok "recorded figures raise few alarms in blocks and over runs" \
	eval "grep -e '^one run, ' -e '^five' calibration.rows | cut -d '|' -f 2 | bounds 0 12"

section coverage 40
ok "most intervals hold the true value" eval "tr '|' '\n' <coverage.rows | grep '(' | bounds 66 100"
is "$(awk -F '|' '$2 == 5 && /^[a-z]+\|5\|/ { for (i = 3; i < NF; i++) print $i }' coverage.rows | sort -u)" '–' \
	"five values get no interval"

section diagnosis 50
for f in normal lognormal uniform; do
	ok "few faults are found in $f values" eval "grep '^$f|' diagnosis.rows | cut -d '|' -f 2 | bounds 0 12"
done
for f in autocorrelated drifting bimodal clock; do
	ok "faults are found in nearly all $f values" eval "grep '^$f|' diagnosis.rows | cut -d '|' -f 2 | bounds 90 100"
done

if skip_unless R "power beside the plain test"; then
	section power 60
	ok "a difference is found as often as by the plain test, one run a side" eval \
		"awk -F '|' '\$2 ~ /^[123]0\$/ && \$1 != \"bimodal\" { n++; bad += \$4 + 3 < \$5 + 0 } END { exit bad || !n }' power.rows"
	ok "a difference of drifting runs is found more often in blocks" eval \
		"awk -F '|' '\$1 == \"drifting\" && \$3 == 0.8 { n++; bad += \$4 + 0 < \$5 + 20 } END { exit bad || !n }' power.rows"
fi

if skip_unless R "change points beside published windows"; then
	section change 60
	ok "steps of 5 are found by change points" eval "grep '^step of 5|' change.rows | head -n 1 | tr '|' '\n' | grep '(' | bounds 66 100"
	ok "few change points are found where there are none" eval \
		"awk -F '|' '/^(normal|lognormal|bimodal|spikes|24)/ { print \$2; print \$3 }' change.rows | bounds 0 50"
	ok "drifts by 20 are reported as drifts alone" eval "grep '^drift by 20|' change.rows | cut -d '|' -f 2 | bounds 66 100"
	ok "steps of 5 are not reported as drifts" eval "grep '^step of 5|' change.rows | tail -n 1 | cut -d '|' -f 2,3 | tr '|' '\n' | bounds 0 20"
	is "$(grep '^flow of the Nile' change.rows | cut -d '|' -f 3-5)" '1898|1898|1898' "the change point of the Nile is after 1898"
fi
done_testing
