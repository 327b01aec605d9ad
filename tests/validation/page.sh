#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh SECTION...: prints docs/evidence.md, with the sections that the scripts of these names print.
set -eu
here=$(cd "${0%/*}" && pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM

# The sections are made two at a time.
for section; do
	echo "$section"
done | xargs -P 2 -I '{}' sh -c 'sh "$0/{}.sh" >"$1/{}" || exit 255' "$here" "$T"

cat <<END
# Evidence

This page shows how well the statistics of bench-compare, bench-run and bench-stat work. They were
tested on random values from distributions for which the right answer is known, and on measurements of
real programs. To write the page again, run \`make evidence\`. It takes three quarters of an hour on two idle processors;
with \`make evidence REPEATS=1000\` it takes a tenth of that. It was written with version
$(bench-stat --version | awk '{ print $NF }'). Seeds are fixed, so the page is the same each time. Each
section ends with the command for only that section. bench-statistics(7) defines the statistics, and bench(7) the terms.

The rows of most tables are for families of values, which tests/validation/families.c defines:

| family | values |
|---|---|
| normal, lognormal, uniform, exponential | independent values of this distribution |
| bimodal | independent values with two modes |
| autocorrelated | neighboring values resemble each other |
| drifting | the values increase by five standard deviations during each run |
| runs | the standard deviation between runs is twice that within a run |
| spike | one value in 20 is three times as large as the others |
| clock | the clock is coarse: it has steps of two standard deviations |
END
cat <<END

The goals are: at most 6.5% false alarms, at least 93.5% of intervals that contain the true value, and a power
that is at most 2 points below that of the textbook test of the same values, with 95% confidence. **!** marks a
rate that misses its goal. These rows have one:

END
for section; do
	awk -F ' *[|] *' 'FNR == 1 { sub(/^## /, ""); name = $0 }
		/^[|]---/ { n = split(last, head) }
		{ last = $0 }
		/^[|].*[*][*]![*][*]/ {
			for (i = 2; i < NF; i++)
				if ($i ~ / [*][*]![*][*]$/) {
					cells = ""
					for (k = 2; k < i && $k !~ /[(–]/; k++) cells = cells ", " head[k] " " $k
					print "- " name cells ", " head[i] ": " substr($i, 1, length($i) - 6)
				}
		}' "$T/$section"
done >"$T/misses"
if [ -s "$T/misses" ]; then cat "$T/misses"; else echo "None."; fi
for section; do
	echo
	cat "$T/$section"
done
