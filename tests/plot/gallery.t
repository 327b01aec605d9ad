#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that the gallery has every kind and preset, and shows the plots that bench-plot draws now.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
list=$ROOT/docs/gallery.txt

bench-plot --list-options | sed -n 's/^verb	\([a-z]*\).*/\1/p' >kinds
like "$(wc -l <kinds)" '^[1-9][0-9]$' "bench-plot lists ten or more kinds"
is "$(while read -r kind; do
	grep -q "^draw bench-plot $kind " "$list" || echo "$kind"
done <kinds)" '' "the gallery has a plot of each kind and preset"
like "$(grep '^draw ' "$list")" ' flame --diff ' "the gallery has a plot of flame --diff"
is "$(sed -n 's/^stream \([^ ]*\) .*/\1/p' "$list" | sort)" \
	"$(cd "$ROOT/tests/fixtures/data/gallery" && printf '%s\n' *.csv | sort)" \
	"docs/gallery.txt lists every recording of the gallery, and no others"
is "$(grep -l -e '/home/' -e '/root' -e '/tmp' "$ROOT"/tests/fixtures/data/gallery/*.csv)" '' \
	"no recording of the gallery contains a path of the machine that made it"
is "$(bench-stat -g host "$ROOT"/tests/fixtures/data/gallery/*.csv | sed 1d | cut -d, -f1 | sort -u)" lab \
	"all recordings of the gallery have the host lab"

is "$(COLUMNS=80 bench-compare --table -b bench --metric wall "$ROOT/tests/fixtures/data/gallery/first.csv" 2>&1)" \
	"$(awk '/^```/ { on = 0 } was ~ /^```console$/ && /^bench-compare:/ { on = 1 } { was = $0 } on' "$ROOT/README.md")" \
	"README.md shows the output of bench-compare for the recording that its plot shows"

sh "$ROOT/docs/gallery.sh" "$T/new" 2>err
is "$?$(cat err)" 0 "docs/gallery.sh draws the gallery without a message"
is "$(ls new/gallery)" "$(ls "$ROOT/docs/gallery")" "docs/gallery.sh draws the same plots as docs/gallery has"
is "$(sed -n 's/.*](gallery\/\(.*\))/\1/p' new/gallery.md | sort)" "$(ls new/gallery)" \
	"docs/gallery.md shows all its plots"

# Other versions of gnuplot draw slightly different plots: then only the text and the flame graphs
# are compared.
commands() { sed -e '/^Drawn by/d' -e '/^```text$/,/^```$/d' "$1"; }
is "$(commands new/gallery.md | diff "$ROOT/docs/gallery.md" - | grep '^>')" '' \
	"docs/gallery.md has the text and commands of docs/gallery.txt"
flames=$(cd new/gallery && ls flame*.svg)
for plot in $flames; do
	is "$(cmp "$ROOT/docs/gallery/$plot" "new/gallery/$plot" 2>&1)" '' "docs/gallery/$plot is up to date (otherwise run make gallery)"
done
if grep -qx "Drawn by $(gnuplot --version)." "$ROOT/docs/gallery.md"; then
	is "$(diff "$ROOT/docs/gallery.md" new/gallery.md)" '' \
		"docs/gallery.md is up to date (otherwise run make gallery)"
	for plot in "$ROOT"/docs/gallery/*.svg; do
		name=${plot##*/}
		is "$(cmp "$plot" "new/gallery/$name" 2>&1)" '' "docs/gallery/$name is up to date (otherwise run make gallery)"
	done
else
	note "gnuplot has another version than the gallery: its plots are not compared"
fi
done_testing
