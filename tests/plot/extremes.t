#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plots of extreme input: the smallest and largest numbers, single values, times and offsets that
# are equal or negative, and values that cannot be drawn. Nothing is left out silently.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# block NAME: a data block of the script on standard input
block() {
	awk -v name="\$$1 << EOD" '$0 == "EOD" { on = 0 } on && !/^#/ && NF { print } $0 == name { on = 1 }'
}
# texts: the texts of a script
texts() { block said | sed 's/^>//'; }

# The least numbers
printf 'bench,n,metric,value\na,1,x,5e-324\na,2,x,1e-323\n' >least.csv
for kind in hist bar box line; do
	status 2 "bench-plot $kind refuses numbers that are too small for an axis" timeout 20 bench-plot $kind --script least.csv
	like "$(cat .err)" 'x from .*e-32[34] to .*e-32[34] cannot be drawn: the numbers are too large or too small for an axis$' \
		"the message of bench-plot $kind says that the numbers are too small"
done
printf 'bench,metric,value\na,x,1.5e300\nb,x,1.7e300\n' >largest.csv
status 2 "bench-plot refuses numbers that are too large for an axis" bench-plot bar --script largest.csv
like "$(cat .err)" 'x from 1.5e.300 to 1.7e.300 cannot be drawn' "the message says that the numbers are too large"
printf 'bench,metric,value\na,x,0\nb,x,0\n' >zero.csv
ok "bench-plot hist draws values that are all zero" bench-plot hist --script zero.csv

# A histogram over twelve powers of ten, in whose linear bins all values but the largest are in one
awk 'BEGIN { print "bench,sample,metric,unit,value"
	for (e = 0; e <= 12; e++) for (s = 0; s < 8; s++) print "a," 8 * e + s ",wall,ns," 10 ^ e }' >wide.csv
bench-plot hist --script wide.csv >wide.gp
is "$(block bins <wide.gp | grep -v 1e9 | cut -d ' ' -f 2-4 | sed 's/e-0/e-/g' | paste -sd,)" \
	"1e-9 0.0001 40,0.0001 10 40,10 1000000 24" "the bins of values of very different sizes are logarithmic"
like "$(texts <wide.gp)" '^wall, logarithmic, in bins of a factor of 100000$' "the axis of a histogram names the factor of its bins"
like "$(bench-plot hist --script --log none wide.csv | texts)" '^wall [(].*[)], in bins of ' "--log none keeps the bins of a histogram linear"
printf 'bench,metric,unit,value\na,wall,ns,10\na,wall,ns,11\na,wall,ns,12\na,wall,ns,20\n' >narrow.csv
like "$(bench-plot hist --script --log y narrow.csv | texts)" '^wall, logarithmic, 5 bins per decade$' \
	"--log y makes the bins of a histogram logarithmic"
awk 'NR == 1 || $0 = "a,wall,ns,0"' narrow.csv >none.csv
status 2 "a value of 0 is in no logarithmic bin" bench-plot hist --script --log y none.csv
like "$(cat .err)" 'a logarithmic axis cannot show wall, because a value is not above 0$' "the message names the metric with a value of 0"

# A heat map of columns and medians over twelve powers of ten
awk 'BEGIN { print "bench,n,metric,unit,value"
	for (e = 0; e <= 12; e++) printf "a,%.0f,wall,ns,%.0f\nb,%.0f,wall,ns,%.0f\n", 10 ^ e, 10 ^ e, 10 ^ e, 2 * 10 ^ e }' >cells.csv
bench-plot heat --script cells.csv >cells.gp
is "$(texts <cells.gp | sed -n '/^1$/,/^1T$/p' | paste -sd' ')" "1 10 100 1000 10k 100k 1M 10M 100M 1G 10G 100G 1T" \
	"the columns of a heat map have short names of their numbers"
like "$(texts <cells.gp)" '^median wall \(s\),' "medians of very different times are in seconds"

printf 'bench,metric,unit,value\na,wall,ns,1e-300\nb,wall,ns,1e300\n' | bench-plot heat --script >far.gp
is "$(block cells <far.gp | awk '{ print ($4 > 0) }' | paste -sd' ')" '1 1' "cells of a heat map have colors although the ratio of their medians overflows"

printf 'bench,sample,metric,unit,value,status\na,0,wall,ns,1,failed\nb,0,wall,ns,2,ok\n' | bench-plot heat --script >failed.gp
is "$?,$(block cells <failed.gp | wc -l)" 0,1 "a subject whose samples all failed has no cell in a heat map"

# Single values, for which there is no line
printf 'bench,metric,value\na,x,3\nb,x,4\nb,x,4\nc,x,5\nc,x,6\nc,x,7\n' >few.csv
unlike "$(bench-plot quantiles --script few.csv | texts)" '[0-9][.][0-9]{6}' "the tics of quantiles are short numbers"
is "$(bench-plot quantiles --script few.csv | block singles | grep -v 1e9)" "2 3" "a single value has its quantile as a point"
printf 'bench,sample,t,metric,unit,value\na,0,5,rss,B,7\na,1,0,rss,B,1\na,1,9,rss,B,2\n' >single.csv
is "$(bench-plot timeline --script single.csv | block singles | cut -d ' ' -f 1,3)" "5 7" \
	"a time series of one value is a point"
is "$(bench-plot timeline --script single.csv | block curves | cut -d ' ' -f 1,3 | paste -sd,)" "0 1,9 2" \
	"a time series of two values is a curve"
awk 'BEGIN { print "t,metric,unit,value"
	for (i = 0; i < 20; i++) print i + 100 * (i > 8) + 100 * (i > 9) ",rss,B," i }' >gap.csv
is "$(bench-plot timeline --script gap.csv | block singles | cut -d ' ' -f 1,3)" "109 9" \
	"a value between two gaps of a time series is a point"
if skip_unless gnuplot "bench-plot quantiles shows a single value"; then
	printf 'bench,metric,value\na,x,3\n' | bench-plot quantiles -F txt --size 60x14 >one.txt
	like "$(cat one.txt)" '\| *A' "the quantile of a single value is visible"
	bench-plot timeline -F txt --size 60x14 single.csv >one.txt
	like "$(cat one.txt)" ' A' "a time series of a single value is visible"
fi

# Rooflines
{
	printf 'bench,backend,metric,unit,value,status\n'
	for k in good:8:2 still:0:2 none:8:0; do
		rest=${k#*:}
		printf '%s,cpu,flop_rate,flop/s,%s,ok\n' "${k%%:*}" "${rest%:*}"
		printf '%s,cpu,arithmetic_intensity,flop/B,%s,ok\n' "${k%%:*}" "${rest#*:}"
	done
	printf 'bad,cpu,flop_rate,flop/s,,failed:exit=1\nbad,cpu,arithmetic_intensity,flop/B,1,ok\n'
} >kernels.csv
bench-plot roofline --script kernels.csv >kernels.gp
is "$(block points <kernels.gp | wc -l)" 1 "a roofline has a point for a kernel with a rate and an intensity"
like "$(texts <kernels.gp | paste -sd' ')" '1 failed, left out, 2 left out: no rate or intensity above 0' \
	"the subtitle of a roofline counts the kernels that have no point"
awk 'BEGIN { print "bench,metric,unit,value"
	for (i = 0; i < 20000; i++) print "k" i ",flop_rate,flop/s,5\nk" i ",bandwidth,B/s,2" }' >kernels.csv
status 2 "bench-plot roofline refuses very many kernels" bench-plot roofline --script kernels.csv
like "$(cat .err)" '20000 points are too many for a plot' "the message counts the kernels"

# Histories
for day in 01 02 03 04 05 06; do
	echo "c$day,2026-03-01T$day:00:00Z,wall,ns,5" >>hours
	echo "c$day,2026-03-${day}T00:00:00Z,wall,ns,5" >>days
	echo "c$day,1955-03-01T00:00:${day}Z,wall,ns,5" >>seconds
done
for file in hours days seconds; do
	{ echo commit,time,metric,unit,value; cat $file; } | bench-plot trend --script >$file.gp
done
like "$(texts <hours.gp)" '^time since 2026-03-01 \(UTC\)$' "a history of hours has its date below the axis"
like "$(texts <seconds.gp)" '^time since 1955-03-01 \(UTC\)$' "a history of seconds before 1970 has its date below the axis"
like "$(texts <days.gp)" '^time \(UTC\)$' "a history of days has its dates at the axis only"

# Time series
printf 't,metric,unit,value\n-5,rss,B,1\n-3,rss,B,2\n0,rss,B,3\n' >before.csv
bench-plot timeline --script before.csv >before.gp
ok "a time series that begins before 0 lies within its axis" \
	awk '$1 == "x_from" { exit $3 > -5 }' before.gp
printf 't,metric,unit,value\n0,rss,B,1\n1,rss,KiB,2\n' >units.csv
status 2 "bench-plot timeline refuses a metric with two units" bench-plot timeline --script units.csv
like "$(cat .err)" "metric rss has two units, 'B' and 'KiB'" "the message names the metric and its units"
awk 'BEGIN { print "t,metric,unit,value"
	for (m = 1; m <= 9; m++) for (t = 0; t < 3; t++) print t ",m" m ",B," m + t }' >metrics.csv
like "$(bench-plot timeline --script metrics.csv | texts)" '3 more metrics: choose with -y' \
	"the subtitle of a timeline counts the metrics that have no panel"
awk 'BEGIN { print "sample,t,metric,unit,value"
	for (s = 0; s < 100000; s++) print s ",0,gpu_memory,B,0"
	print "0,0,rss,B,1\n0,1,rss,B,2" }' >idle.csv
ok "a timeline of very many samples that are 0 is drawn without delay" timeout 20 bench-plot timeline --script idle.csv

done_testing
