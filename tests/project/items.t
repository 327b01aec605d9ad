#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual has each metric of bench-run, each format of bench-convert and each kind of bench-plot. Each
# rule is checked on the manual, and then on a page that lacks one.
. "${0%/*}/../lib/tap.sh"

sed -n 's/.*\[METRIC_[A-Z0-9_]*\] = { "\([^"]*\)".*/\1/p' "$ROOT/lib/protocol/run_metric.c" >metrics
bench-convert --list --csv | sed 1d | cut -d, -f1 >formats
bench-plot --list-options | sed -n 's/^verb	\([a-z]*\).*/\1/p' >kinds
is "$(for list in metrics formats kinds; do [ -s $list ] || echo $list; done)" '' \
	'there are metrics, formats and kinds of pictures'

# unnamed PAGE LIST MACROS: prints the names of a list that are on no line of the page with these macros
unnamed() {
	awk -v macro="^[.]($3)\$" 'FILENAME == ARGV[1] { for (i = 2; $1 ~ macro && i <= NF; i++) named[$i]; next }
		!($1 in named)' "$1" "$2"
}
# formats_missing PAGE: prints the formats that the table of the page, or its list of items, lacks
formats_missing() {
	awk 'FILENAME == ARGV[1] {
			for (i = 3; /^\.It Cm / && i <= NF; i++)
				if ($4 != "Ta")
					item[$i]
				else if (i == 3)
					row[$i]
			next
		}
		!($1 in row) { print $1 ": no row in the table" }
		!($1 in item) { print $1 ": no item" }' "$1" formats
}

man=$ROOT/man
# Metrics of kernels and models, and those of requests, have pages of their own.
cat "$man/bench-run.1" "$man/bench-kernels.7" "$man/bench-load.7" >pages
is "$(unnamed pages metrics "It|Cm")" '' 'the pages of bench-run name each metric of bench-run'
sed '/^\.It Cm block_in/d' pages >page
is "$(unnamed page metrics "It|Cm")" 'block_in
block_out' 'a metric that no page of bench-run names is reported'
sed '/^\.It Cm device_memory_context/d' pages >page
is "$(unnamed page metrics "It|Cm")" device_memory_context 'a metric that only bench-kernels(7) names is reported if it is missing there'
is "$(formats_missing "$man/bench-convert.1")" '' \
	'bench-convert(1) has a row in its table and an item for each format of bench-convert'
sed '/^\.It Cm jmh Ta/d; /^\.It Cm k6$/d' "$man/bench-convert.1" >page
is "$(formats_missing page | sort)" 'jmh: no row in the table
k6: no item' 'a format without its row or item in bench-convert(1) is reported'
is "$(unnamed "$man/bench-plot.1" kinds It)" '' 'bench-plot(1) names each kind and preset of bench-plot'
sed '/^\.It.* strip/d' "$man/bench-plot.1" >page
is "$(unnamed page kinds It)" strip 'a kind that bench-plot(1) does not name is reported'
done_testing
