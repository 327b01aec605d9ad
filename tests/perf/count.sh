#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of counting for a program of about 100 ms: eight events compared with none, in rounds,
# and the default of bench-run compared with both. Uses software events if the machine has no
# others.
set -eu
PATH=${BUILD:-$(cd "${0%/*}" && pwd)/../../build}/bin:$PATH
rounds=${1:-40}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
gcc -O1 -x c -o spin - <<'C'
int main(void)
{
	volatile unsigned long n = 0;

	while (n < 330000000)
		n++;
	return 0;
}
C
events=task-clock,cpu-clock,page-faults,minor-faults,major-faults,context-switches,cpu-migrations,alignment-faults
if bench-run -q -r 1 -w 0 -e instructions -- true 2>/dev/null | grep -q 'instructions.*,ok'; then
	events=cycles,instructions,branches,branch-misses,cache-references,cache-misses,task-clock,page-faults
fi
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	bench-run -q -w 0 -r 1 -e none -n none -- ./spin
	bench-run -q -w 0 -r 1 -e $events -n eight -- ./spin
	bench-run -q -w 0 -r 1 -n default -- ./spin
done >s.csv
bench-stat -g bench -s median,min s.csv | awk -F, -v events="$events" '
	$2 == "wall" { m[$1] = $4; least[$1] = $5 }
	END {
		print "counting " events
		printf "median wall: none %.2f ms, eight events %.2f ms, default %.2f ms\n", m["none"] / 1e6, m["eight"] / 1e6, m["default"] / 1e6
		printf "eight events / none: median %.4f, least %.4f (goal: at most 1.01)\n", m["eight"] / m["none"], least["eight"] / least["none"]
		printf "default / none: median %.4f, least %.4f\n", m["default"] / m["none"], least["default"] / least["none"]
	}'
