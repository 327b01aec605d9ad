#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-plot on a million rows: the time of each kind, the part of it that gnuplot takes, the
# most memory, and the size of the SVG.
BUILD=${BUILD:-$(pwd)/build}
PATH=$BUILD/bin:$PATH
T=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1

awk 'BEGIN {
	srand(1)
	print "bench,n,metric,unit,value"
	for (i = 0; i < 1000000; i++)
		printf "b%d,%d,wall,ns,%d\n", i % 4, 1000 * 2 ^ (i % 8), 1e6 * (1 + rand())
}' >rows.csv
awk 'BEGIN {
	srand(2)
	print "bench,n,metric,unit,value"
	for (i = 0; i < 1000000; i++)
		printf "a,%d,wall,ns,%d\n", i, 1e6 * (1 + rand())
}' >places.csv
awk 'BEGIN {
	srand(3)
	print "bench,sample,t,metric,unit,value"
	for (i = 0; i < 1000000; i++)
		printf "a,%d,%d000,rss,B,%d\n", i % 4, i, 1e6 * (1 + rand())
}' >moments.csv

# took NAME COMMAND...: appends the elapsed seconds and the peak memory in KB
took() {
	name=$1
	shift
	/usr/bin/time -f '%e %M' -o "$name.time" "$@"
	cat "$name.time"
}
printf '%-10s %-12s %8s %8s %10s %10s\n' kind input seconds gnuplot 'KB memory' 'bytes SVG'
for pair in line:rows.csv bar:rows.csv box:rows.csv strip:rows.csv hist:rows.csv ecdf:rows.csv \
	heat:rows.csv speedup:rows.csv line:places.csv timeline:moments.csv; do
	kind=${pair%%:*} input=${pair#*:}
	set -- "$(took whole bench-plot "$kind" -o p.svg "$input")"
	bench-plot "$kind" --script -o p.gp "$input"
	gnuplot=$(took drawing sh -c 'gnuplot -d p.gp >alone.svg')
	printf '%-10s %-12s %8s %8s %10s %10s\n' "$kind" "$input" "${1% *}" "${gnuplot% *}" "${1#* }" \
		"$(wc -c <p.svg)"
done
