#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plots show the numbers: the marks and intervals of an SVG are read back by the ticks of its axes.
. "${0%/*}/../lib/tap.sh"

for need in gnuplot python3; do
	skip_unless $need "the coordinates of plots" || done_testing
done
# reads WHAT PLOT FEATURE SCALE VALUE...: a coordinate of the marks of the last plot
reads() {
	what=$1
	shift
	is "$(python3 "$ROOT/tests/plot/read_svg.py" p.svg "$@" 2>&1)" ok "$what"
}
draw() { bench-plot "$@" -o p.svg; }

# Seven samples in steps: the median is the fourth one, its interval of 95% has the smallest and the largest.
awk 'BEGIN { print "bench,n,sample,metric,unit,value"
	for (n = 1; n <= 4; n *= 2) for (s = 0; s < 7; s++) {
		print "a," n "," s ",wall,ns," n * 1000 + 10 * s
		print "b," n "," s ",wall,ns," n * 3000 + 200 * s
	} }' >sweep.csv
grep -E '^bench|,1,.,wall' sweep.csv >two.csv

draw bar two.csv
reads "a bar begins at zero" 1 least-x lin 0 0
reads "a bar ends at the median" 1 most-x lin 1.03 3.6
reads "the interval of a bar begins at its lower end" 3 lo-x lin 1 3
reads "the interval of a bar ends at its upper end" 3 hi-x lin 1.06 4.2
draw bar --log y two.csv
reads "a bar on a logarithmic axis ends at the median" 1 most-x log 1030 3600
reads "an interval on a logarithmic axis begins at its lower end" 3 lo-x log 1000 3000
reads "an interval on a logarithmic axis ends at its upper end" 3 hi-x log 1060 4200

for axes in none:lin:1000 xy:log:1; do
	scale=${axes#*:}
	unit=${scale#*:}
	scale=${scale%:*}
	v() { for v; do echo "$v $unit" | awk '{ print $1 / $2 }'; done; }
	draw line -x n --log "${axes%%:*}" sweep.csv
	reads "points of a line are at their x ($scale)" 7 x "$scale" 1 2 4
	# shellcheck disable=SC2046
	{
		reads "points of a line are at the medians ($scale)" 7 y "$scale" $(v 1030 2030 4030)
		reads "a line goes through the medians ($scale)" 6 line-y "$scale" $(v 3600 6600 12600)
		reads "intervals of a line begin at their lower ends ($scale)" 4 lo-y "$scale" $(v 3000 6000 12000)
		reads "intervals of a line end at their upper ends ($scale)" 4 hi-y "$scale" $(v 4200 7200 13200)
		reads "a ribbon begins at the least lower end ($scale)" 2 most-y "$scale" $(v 3000)
		reads "a ribbon ends at the greatest upper end ($scale)" 2 least-y "$scale" $(v 13200)
	}
done

draw strip two.csv
reads "dots of a strip are at the values" 1 x lin 1 1.01 1.02 1.03 1.04 1.05 1.06 3 3.2 3.4 3.6 3.8 4 4.2
reads "the line of a strip is at the median" 2 from-x lin 1.03 3.6
{
	cat two.csv
	echo b,1,7,wall,ns,9000
} >outlier.csv
draw box outlier.csv
reads "a box begins at the lower quartile" 2 least-x lin 1.015 3.35
reads "a box ends at the upper quartile" 2 most-x lin 1.045 4.05
reads "whiskers begin at the least value within 1.5 IQR" 1 from-x lin 1 3
reads "whiskers end at the greatest value within 1.5 IQR" 1 to-x lin 1.06 4.2
reads "the line of a box is at the median" 3 from-x lin 1.03 3.7
reads "a ring is at the value beyond the whiskers" 4 x lin 9

# Eight values: 2 IQR / 2 is 12.25, so the bins have a width of 20.
awk 'BEGIN { print "bench,metric,unit,value"
	split("100 111 114 121 123 125 127 131", v)
	for (i = 1; i <= 8; i++) print "a,wall,ns," v[i] }' >hist.csv
draw hist hist.csv
reads "bins of a histogram begin at their lower edges" 1 least-x lin 100 120
reads "bins of a histogram end at their upper edges" 1 most-x lin 120 140
reads "bins of a histogram are as high as their counts" 1 height-y size 3 5
draw ecdf hist.csv
reads "steps of a distribution function are at the values" 1 line-x lin 100 100 111 111 114 114 121 121 123 123 125 125 127 127 131 131
reads "steps of a distribution function are as high as the fractions" 1 line-y lin 0 .125 .125 .25 .25 .375 .375 .5 .5 .625 .625 .75 .75 .875 .875 1

draw heat -x n -g bench sweep.csv
reads "cells of a heat map are darker or lighter in the order of the medians" 1 color order 1.03 3.6
is "$(sed -n 's|.*<text>\([0-9]*[.][0-9]*\)</text>.*|\1|p' p.svg | sort -n | tr '\n' ' ')" '1.03 2.03 3.60 4.03 6.60 12.6 ' \
	"cells of a heat map have the medians"

awk 'BEGIN { print "bench,metric,unit,value"; for (i = 1; i < 1001; i++) print "a,wall,ns," 1000 + i; print "a,wall,ns,4000" }' >tail.csv
draw quantiles --log none tail.csv
reads "a curve of quantiles begins at the median" 2 from-y lin 1.501
reads "a curve of quantiles ends at the largest value" 2 to-y lin 4
reads "a curve of quantiles begins at 50%" 2 from-x tail 50
reads "a curve of quantiles has the greatest of n values at 1 - 1/2n" 2 to-x tail 99.95005

# A history that doubles at the fifth of eight commits, at uneven times.
awk 'BEGIN { print "run,time,commit,bench,sample,metric,unit,value"
	split("1 2 4 5 9 12 13 20", day)
	for (c = 1; c <= 8; c++) for (s = 0; s < 7; s++)
		printf "r%d,2026-01-%02dT00:00:00Z,c%d,x,%d,wall,ns,%d\n", c, day[c], c, s, 1000 * (c > 4 ? 2 : 1) + 10 * s }' >history.csv
draw trend history.csv
reads "points of a trend are at their times" 3 x span 1 2 4 5 9 12 13 20
reads "points of a trend are at the medians" 3 y lin 1.03 1.03 1.03 1.03 2.03 2.03 2.03 2.03
reads "levels of a trend are those before and after the change" 4 line-y lin 1.03 1.03 2.03 2.03
reads "a change of a trend leads from one level to the other" 5 line-y lin 1.03 2.03

awk 'BEGIN { print "run,time,commit,bench,sample,metric,unit,value"
	for (c = 1; c <= 24; c++) for (s = 0; s < 7; s++)
		printf "r%d,2026-01-%02dT00:00:00Z,c%d,x,%d,wall,ns,%d\n", c, c, c, s, 1000 + 50 * c + s }' >drift.csv
draw trend drift.csv
reads "the level of a drift slopes from its first to its last value" 4 line-y lin 1.053 2.203

awk 'BEGIN { print "bench,workers,sample,metric,unit,value"
	for (w = 1; w <= 4; w++) for (s = 0; s < 7; s++) print "a," w "," s ",wall,ns," 12000 / w + 10 * s - 30 }' >workers.csv
draw speedup --log none workers.csv
reads "points of a speedup are the ratios to one worker" 5 y lin 1 2 3 4
reads "the line of the ideal speedup ends at the right" 1 to-y lin 4.12
reads "intervals of a speedup begin at the ratio of the largest value" 3 lo-y lin 0.997506 1.990050 2.977667 3.960396
reads "intervals of a speedup end at the ratio of the least value" 3 hi-y lin 1.002506 2.010050 3.022670 4.040404

# Seven pairs on each side: the ratio of the medians, and its interval by bench-compare.
awk -F, -v OFS=, 'NR == 1 { $2 = "side" } NR > 1 { $2 = $1 == "a" ? "old" : "new"; $1 = "x" } { print }' two.csv >sides.csv
bench-compare -b side --csv sides.csv >table.csv 2>/dev/null
# percent COLUMN: the change in percent of a ratio of the table
percent() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print 100 * $at - 100 }' table.csv; }
for axes in none:lin y:change; do
	scale=${axes#*:}
	draw compare -g side --log "${axes%:*}" sides.csv
	reads "the mark of a comparison is at the change ($scale)" 2 x "$scale" "$(percent ratio)"
	reads "the interval of a comparison begins at its lower end ($scale)" 1 lo-x "$scale" "$(percent ratio_lo)"
	reads "the interval of a comparison ends at its upper end ($scale)" 1 hi-x "$scale" "$(percent ratio_hi)"
done

printf 'bench,stack,metric,unit,value\nb,main;a,samples,1,30\nb,main;b;c,samples,1,50\nb,main,samples,1,20\n' >stacks.csv
draw flame stacks.csv
share() {
	awk -v name="$1" '/<g class="f[" ]/ { x = w = $0; sub(/.*<rect x="/, "", x); sub(/".*/, "", x); sub(/.*width="/, "", w); sub(/".*/, "", w)
		if (index($0, "<title>all:")) { left = x; all = w }
		if (index($0, "<title>" name ":")) printf "%.3f+%.3f", (x - left) / all, w / all }' p.svg
}
is "$(share a) $(share b) $(share c) $(share main)" '0.000+0.300 0.300+0.500 0.300+0.500 0.000+1.000' \
	"frames of a flame graph are as wide as their shares"
done_testing
