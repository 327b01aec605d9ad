#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Statistics of values at both ends of the range of doubles. Where the statistic itself is a double, it is
# not lost, although sums, differences or squares on the way to it are none.
. "${0%/*}/../lib/tap.sh"

# of STATISTICS VALUE...: statistics of values
of() {
	list=$1
	shift
	{
		echo metric,value
		printf 'm,%s\n' "$@"
	} | bench-stat --csv -s "$list" | sed -n '2s/^m,,//p'
}
is "$(of n,mean,mad 1.5e308 -1.5e308 1.5e308 -1.5e308)" 4,0,1.5e+308 \
	'the median deviation of two huge values on either side of 0 is not lost'
is "$(of mad -1.7e308 1e308 1.2e308)" 1.9999999999999992e+307 \
	'the median deviation of huge values is not lost if a farther deviation is too large'
is "$(of mad 1e308 1e308 1e308 1e308)" 0 'the median deviation of equal huge values is 0'
is "$(of mad 1.7e308 1.7e308 -1.7e308 1.7e308 -1.7e308 -1.7e308)" 1.7e+308 'the median deviation of the largest values is not lost'
is "$(of mad 5e-324 1e-323 1.5e-323)" 5e-324 'the median deviation of the least values is exact'

is "$(printf '%s\n' sample,t,metric,value 0,0,m,1e308 0,5,m,1.5e308 1,0,m,-1e308 1,5,m,-1.5e308 2,0,m,9 |
	bench-stat --csv -s min,median,max | sed 1d)" 'm,,-1.25e+308,9,1.25e+308' 'the mean of a series of huge values is not lost'

# Two runs of two processes of three samples, whose components are known; see stat.t.
levels() {
	awk -v unit="$1" 'BEGIN {
		print "run,process,sample,metric,value"
		split("1 2 3 6 7 9 12 13 13 16 16 16", y, " ")
		for (r = 0; r < 2; r++) for (p = 0; p < 2; p++) for (s = 0; s < 3; s++)
			printf "r%d,%d,%d,m,%s%s\n", r, p, s, y[++k], unit
	}' | bench-stat --components | awk -F, 'NR > 1 { printf "%s %.3e %s %s\n", $3, $5, $8 ? "cost" : $9, $11 }'
}
want=$(levels)
for exponent in 307 200 -200 -307; do
	is "$(levels "e$exponent" | sed "s/e[+-][0-9]* /e$exponent /")" "$(printf '%s\n' "$want" |
		awk -v e="$exponent" '{ split($2, x, "e"); printf "%s %se%s %s %s\n", $1, x[1], e, $3, $4 }')" \
		"components of values of 1e$exponent have the digits of those of values of 1"
done
done_testing
