#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the scripts of the evidence at reduced size and tests that their results are within generous
# bounds. Seeds are fixed, so the results are always the same.
# slow
. "${0%/*}/../lib/tap.sh"

# section NAME REPEATS: runs a script, and writes the rows of its tables to NAME.rows, as
# "first|second|..." without spaces around the cells
section() {
	REPEATS=$2 sh "$ROOT/tests/validation/$1.sh" >"$1.md" 2>err
	result $? "tests/validation/$1.sh ends with status 0"
	[ ! -s err ] || note "$(cat err)"
	like "$(head -n 1 "$1.md")" '^## ' "the section that $1.sh prints begins with a heading"
	like "$(tail -n 1 "$1.md")" "REPEATS=$2 sh tests/validation/$1.sh" "the section that $1.sh prints ends with the command that makes it"
	is "$(awk '/^\|/ { n = gsub(/\|/, "|"); if (last && n != last) print; last = n; next } { last = 0 }' "$1.md")" '' \
		"all rows of a table that $1.sh prints have the same number of cells"
	sed -n 's/ *| */|/g; s/^|//p' "$1.md" >"$1.rows"
}
# bounds LEAST MOST: succeeds if there are cells "RATE (...", and the rate of each, in percent, lies
# between LEAST and MOST
bounds() {
	awk -v least="$1" -v most="$2" '{ n++; if ($1 < least || $1 > most) { print "# out of bounds: " $0; bad = 1 } }
		END { exit bad || !n }'
}

section calibration 100
for f in normal lognormal uniform exponential bimodal; do
	ok "bench-compare calls few identical sides of $f values different" eval "grep '^$f|' calibration.rows | tr '|' '\n' | grep '(' | bounds 0 12"
done
for f in autocorrelated drifting runs; do
	ok "bench-compare calls few identical sides of $f values different, in several runs and in blocks" \
		eval "grep '^$f|' calibration.rows | cut -d '|' -f 3,4 | tr '|' '\n' | bounds 0 12"
done
ok "bench-compare calls most identical sides different if runs differ and each side is one run" eval "grep '^runs|' calibration.rows | cut -d '|' -f 2 | bounds 50 100"
like "$(cat calibration.md)" 'each side is one run' "the section calibration quotes the message about sides that are one run each"
ok "bench-compare calls few identical sides of recorded values different, in blocks and over runs" \
	eval "grep -e '^one run, ' -e '^five' calibration.rows | cut -d '|' -f 2 | bounds 0 12"

section coverage 40
ok "most confidence intervals contain the true value" eval "tr '|' '\n' <coverage.rows | grep '(' | bounds 66 100"
is "$(awk -F '|' 'NF == 6 && $2 == 5 { print $3 }' coverage.rows | sort -u)" '–' \
	"no interval of a median is computed from five values"
ok "every verdict is supported by its interval" awk -F '|' '/ of / { for (i = 4; i < NF; i++) { n += substr($i, index($i, " of ") + 4); bad += $i } }
	END { exit bad || n < 300 }' coverage.rows

section quantiles 40
ok "most intervals of quantiles contain the true quantile" eval "awk -F '|' 'NF == 8 && \$2 < 10000' quantiles.rows | tr '|' '\n' | grep ')\$' | bounds 82 100"
is "$(awk -F '|' '$1 == "exponential" && $2 == 20 && $3 == 1 { print $5 $6 $7 }' quantiles.rows)" '–––' \
	"twenty values have no intervals of p90, p99 and p999"
ok "the values of a queue have an interval of the median, and none of p999" eval \
	"awk -F '|' '\$1 == \"queue 0.9\" { n++; bad += \$4 == \"–\" || \$7 != \"–\" } END { exit bad || n != 9 }' quantiles.rows"

section until 30
ok "bench-run --until decided has few false alarms" eval "awk -F '|' 'NF == 4' until.rows | tr '|' '\n' | grep '(' | bounds 0 15"
ok "bench-run --until decided takes fewer blocks on average than a fixed number for the sign test" \
	eval "awk -F '|' '\$2 ~ /^[12]\$/ && \$3 != 1 { n++; bad += \$4 + 0 >= \$6 + 0 } END { exit bad || n != 12 }' until.rows"
ok "bench-run --until decided has few wrong verdicts" eval "awk -F '|' '\$2 ~ /^[12]\$/ { print \$8 }' until.rows | bounds 0 15"

section diagnosis 200
for f in normal lognormal uniform; do
	ok "bench-stat --diagnose has few findings in $f values" eval "grep '^$f|' diagnosis.rows | cut -d '|' -f 2 | bounds 0 12"
done
for f in autocorrelated drifting bimodal clock; do
	ok "bench-stat --diagnose has findings in nearly all tables of $f values" eval "grep '^$f|' diagnosis.rows | cut -d '|' -f 2 | bounds 90 100"
done

if skip_unless R "bench-compare finds as many differences as textbook tests"; then
	section power 60
	ok "bench-compare finds as many differences as textbook tests" eval \
		"awk -F '|' '\$2 ~ /^[123]0\$/ { n++; bad += \$4 + 7 < \$5 + 0 } END { exit bad || n != 75 }' power.rows"
	ok "bench-compare finds more differences of bimodal values in blocks than signed ranks" eval \
		"awk -F '|' '\$1 == \"bimodal\" && \$3 == 0.8 && NF == 8 { n++; bad += \$4 + 0 < \$5 + 2 } END { exit bad || n != 3 }' power.rows"
	ok "bench-compare finds more differences of drifting runs in blocks than the test of Mann and Whitney" eval \
		"awk -F '|' '\$1 == \"drifting\" && \$3 == 0.8 { n++; bad += \$4 + 0 < \$7 + 15 } END { exit bad || n != 3 }' power.rows"
fi

if skip_unless R "bench-compare --history finds most steps of 5"; then
	section change 60
	ok "bench-compare --history finds most steps of 5" eval "grep '^step of 5|' change.rows | head -n 1 | tr '|' '\n' | grep '(' | bounds 66 100"
	ok "bench-compare --history finds few change points in series without a change" eval \
		"awk -F '|' '/^(normal|lognormal|bimodal|spikes|24)/ { print \$2; print \$3 }' change.rows | bounds 0 20"
	ok "bench-compare --history reports most drifts by 20 as drifts without steps" eval "grep '^drift by 20|' change.rows | cut -d '|' -f 2 | bounds 66 100"
	ok "bench-compare --history reports few steps of 5 as drifts" eval "grep '^step of 5|' change.rows | tail -n 1 | cut -d '|' -f 2,3 | tr '|' '\n' | bounds 0 20"
	is "$(grep '^flow of the Nile' change.rows | cut -d '|' -f 3-5)" '1898|1898|1898' "every method finds the change of the Nile after 1898"
fi
if skip_unless R "bench-stat --growth finds the true model"; then
	section growth 42
	ok "bench-stat --growth chooses or lists nearly always the true model of values without a constant" eval \
		"awk -F '|' '\$4 == 0' growth.rows | cut -d '|' -f 6 | bounds 88 100"
	ok "bench-stat --growth chooses the true model of values with a constant more often than Google Benchmark" eval \
		"awk -F '|' '\$4 == 10 { n++; bad += \$5 + 0 < \$8 + 0 } END { exit bad || n != 12 }' growth.rows"
fi
done_testing
