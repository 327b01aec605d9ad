#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual has each metric of bench-run, each format of bench-convert, each kind of bench-plot and each
# variable of the scripts that bench-plot writes. Each rule is checked on the manual, and then on a page that lacks one.
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
# formats_of_lines: prints the formats whose readers reject a file with half of a last line
formats_of_lines() {
	cat "$ROOT"/lib/convert/*.c "$ROOT"/lib/console/*.c "$ROOT"/lib/inference/*.c "$ROOT"/lib/observe/*.c |
		awk 'match($0, /\.name = "[^"]*"/) { name = substr($0, RSTART + 9, RLENGTH - 10) }
			/\.whole_lines = true/ { print name }'
}
# formats_missing TABLE ENTRIES...: prints the formats that lack a row of the table in the page TABLE, with the marks R and
# W of bench-convert --list and L of formats_of_lines, or an entry with the parts for reading and writing, in the page and
# section that the table names for their group
formats_missing() {
	bench-convert --list --csv >formats
	awk -v of_lines="$(formats_of_lines)" '
		BEGIN {
			FS = "[ ,]"
			count = split(of_lines, names, "\n")
			for (i = 1; i <= count; i++) lines[names[i]] = "L"
		}
		FNR == 1 { page = FILENAME; sub(/.*\//, "", page); file++ }
		FILENAME == "formats" {
			if (FNR == 1) next
			mark = ($2 == "yes" ? "R" : "") ($3 == "yes" ? "W" : "")
			if (!($1 in marks)) print $1 ": no row in the table"
			else if (marks[$1] != mark lines[$1]) print $1 ": not marked " mark lines[$1]
			if (!($1 in place)) print $1 ": no entry"
			else if (reads[$1] writes[$1] != mark) print $1 ": no parts for " mark
			else if ($1 in marks && place[$1] != group[$1]) print $1 ": not in " group[$1]
			next
		}
		file == 1 && /^\.It Sy / {
			split($0, cell, " Ta ")
			title = toupper(substr(cell[1], 8))
			gsub(/"/, "", title)
			there = $(NF - 2) == "Xr" ? $(NF - 1) "." $NF " " title : page " FORMATS OF " title
		}
		file == 1 && /^\.It Cm .* Ta / {
			split($0, cell, " Ta ")
			name = substr(cell[1], 8)
			marks[name] = cell[2]
			group[name] = there
		}
		/^\.Sh / { section = substr($0, 5) }
		/^\.S[hs] / { split("", entry) }
		/^\.Ss / {
			for (i = 2; i <= NF; i++) {
				entry[$i]
				place[$i] = page " " section
			}
		}
		/^\.It Em Detected/ { for (name in entry) reads[name] = "R" }
		/^\.It Em Written/ { for (name in entry) writes[name] = "W" }' "$@" formats
}

man=$ROOT/man
# The pages to which the section SAMPLES of bench-run(1) refers describe the metrics of other subjects.
(cd "$man" && cat bench-run.1 bench-cgroups.7 bench-energy.7 bench-functions.7 bench-kernels.7 bench-load.7 bench-machine.7 bench-processes.7 \
	bench-series.7 bench-workers.7) >pages
is "$(unnamed pages metrics "It|Cm")" '' 'the pages of bench-run name each metric of bench-run'
sed '/^\.It Cm block_in/d' pages >page
is "$(unnamed page metrics "It|Cm")" 'block_in
block_out' 'a metric that no page of bench-run names is reported'
sed '/^\.It Cm device_memory_context/d' pages >page
is "$(unnamed page metrics "It|Cm")" device_memory_context 'a metric that only bench-kernels(7) names is reported if it is missing there'
is "$(formats_missing "$man/bench-formats.7" "$man"/bench-formats-*.7)" '' \
	'each format of bench-convert has a row in bench-formats(7), and an entry in the page and section of its group'
mkdir entries
cp "$man"/bench-formats-*.7 entries
sed '/^\.It Cm jmh Ta/d; s/^\(\.It Cm go Ta \)RWL/\1RL/; s/^\(\.It Cm wrk Ta R\)L/\1/
	s/^\(\.It Sy "Libraries for Rust" .*\)libraries/\1load/' "$man/bench-formats.7" >page
sed -i 's/^\.Ss k6$/.Ss k7/' entries/bench-formats-load.7
sed -i '/^\.Ss hyperfine$/,/^\.Ss/s/^\.It Em Written/.It Em Other/' entries/bench-formats-commands.7
is "$(formats_missing page entries/* | sort)" 'criterion-console: not in bench-formats-load.7 LIBRARIES FOR RUST
criterion-csv: not in bench-formats-load.7 LIBRARIES FOR RUST
criterion: not in bench-formats-load.7 LIBRARIES FOR RUST
go: not marked RWL
hyperfine: no parts for RW
jmh: no row in the table
k6: no entry
libtest: not in bench-formats-load.7 LIBRARIES FOR RUST
wrk: not marked RL' 'a format without its row, marks, entry, parts or place is reported'
is "$(unnamed "$man/bench-plot.1" kinds It)" '' 'bench-plot(1) names each kind and preset of bench-plot'
sed '/^\.It.* strip/d' "$man/bench-plot.1" >page
is "$(unnamed page kinds It)" strip 'a kind that bench-plot(1) does not name is reported'

# The plots of the gallery are of all kinds; trends with marks and plots in characters have more variables.
# variables ARGUMENT...: the variables and data blocks that bench-plot writes for a plot
variables() {
	(cd "$ROOT/tests/fixtures/data/gallery" && bench-plot "$@" -q --script -o -) |
		sed '/^# ---- [a-z]*\.gp/,$d' | sed -nE 's/^(array )?(\$?[A-Za-z][A-Za-z0-9_]*)( =| <<|\[).*/\2/p'
}
sed -n 's/^draw bench-plot \(.*\) -o [^ ]* \([^ ]*\.csv.*\)/\1 \2/p' "$ROOT/docs/gallery.txt" |
	grep -v -e "'" -e growth >plots
echo 'line -x n --growth sort.csv
hist -F txt first.csv' >>plots
bench-plot --list-options | sed -n 's/^verb	\([a-z]*\).*/\1/p' | while read -r kind; do
	grep -q "^$kind " plots || echo "$kind"
done >undrawn
is "$(cat undrawn)" '' 'the gallery draws each kind of bench-plot'
while read -r plot; do
	# shellcheck disable=SC2086 # words
	variables $plot
done <plots | sort -u >all_variables
sed -nE '/^(.*_)(count)$/!p' all_variables >variables
is "$(unnamed "$man/bench-plot-templates.7" variables "It|Va")" '' \
	'bench-plot-templates(7) names each variable of the scripts that bench-plot writes'
sed '/^\.It Va \$saturated/d' "$man/bench-plot-templates.7" | sed '/^\.Va saturated_series/d' >page
is "$(unnamed page variables "It|Va" | paste -sd' ')" '$saturated saturated_series' \
	'a variable that bench-plot-templates(7) does not name is reported'
done_testing
