#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of extreme input: the least and largest numbers, single values, times and offsets that
# are equal or negative, and values that cannot be drawn. Nothing is left out silently.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# block NAME: a data block of the script on standard input
block() {
	awk -v name="\$$1 << EOD" '$0 == "EOD" { on = 0 } on && !/^#/ && NF { print } $0 == name { on = 1 }'
}
# texts: the texts of a script
texts() { block said | sed 's/^>//'; }

# The least numbers
printf 'bench,n,metric,value\na,1,x,5e-324\na,2,x,1e-323\n' >least.csv
for kind in hist bar box line; do
	status 2 "bench-plot $kind refuses numbers that are too small for an axis" timeout 20 bench-plot $kind --script least.csv
	like "$(cat .err)" 'x from .*e-32[34] to .*e-32[34] cannot be drawn: the numbers are too large or too small for an axis$' \
		"the message of bench-plot $kind says that the numbers are too small"
done
printf 'bench,metric,value\na,x,1.5e300\nb,x,1.7e300\n' >largest.csv
status 2 "bench-plot refuses numbers that are too large for an axis" bench-plot bar --script largest.csv
like "$(cat .err)" 'x from 1.5e.300 to 1.7e.300 cannot be drawn' "the message says that the numbers are too large"
printf 'bench,metric,value\na,x,0\nb,x,0\n' >zero.csv
ok "bench-plot draws zeros" bench-plot hist --script zero.csv

done_testing
