#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh SECTION...: prints docs/evidence.md, with the sections that the scripts of these names print.
set -eu
here=$(cd "${0%/*}" && pwd)

cat <<END
# Evidence

This page tests the statistics of bench-compare and bench-stat: on values of known distributions, for
which the right answer is known, and on measurements of real programs. \`make evidence\` made it with
version $(bench-stat --version | awk '{ print $NF }'), in a few minutes. Seeds are fixed, so the command makes the same page again. Each
section ends with the command that makes only that section. bench-statistics(7) has the definitions.
END
for section; do
	echo
	sh "$here/$section.sh"
done
