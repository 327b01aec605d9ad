#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Series that coincide, of which a plot would show only the last.
. "${0%/*}/../lib/tap.sh"

skip_unless gnuplot "plots of series that coincide" || done_testing

export LC_ALL=C.UTF-8
# values LAST: the same values of a, b and c, and those of d, at n = 1, 2, 4; LAST is the last value of d
values() {
	awk -v last="$1" 'BEGIN { print "bench,n,sample,metric,unit,value"
		for (b = 0; b < 4; b++) for (n = 1; n <= 4; n *= 2) for (s = 0; s < 9; s++)
			print substr("abcd", b + 1, 1) "," n "," s ",wall,ns," 1000 * n + 10 * s + (b == 3 && n == 4 && s >= 4 ? last : 0) }'
}
# array NAME: the elements of an array of numbers of a script
array() { sed -n "s/^$1\[.\] = //p" | paste -sd, -; }

values 500 >same.csv
for kind in 'ecdf -g bench' 'quantiles -g bench' 'line -x n' 'speedup -x n'; do
	# shellcheck disable=SC2086
	bench-plot $kind --script same.csv >same.gp
	is "$(array copy <same.gp)" 0,1,2,0 "series of ${kind%% *} that coincide are numbered"
	like "$(cat same.gp)" '^>b \(same as a\)$' "the key of ${kind%% *} states which series coincide"
	like "$(cat same.gp)" '^>d$' "the key of ${kind%% *} does not mark a series that differs in one place"
done
bench-plot ecdf -g bench -F svg same.csv >same.svg
is "$(grep -o 'stroke-dasharray=' same.svg | wc -l)" 4 "of three series that coincide, two are dashed, and so are their lines in the key"
like "$(bench-plot ecdf -g bench -F txt same.csv)" 'a +[^ ]+ b \(same as a\) +[^ ]+ c \(same as a\) +[^ ]+ d' \
	"the key of a plot of characters states which series coincide"

sed "s/^\(.\),/the same long prefix of all names of benchmarks, which the key has to shorten, \1;/; s/;/,/" same.csv |
	sed '1s/.*/bench,n,sample,metric,unit,value/; s/^\(the.*shorten\), \(.\),/"\1, \2",/' >long.csv
status 0 "long names that coincide are drawn" bench-plot ecdf -g bench --script --size 500x300 long.csv
like "$(cat .out)" '^>.*b \(same as .*a\)$' "shortened names in the key still differ"

awk 'BEGIN { print "bench,n,sample,metric,unit,value"
	for (b = 0; b < 14; b++) for (n = 1; n <= 2; n++) print "b" b "," n ",0,wall,ns," 1000 * n }' >panels.csv
unlike "$(bench-plot line -x n --script panels.csv)" 'same as' \
	"series in panels of their own do not refer to others"

done_testing
