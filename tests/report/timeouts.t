#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of bench-report have the bounds of numbers that timeouts leave unknown, and the page
# names the rows that its plot of ratios leaves out.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
for need in gnuplot xmllint; do
	skip_unless $need "a report of timeouts has bounds" || done_testing
done

# samples_of RUN BENCH N TIMEOUTS: samples of about 10 s, of which the last ones timed out
samples_of() {
	awk -v run="$1" -v bench="$2" -v n="$3" -v timeouts="$4" 'BEGIN { for (i = 0; i < n; i++)
		printf("%s,%s,%d,wall,ns,%se9,%s\n", run, bench, i,
			(i >= n - timeouts) ? 60 : 10 + i % 7 * 0.3, (i >= n - timeouts) ? "timeout" : "ok") }'
}
head=run,bench,sample,metric,unit,value,status
{ echo "$head"; samples_of o slow 12 0; samples_of o half 12 2; samples_of o both 12 12; samples_of o same 12 0; samples_of o fast 12 12; } >old.csv
{ echo "$head"; samples_of n slow 12 12; samples_of n half 12 6; samples_of n both 12 12; samples_of n same 12 0; samples_of n fast 12 0; } >new.csv

# cells FILE TABLE BENCH COLUMN...: the text and the value for sorting of cells
cells() {
	for name in $(shift 3; echo "$@"); do
		cell="//table[@id='$2']/tbody/tr[td[1]='$3']/td[count(//table[@id='$2']/thead//th[.='$name']/preceding-sibling::th) + 1]"
		xmllint --html --xpath "concat($cell, ' ', $cell/@data-value)" "$1" 2>/dev/null
	done | paste -sd,
}
# notes FILE: the sentences of the section on verdicts
notes() {
	xmllint --html --xpath "//section[@id='verdicts']/p/text()" "$1" 2>/dev/null
}

status 0 "bench-report draws a page of timeouts" bench-report --baseline old.csv -o page.html new.csv

# Statistics: 6 of 12 samples of half timed out, so the median is the middle of 11.8 s and a timeout.
is "$(cells page.html summary-table slow median max ci_hi)" '>1.000 min 60000000000,>1.000 min 60000000000, ' \
	"a report has the bounds of statistics of samples that all timed out"
is "$(cells page.html summary-table half min median mean)" \
	'10.00 s 10000000000,>35.75 s 35750000000,>35.38 s 35375000000' \
	"a report has the bounds of statistics of samples of which half timed out"
is "$(cells page.html summary-table same median)" '10.75 s 10750000000' \
	"a report has no bound of a statistic that is known"
like "$(xmllint --html --xpath 'string(//table[@id="summary-table"]/caption)' page.html 2>/dev/null)" \
	'; numbers after > or < are bounds of unknown values$' "the caption of a table explains its bounds"
xmllint --html --xpath 'string(//a[@download="summary.csv"]/@href)' page.html 2>/dev/null |
	sed 's/^data:[^,]*,//' | base64 -d >saved.csv
is "$(cat saved.csv)" "$(bench-stat --csv new.csv)" "the summary that can be saved has no bounds"

# Plots.
like "$(xmllint --html --xpath 'string(//section[@id="plots"]//svg)' page.html 2>/dev/null | tr -s ' \n\t' ' ')" \
	'slow: above 1.000 min; half: above 35.75 s' "the plot of a metric has the limits of timeouts"
awk 'BEGIN {
	print "bench,sample,metric,unit,value,status"
	for (b = 1; b <= 70; b++)
		for (s = 0; s < 6; s++)
			print "b" b "," s ",wall,ns," ((b > 69) ? "60e9,timeout" : b "e6,ok")
}' >many.csv
bench-report -o many.html many.csv
like "$(xmllint --html --xpath 'string(//section[@id="plots"]//svg)' many.html 2>/dev/null)" 'b70' \
	"timeouts are among the largest values, which a plot has"

# Verdicts.
is "$(cells page.html verdicts-table slow old new ratio ratio_lo ratio_hi verdict)" \
	'10.75 s 10750000000,>1.000 min 60000000000,>5.66 5.660377358490566,5.66 5.660377358490566, ,worse ' \
	"a report has the lower bounds of a new median and of a ratio"
is "$(cells page.html verdicts-table fast old new ratio ratio_lo verdict)" \
	'>1.000 min 60000000000,10.75 s 10750000000,<0.1767 0.17666666666666667,0 0,better ' \
	"a report has the lower bound of an old median and the upper bound of a ratio"
is "$(cells page.html verdicts-table both old new ratio verdict)" \
	'>1.000 min 60000000000,>1.000 min 60000000000, ,unsure ' \
	"a report has no bound of a ratio of two sides that timed out"
like "$(notes page.html)" \
	'^The plot leaves out rows whose ratio is not known: wall of slow; wall of both; wall of fast[.]$' \
	"a note names the rows that the plot of ratios leaves out"
like "$(xmllint --html --xpath 'string(//section[@id="verdicts"]//svg)' page.html 2>/dev/null)" 'half.*same' \
	"the plot has the rows whose ratio is known"
grep -E '^run|,(slow|both),' old.csv >some-old.csv
grep -E '^run|,(slow|both),' new.csv >some-new.csv
bench-report --baseline some-old.csv -o none.html some-new.csv
like "$(notes none.html)" '^There is no plot, because no ratio is known: wall of slow; wall of both[.]$' \
	"a note says why there is no plot of ratios"
sed 's/,60e9,timeout$/,20e9,ok/' old.csv >ended.csv
bench-report --baseline ended.csv -o ended.html ended.csv
is "$(notes ended.html | grep -c plot) $(grep -c 'numbers after &gt;' ended.html)" '0 0' \
	"a report without timeouts mentions no bound and no row that the plot leaves out"

# Differences, where a value is 0.
sed 's/,10e9,ok$/,0,ok/' old.csv >zero.csv
bench-report --baseline zero.csv -o zero.html new.csv
is "$(cells zero.html verdicts-table slow ratio diff diff_lo diff_hi)" ' ,>49.40 s 49400000000,49.40 s 49400000000, ' \
	"a report has the lower bound of a difference, in its unit"
done_testing
