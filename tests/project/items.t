#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual has each metric of bench-run, each format of bench-convert and each kind of bench-plot. Each
# rule is checked on the manual, and then on a page that lacks one.
. "${0%/*}/../lib/tap.sh"

sed -n 's/.*\[METRIC_[A-Z0-9_]*\] = { "\([^"]*\)".*/\1/p' "$ROOT/lib/protocol/run_metric.c" >metrics
bench-plot --list-options | sed -n 's/^verb	\([a-z]*\).*/\1/p' >kinds
is "$(for list in metrics kinds; do [ -s $list ] || echo $list; done)" '' \
	'there are metrics and kinds of plots'

# unnamed PAGE LIST MACROS: prints the names of a list that are on no line of the page with these macros
unnamed() {
	awk -v macro="^[.]($3)\$" 'FILENAME == ARGV[1] { for (i = 2; $1 ~ macro && i <= NF; i++) named[$i]; next }
		!($1 in named)' "$1" "$2"
}
# formats_missing TABLE ENTRIES: prints the formats that lack a row of the table in the page TABLE, with the marks R and
# W of bench-convert --list, or an entry in the page ENTRIES, with the parts for reading and writing
formats_missing() {
	bench-convert --list --csv | awk -F, '
		FILENAME == ARGV[1] {
			if (/^\.It Cm /) {
				split($0, cell, " Ta ")
				marks[substr(cell[1], 8)] = cell[2]
			}
			next
		}
		FILENAME == ARGV[2] {
			if (/^\.(Ss|Sh) /) {
				split("", entry)
				if (/^\.Ss /)
					for (i = 1; i <= NF; i++) {
						name = $i
						sub(/^(\.Ss)? /, "", name)
						entry[name]
						described[name]
					}
			}
			for (name in entry) {
				if (/^\.It Em Detected/) reads[name] = "R"
				if (/^\.It Em Written/) writes[name] = "W"
			}
			next
		}
		FNR > 1 {
			mark = ($2 == "yes" ? "R" : "") ($3 == "yes" ? "W" : "")
			if (!($1 in marks)) print $1 ": no row in the table"
			else if (marks[$1] != mark) print $1 ": not marked " mark
			if (!($1 in described)) print $1 ": no entry"
			else if (reads[$1] writes[$1] != mark) print $1 ": no parts for " mark
		}' "$1" "$2" -
}
# formats_of_lines: prints the formats whose readers reject a file with half of a last line
formats_of_lines() {
	cat "$ROOT"/lib/convert/*.c "$ROOT"/lib/console/*.c "$ROOT"/lib/inference/*.c "$ROOT"/lib/observe/*.c |
		awk 'match($0, /\.name = "[^"]*"/) { name = substr($0, RSTART + 9, RLENGTH - 10) }
			/\.whole_lines = true/ { print name }' | sort
}
# lines_listed PAGE: prints the formats in the list of the section on them
lines_listed() {
	awk '/^\.Sh/ { inside = /FORMATS OF LINES/ } inside && /^\.Pp/ { exit } inside && !/^\./' "$1" |
		sed 's/.*://; s/ and / /; s/[.,]/ /g' | tr -s ' ' '\n' | sed '/^$/d' | sort
}

man=$ROOT/man
# The pages to which the section SAMPLES of bench-run(1) refers describe the metrics of other subjects.
(cd "$man" && cat bench-run.1 bench-energy.7 bench-functions.7 bench-kernels.7 bench-load.7 bench-machine.7 bench-processes.7 \
	bench-series.7 bench-workers.7) >pages
is "$(unnamed pages metrics "It|Cm")" '' 'the pages of bench-run name each metric of bench-run'
sed '/^\.It Cm block_in/d' pages >page
is "$(unnamed page metrics "It|Cm")" 'block_in
block_out' 'a metric that no page of bench-run names is reported'
sed '/^\.It Cm device_memory_context/d' pages >page
is "$(unnamed page metrics "It|Cm")" device_memory_context 'a metric that only bench-kernels(7) names is reported if it is missing there'
is "$(formats_missing "$man/bench-convert.1" "$man/bench-formats.7")" '' \
	'each format of bench-convert has a row in bench-convert(1) and an entry in bench-formats(7)'
sed '/^\.It Cm jmh Ta/d; s/^\(\.It Cm go Ta \)RW/\1R/' "$man/bench-convert.1" >page
sed 's/^\.Ss k6$/.Ss k7/; /^\.Ss hyperfine$/,/^\.Ss/s/^\.It Em Written/.It Em Other/' "$man/bench-formats.7" >entries
is "$(formats_missing page entries | sort)" 'go: not marked RW
hyperfine: no parts for RW
jmh: no row in the table
k6: no entry' 'a format without its row, marks, entry or parts is reported'
is "$(lines_listed "$man/bench-formats.7")" "$(formats_of_lines)" 'bench-formats(7) lists each format that consists of lines'
is "$(unnamed "$man/bench-plot.1" kinds It)" '' 'bench-plot(1) names each kind and preset of bench-plot'
sed '/^\.It.* strip/d' "$man/bench-plot.1" >page
is "$(unnamed page kinds It)" strip 'a kind that bench-plot(1) does not name is reported'
done_testing
