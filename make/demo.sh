#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The toolkit in five commands, on real work: four compressors at two levels on a real file.
# Usage: demo.sh BUILD
set -eu
build=$(cd "${1:-build}" && pwd)
PATH=$build/bin:$PATH
demo=$build/demo
file=/usr/bin/perl
rm -rf "$demo"
mkdir -p "$demo"
cd "$demo"

# show COMMAND: print the command as a person would type it, then run it
show() {
	printf '\n$ %s\n' "$1"
	status=0
	sh -c "$1" || status=$?
	# 1 is an answer (something is worse), not trouble
	[ "$status" -le 1 ]
}

echo "Four compressors at two levels on $file, in random order, ten runs of each."
show "bench-run -q -r 10 -P level=1,6 -n gzip -n bzip2 -n xz -n zstd \\
    -c 'gzip -{level} -c $file' -c 'bzip2 -{level} -c $file' \\
    -c 'xz -{level} -c $file' -c 'zstd -{level} -c $file' >samples.csv"
show "bench-stat --table -g bench,level -s n,median,ci_lo,ci_hi,p95 samples.csv |
    grep -E '^bench|wall|max_rss'"
show "bench-store -D bench.db add samples.csv"
show "grep -e ^run -e ,wall, samples.csv | bench-compare --table -b bench --reference gzip"
show "bench-plot bar -x bench -g level -y wall -o wall.svg samples.csv"
printf '\nThe picture is %s/wall.svg; in the terminal it looks like this:\n\n' "$demo"
bench-plot bar -x bench -g level -y wall samples.csv
printf '\nFunctions of shared objects are measured from inside:\n'
show "bench-run -q -e none -t 0.1s -f basics.so:qsort -P n=1000 |
    bench-stat --table -g bench,order,metric -s n,median,ci_lo,ci_hi | grep -E '^bench|wall|throughput'"
printf '\nSo are models, on the best device that there is:\n'
show "bench-run -q -e none -r 5 --processes 1 -M resnet50 -P batch=1,4 |
    bench-stat --table -g backend,batch,metric -s n,median |
    grep -E '^batch|^backend|wall|throughput|peak_fraction'"
printf '\nThese five commands are the toolkit: bench-run, bench-stat, bench-store, bench-compare,\n'
printf 'bench-plot. Their manual pages begin with: man %s/bench.7\n' "${build%/build}/man"
