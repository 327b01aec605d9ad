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

# Two families, whose rows alternate
awk 'BEGIN {
	print "bench,sample,metric,unit,value"
	for (i = 0; i < 1000; i++)
		printf "b%d,0,wall,ns,%d\nb%d,0,rss,B,%d\n", i, i, i, 2 * i
}' >families.csv
bench-convert -q -t openmetrics families.csv >out.om
ok "the OpenMetrics text is longer than a piece" test "$(wc -c <out.om)" -gt 131072
is "$(sed -n 's/^# TYPE //p; $p' out.om)" 'bench_wall_seconds summary
bench_rss_bytes summary
# EOF' "bench-convert writes each family of OpenMetrics once, and the end last"
is "$(sed -n '/_sum/s/_sum.*bench="\([^"]*\)"} / \1 /p' out.om | awk '$1 == "bench_wall_seconds" { $3 *= 1e9 } { print $1, $2, $3 }')" \
	"$(awk -F, '$3 == "wall" { print "bench_wall_seconds", $1, $5 }' families.csv
		awk -F, '$3 == "rss" { print "bench_rss_bytes", $1, $5 }' families.csv)" \
	"bench-convert writes the groups of a family in their order in a long text"
status 2 "bench-convert -t openmetrics reports that it cannot write a long file" \
	sh -c "bench-convert -q -t openmetrics families.csv >/dev/full"
printf 'bench,metric,unit,value\na,wall,ns,\n' >none.csv
status 2 "bench-convert writes no OpenMetrics text without a value" bench-convert -t openmetrics none.csv
done_testing
