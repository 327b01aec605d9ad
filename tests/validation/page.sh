#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh SECTION...: prints docs/evidence.md, with the sections that the scripts of these names print.
set -eu
here=$(cd "${0%/*}" && pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM

cat <<END
# Evidence

This page shows how well the statistics of bench-compare, bench-run and bench-stat work. They were
tested on random values from distributions for which the right answer is known, and on measurements of
real programs. To write the page again, run \`make evidence\`. It takes half an hour on two processors; with
\`make evidence REPEATS=1000\` it takes a tenth of that. It was written
with version $(bench-stat --version | awk '{ print $NF }'). Seeds are fixed, so the page is the same each time. Each section ends with the
command for only that section. bench-statistics(7) defines the statistics, and bench(7) the terms.

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
for section; do
	echo "$section"
done | xargs -P 2 -I '{}' sh -c 'sh "$0/{}.sh" >"$1/{}" || exit 255' "$here" "$T"
for section; do
	echo
	cat "$T/$section"
done
