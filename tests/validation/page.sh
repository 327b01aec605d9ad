#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh SECTION...: prints docs/evidence.md, with the sections that the scripts of these names print.
set -eu
here=$(cd "${0%/*}" && pwd)

cat <<END
# Evidence

This page shows how well the statistics of bench-compare, bench-run and bench-stat work: on values of
known distributions, for which the right answer is known, and on measurements of real programs. \`make evidence\`
made the page with version $(bench-stat --version | awk '{ print $NF }'), in a few minutes. Seeds are fixed, so the command makes the same page
again. Each section ends with the command that makes only that section. bench-statistics(7) defines the
statistics, and bench(7) the terms.

Each row of most tables has values of one family, which tests/validation/families.awk defines:

| family | values |
|---|---|
| normal, lognormal, uniform, exponential | independent values of this distribution |
| bimodal | independent values with two modes |
| autocorrelated | neighboring values resemble each other |
| drifting | the values drift by five standard deviations within a run |
| runs | the values differ between runs by twice as much as within a run |
| spike | one value in 20 is three times as large as the others |
| clock | the clock is coarse: it has steps of two standard deviations |
END
for section; do
	echo
	sh "$here/$section.sh"
done
