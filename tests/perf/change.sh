#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The time of bench-compare --history for 1,000 series of 500 values, and for one series of growing
# length, whose cost has to grow linearly. Each figure is the median of a few rounds, and is
# compared with bench-stat on the same file.
set -eu
PATH=${BUILD:-$(cd "${0%/*}" && pwd)/../../build}/bin:$PATH
rounds=${1:-5}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# series COUNT LENGTH STEP: noise of 1%; every third series steps in the middle
series() {
	awk -v count="$1" -v n="$2" -v step="$3" '
	function normal(    z, k) { for (k = 0; k < 12; k++) z += rand(); return z - 6 }
	BEGIN {
		srand(1)
		print "commit,bench,metric,unit,value"
		for (i = 0; i < n; i++) for (s = 0; s < count; s++)
			printf "c%d,b%d,wall,ns,%.0f\n", i, s, 1e7 * (1 + (s % 3 == 0 && i >= n / 2) * step + normal() / 100)
	}'
}
# seconds FILE COMMAND...: the median of its wall time
seconds() {
	file=$1
	shift
	bench-run -q -e none -w 1 -r "$rounds" --success 0,1 -n x -- "$@" "$file" |
		bench-stat -s median | awk -F, '/,wall,/ { printf "%.3f", $NF / 1e9 }'
}
for step in 0 0.01 0.05; do
	series 1000 500 $step >many.csv
	printf '1,000 series of 500 values, a third with a step of %s: %s s (goal: under 2); bench-stat %s s; %s changes\n' \
		$step "$(seconds many.csv bench-compare -q --history --threshold 0)" \
		"$(seconds many.csv bench-stat -q)" \
		"$(bench-compare -q --history --threshold 0 many.csv | tail -n +2 | wc -l)"
done
for length in 1000 2000 5000 10000 20000 50000 100000 200000 500000; do
	series 1 $length 0.05 >long.csv
	took=$(seconds long.csv bench-compare -q --history)
	windows=$(seconds long.csv bench-compare -q --history --window 200)
	echo "$length $took $windows" | awk '{
		printf "one series of %7d values: %s s, by windows %s s, %.2f us a value", $1, $2, $3, $3 / $1 * 1e6
		print $1 == 100000 ? " (goal: under 10 s)" : "" }'
done
