#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A report of 1,000 benchmarks of 20 samples: the time to write it and, if there is a browser, the
# time until the page is loaded and until something is painted. Prints medians.
set -eu
rounds=${1:-5}
here=$(cd "${0%/*}" && pwd)
BUILD=${BUILD:-$here/../../build}
. "$here/../lib/tap.sh"
. "$here/../lib/browser.sh"
awk 'BEGIN {
	srand(1)
	print "run,time,host,kind,bench,sample,metric,unit,value"
	for (b = 0; b < 1000; b++)
		for (s = 0; s < 20; s++)
			printf "r1,2026-01-01T00:00:%02dZ,h,function,lib.so:bench_%d,%d,wall,ns,%.6f\n",
				s, b, s, (1 + b) * 1000 * (1 + rand() / 10)
}' >in.csv
bench-run -q -e none -w 1 -r "$rounds" -c 'bench-report -o out.html in.csv' >made.csv
bench-stat -s median made.csv | awk -F, -v size="$(wc -c <out.html)" '$(NF - 2) == "wall" {
	printf "made in %.2f s, %.1f MB\n", $NF / 1e9, size / 1e6 }'
for need in chromium chromedriver curl jq; do
	have $need || { echo "no $need here: it is not opened" && exit; }
done
browser_start '{}'
for _ in $(seq "$rounds"); do
	go "file://$T/out.html"
	js 'const [at] = performance.getEntriesByType("navigation");
		return at.loadEventEnd + " " + performance.getEntriesByType("paint")[0].startTime'
done | awk 'BEGIN { print "metric,unit,value" } { print "loaded,ms," $1 "\nseen,ms," $2 }' |
	bench-stat -s median | awk -F, 'NR > 1 { printf "%s after %.0f ms [1000]\n", $1, $3 }'
browser_end
