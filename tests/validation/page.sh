#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh SECTION...: docs/evidence.md, made of the sections that the scripts of these names print.
set -eu
here=$(cd "${0%/*}" && pwd)

cat <<END
# Evidence

What bench-compare and bench-stat promise, tried out: on values of known distributions, where it is
known what is true, and on figures recorded from real programs. \`make evidence\` made this page in
some minutes, of version $(bench-stat --version | awk '{ print $NF }'); seeds are fixed, so it makes the same one again. Each
section names the command that makes it alone; bench-statistics(7) has the definitions.
END
for section; do
	echo
	sh "$here/$section.sh"
done
