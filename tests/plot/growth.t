#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Models of growth in plots of lines.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# block NAME: a data block of the script on standard input
block() { sed -n "/^[$]$1 /,/^EOD/p" | sed '1,2d; $d'; }
# texts: the texts of the script on standard input, in one line
texts() { sed -n 's/^>//p' | paste -sd' ' -; }

awk 'BEGIN { print "bench,n,sample,metric,unit,value,status"
	for (n = 1; n <= 64; n *= 2) for (s = 0; s < 3; s++) {
		print "square," n "," s ",wall,ns," 5 * n * n + s ",ok"
		print "flat," n "," s ",wall,ns," 1000 + s + n % 3 ",ok" } }' >sizes.csv
bench-plot line --growth --script sizes.csv >sizes.gp
like "$(texts <sizes.gp)" 'models of growth dotted, square: model n.2 .exponent 1[.]9[0-9]* to 2., flat: model 1 .exponent' \
	"the subtitle states the models of bench-stat --growth"
is "$(bench-stat --growth n --csv sizes.csv | cut -d, -f1,10 | sed 1d | paste -sd' ')" "square,n^2 flat,1" \
	"bench-stat --growth finds the same models"
is "$(block growth <sizes.gp | awk '$1 == 64 { printf "%s%.3g", sep, $2; sep = " " }')" "20.5 1" \
	"the model ends at the largest size with a value close to the median"
is "$(block growth <sizes.gp | awk 'NF && $1 < 1e9' | wc -l)" 204 "the model is a curve between the sizes"
is "$(grep -A1 'growth_series. .growth index' sizes.gp | grep -c 'lw 3 dt 3 lc rgb color_of(i)')" 1 \
	"a plot has the dots of a model in the color of its line, and wider"
like "$(bench-plot line --script sizes.csv)" '^growth_series = 0$' "a line has no model without --growth"

sed 's/^square,64,\([12]\),wall,ns,.*/square,64,\1,wall,ns,90000,timeout/' sizes.csv | bench-plot line --growth --script >slow.gp
like "$(texts <slow.gp)" '2 timed out, drawn at the limit, .*square: model n.2 .exponent [^,]*, 1 place left out' "a median that timed out is not part of the model"
awk -F, 'NR == 1 || $2 < 8' sizes.csv | bench-plot line --growth --script >few.gp
like "$(texts <few.gp)" 'square: no model, which needs 4 places' "the subtitle says if there are too few sizes"
is "$(block growth <few.gp | awk '$2 ~ /[0-9]/ && $1 < 1e9' | wc -l)" 0 "a series of three sizes has no curve"

for kind in bar ecdf quantiles speedup trend; do
	status 2 "bench-plot $kind rejects --growth" bench-plot $kind --growth sizes.csv
	like "$(cat .err)" '^bench-plot: --growth works only for lines' "bench-plot $kind says that --growth works only for lines"
done
awk 'BEGIN { print "n,metric,value"; for (n = 1; n <= 11000; n++) print n ",wall," n }' >many.csv
status 2 "bench-plot --growth refuses very many sizes" bench-plot line --growth many.csv
like "$(cat .err)" '--growth: x has too many values for a model of growth$' "the message says that there are too many sizes"
if skip_unless gnuplot "a model on a terminal"; then
	like "$(bench-plot line --growth -g '' -F txt --size 80x20 sizes.csv)" '[.][.][.]' "a model is dotted on a terminal"
fi

done_testing
