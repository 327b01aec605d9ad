#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plots that gnuplot cannot draw in a format: characters without a font on this machine, and too
# many pixels.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
skip_unless gnuplot "plots in PNG and PDF" || done_testing

# fonts LINE...: a fc-list that lists these fonts
mkdir fonts
fonts() { { echo '#!/bin/sh'; printf "echo '%s'\n" "$@"; } >fonts/fc-list; }
fonts 'TrueType 20-7e'
chmod +x fonts/fc-list
PATH=$T/fonts:$PATH

printf 'bench,metric,unit,value\n日本語,wall,ns,5\nb,wall,ns,6\n' >names.csv
for format in png pdf; do
	status 2 "bench-plot refuses a character without a font in a $format" bench-plot bar -o names.$format names.csv
	is "$(cat .err)" "bench-plot: no installed font has the character U+65E5 of '日本語': install one (Debian: fonts-noto-core, fonts-noto-cjk), or write an SVG" \
		"the message for a $format names the character, its text and what to do"
	ok "a refused $format leaves no file" test ! -e names.$format
done
for format in svg html txt; do
	ok "a $format needs no font of this machine" bench-plot bar -F $format names.csv
done
ok "a script for a PNG needs no font of this machine" bench-plot bar -F png --script names.csv

printf 'stack,metric,value\nmain;größe,samples,5\nmain;b,samples,6\n' >stacks.csv
status 2 "bench-plot flame refuses a character without a font" bench-plot flame -o stacks.png stacks.csv
like "$(cat .err)" "the character U\\+00F6 of 'größe':" "the message for a flame graph names the function"
fonts 'TrueType 20-7e' 'CFF d6 df-f6'
ok "a character may come from any font" bench-plot flame -o stacks.png stacks.csv

fonts 'TrueType 20-7e' 'PCF 65e5 672c 8a9e'
status 2 "a bitmap font draws no text" bench-plot bar -o names.png names.csv
fonts 'TrueType 20-7e 65e5 672c 8a9e'
ok "a PNG is drawn if a font has all characters" bench-plot bar -o names.png names.csv
# an accent, a joiner, a variation selector and an ideographic space
printf 'bench,metric,unit,value\na\314\201\342\200\215\357\270\217\343\200\200z,wall,ns,5\nb,wall,ns,6\n' >marks.csv
fonts 'TrueType 20-7e 301'
ok "joiners and spaces need no glyph" bench-plot bar -o marks.png marks.csv
fonts 'TrueType 20-7e'
status 2 "an accent needs a glyph" bench-plot bar -o accents.png marks.csv

fonts
status 2 "bench-plot refuses a PNG on a machine without fonts" bench-plot bar -o ascii.png names.csv
like "$(cat .err)" 'no installed font has letters: install one' "the message says that there are no fonts"
printf '#!/bin/sh\nexit 1\n' >fonts/fc-list
ok "a PNG is drawn if the fonts cannot be listed" bench-plot bar -o names.png names.csv
rm fonts/fc-list
ln -s "$(command -v gnuplot)" fonts/gnuplot
ok "a PNG is drawn without fc-list" env PATH="$T/fonts" "$BUILD/bin/bench-plot" bar -o names.png names.csv

# Lanes that are higher than Cairo and PDF allow
awk 'BEGIN { print "bench,metric,value"; for (b = 0; b < 400; b++) print "b" b ",x," b }' >lanes.csv
status 2 "bench-plot refuses a PNG of more pixels than gnuplot draws" bench-plot hist -o lanes.png lanes.csv
is "$(cat .err)" "bench-plot: a plot of 800 by 33744 pixels is too large for the format png, which has at most 32767 in each direction: write an SVG, or draw fewer subjects" \
	"the message names the size, the limit and what to do"
status 2 "bench-plot refuses a PDF that is larger than a page" bench-plot hist -o lanes.pdf lanes.csv
like "$(cat .err)" 'at most 19200' "the message names the largest page"
status 2 "bench-plot refuses a scale with which a PNG is too large" bench-plot box --scale 8 -o lanes.png lanes.csv
like "$(cat .err)" 'use a smaller --scale' "the message suggests a smaller scale"
status 2 "bench-plot refuses a script for a PNG that is too large" bench-plot hist -F png --script lanes.csv
ok "an SVG can have any size" bench-plot hist --script lanes.csv

done_testing
