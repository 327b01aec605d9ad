#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The time of each program from start to end on a small stream: medians of 200 runs, in random
# order. The goal is under 5 ms each.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
bench-run -q -e none -r 10 -n a -n b -c true -c false -i >small.csv
grep -e ^run -e ',a,' small.csv >old.csv
grep -e ^run -e ',a,' small.csv >new.csv
bench-store -q -D small.db add small.csv
bench-run -q -i --success any -e none -r "${1:-200}" \
	-n bench-stat -c 'bench-stat small.csv' \
	-n bench-compare -c 'bench-compare old.csv new.csv' \
	-n 'bench-store add' -c 'bench-store -D small.db add small.csv' \
	-n 'bench-store export' -c 'bench-store -D small.db export' \
	-n 'bench-plot --script' -c 'bench-plot box --script small.csv' \
	-n bench-env -c bench-env \
	-n 'bench-run -r 1 true' -c 'bench-run -e none -w 0 -r 1 -- true' >out.csv
grep -e ^run -e ',wall,' out.csv | bench-stat -s n,failed,median,p95 --table
