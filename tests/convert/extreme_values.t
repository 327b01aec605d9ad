#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert -t pytest writes numbers for the largest and smallest times that a double holds.
. "${0%/*}/../lib/tap.sh"

# no_numbers VALUE...: the members of the statistics of these times, in ns, that are no numbers
no_numbers() {
	printf 'metric,unit,value\n' >in.csv
	printf 'wall,ns,%s\n' "$@" >>in.csv
	printf 'rss,B,%s\n' "$@" >>in.csv
	bench-convert -t pytest in.csv >out.json
	grep '"stats"\|"extra_info"' out.json | grep -o '"[a-z0-9]*": [^,"{[}]*' | grep -v ': -*[0-9][-+.e0-9]*$\|: $'
}
is "$(no_numbers 1.7e308 1.7e308 -1.7e308 1.6e308)" '' 'bench-convert -t pytest writes numbers near the largest double'
is "$(no_numbers 1e-300 2e-300 3e-300)" '' 'bench-convert -t pytest writes numbers near the smallest double'
is "$(no_numbers 4e-324),$(grep -c '"ops": 0,' out.json)" ',1' \
	'bench-convert -t pytest writes 0 operations in a second, as pytest-benchmark does, if there is no rate'
done_testing
