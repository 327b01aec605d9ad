#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A flame graph of a million different stacks compared with the reference Perl script (in Debian's
# libdevel-nytprof-perl), which reads folded text. bench-plot reads rows, and the same text through
# bench-convert. The programs take turns. Prints medians and ratios.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-5}
theirs=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
[ -e $theirs ] || { echo "no $theirs here: nothing is compared" && exit; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
awk 'BEGIN {
	srand(1)
	for (i = 0; i < 1000000; i++) {
		s = "main"
		for (d = 0; d < 4 + i % 9; d++) s = s ";function_" int(rand() * rand() * 40)
		print s ";leaf_" i % 1000 "_" int(i / 1000), 1 + i % 5
	}
}' | sort >in.folded
bench-convert --from folded in.folded >in.csv
bench-run -q -e none -w 1 -r "$rounds" -n theirs -S --stdout null -c "perl $theirs in.folded >theirs.svg" \
	-n rows -c 'bench-plot flame -o rows.svg in.csv' \
	-n folded -c 'bench-convert --from folded in.folded | bench-plot flame -o folded.svg' >out.csv
# of NAME METRIC: prints the median
of() { bench-stat -g bench -s median out.csv | awk -F, -v b="$1" -v m="$2" '$1 == b && $2 == m { print $4 }'; }
for name in rows folded; do
	echo "$(of $name wall) $(of theirs wall) $(of $name max_rss) $(of theirs max_rss) $(wc -c <$name.svg) $(wc -c <theirs.svg)" |
		awk -v name=$name '{ printf "%-7s %.2f s, theirs %.2f s, ratio %.3f [0.1]; memory %.0f MiB, theirs %.0f; SVG %.0f kB, theirs %.0f\n",
			name, $1 / 1e9, $2 / 1e9, $1 / $2, $3 / 1048576, $4 / 1048576, $5 / 1000, $6 / 1000 }'
done
