#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats that are written after all rows are read are written in pieces if they are long.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

awk 'BEGIN {
	print "kind,bench,n,sample,metric,unit,value"
	for (n = 0; n < 80; n++)
		for (i = 0; i < 200; i++)
			printf "function,sort,%d,%d,wall,ns,%d\n", n, i, 1000 + (i * 7919 + n) % 997
}' >rows.csv
for format in gbench hyperfine pyperf pytest; do
	bench-convert -q -t "$format" rows.csv >out.json
	ok "the file that bench-convert -t $format writes is longer than a piece" test "$(wc -c <out.json)" -gt 131072
	is "$(bench-convert out.json | rows wall - | columns n,value)" "$(columns n,value rows.csv)" \
		"bench-convert reads a long file that it wrote in the format $format with all values"
	status 2 "bench-convert -t $format reports that it cannot write a long file" \
		sh -c "bench-convert -q -t $format rows.csv >/dev/full"
	is "$(cat "$T/.err")" 'bench-convert: standard output: No space left on device' \
		"the message about a long file in the format $format says why"
done
done_testing
