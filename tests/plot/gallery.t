#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The gallery: every kind and preset is in it, and it shows what bench-plot draws now.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
list=$ROOT/docs/gallery.txt

bench-plot --list-options | sed -n 's/^verb	\([a-z]*\).*/\1/p' >kinds
like "$(wc -l <kinds)" '^[1-9][0-9]$' "bench-plot lists its kinds"
is "$(while read -r kind; do
	grep -q "^draw bench-plot $kind " "$list" || echo "$kind"
done <kinds)" '' "each kind and preset has a picture in the gallery"
like "$(grep '^draw ' "$list")" ' flame --diff ' "a difference of flames has a picture in the gallery"
is "$(sed -n 's/^stream \([^ ]*\) .*/\1/p' "$list" | sort)" \
	"$(cd "$ROOT/tests/fixtures/data/gallery" && printf '%s\n' *.csv | sort)" \
	"the recordings are those of the list"
is "$(grep -l -e '/home/' -e '/root' -e '/tmp' "$ROOT"/tests/fixtures/data/gallery/*.csv)" '' \
	"no recording names a folder in which it was made"
is "$(bench-stat -g host "$ROOT"/tests/fixtures/data/gallery/*.csv | sed 1d | cut -d, -f1 | sort -u)" lab \
	"all recordings are of one host"

sh "$ROOT/docs/gallery.sh" "$T/new" 2>err
is "$?$(cat err)" 0 "the gallery is drawn"
is "$(ls new/gallery)" "$(ls "$ROOT/docs/gallery")" "the gallery has the pictures that are kept"
is "$(sed -n 's/.*](gallery\/\(.*\))/\1/p' new/gallery.md | sort)" "$(ls new/gallery)" \
	"the page shows all pictures"

# Another gnuplot draws a little otherwise: then only what it does not draw can be compared.
commands() { sed -e '/^Drawn by/d' -e '/^```text$/,/^```$/d' "$1"; }
is "$(commands new/gallery.md | diff "$ROOT/docs/gallery.md" - | grep '^>')" '' \
	"the page has the same words and commands"
flames=$(cd new/gallery && ls flame*.svg)
for picture in $flames; do
	is "$(cmp "$ROOT/docs/gallery/$picture" "new/gallery/$picture" 2>&1)" '' "$picture is the one that is kept"
done
if grep -qx "Drawn by $(gnuplot --version)." "$ROOT/docs/gallery.md"; then
	is "$(diff "$ROOT/docs/gallery.md" new/gallery.md)" '' \
		"the page is the one that is kept: if not, run make gallery"
	for picture in "$ROOT"/docs/gallery/*.svg; do
		name=${picture##*/}
		is "$(cmp "$picture" "new/gallery/$name" 2>&1)" '' "$name is the one that is kept"
	done
else
	note "another gnuplot than that of the gallery: its pictures are not compared"
fi
done_testing
