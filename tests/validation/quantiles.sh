#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how often the interval of a quantile contains the true quantile.
. "${0%/*}/common.sh"

quantiles=${BUILD:-$here/../../build}/tests/quantiles
if [ ! -x "$quantiles" ]; then
	echo "quantiles.sh: needs $quantiles, which make evidence builds" >&2
	exit 2
fi

# cells REPEATS: reads lines "HITS INTERVALS NEEDED" and prints a cell for each
cells() {
	awk -v all="$1" "$wilson"'
		!$2 { printf(" – |"); next }
		{ printf(" %s%s%s |", per_cent($1, $2), $2 < all ? sprintf(" in %.0f%%", 100 * $2 / all) : "",
			$1 / $2 < 0.935 ? " **!**" : "") }'
}
many=$REPEATS
few=$(((REPEATS + 9) / 10))
cat <<END
## Coverage of quantiles

These tables show how many 95% intervals of quantiles (\`bench-stat -s p99_lo,p99_hi\`) contain the true
quantile: the percentage of the intervals, with the 95% interval of that rate. **!** marks a rate below 93.5%.
A dash means that no sample of this size has an interval. If only some have one, the percentage of those follows
the rate, as in "in 40%"; the rate is that of the samples with an interval. The values of each process depend on
each other in most families; the processes do not.

Where fewer than one sample in ten has an interval, these are mostly samples without the longest queues, which
seem less dependent than they are, and whose high quantiles are too low. These explain all rates that are
marked. At most 2% of all samples of such a row have an interval that does not contain the quantile. Rates far
above 95% are the price: the dependence counts twice. Discrete values have more because the ends of an interval
belong to it.

| family | values |
|---|---|
| exponential, lognormal | independent values of this distribution (sigma 1) |
| discrete | independent exponential values with mean 5, rounded down |
| autoregressive 0.5, 0.9, 0.99 | normal values, autoregressive with this coefficient |
| queue 0.6, 0.9 | waiting times of an M/M/1 queue with this utilization, in its steady state |
| processes 1 | normal values, plus a normal value of each process with the same standard deviation |

END
header() {
	cat <<END
| family | values | processes | 0.5 | 0.9 | 0.99 | 0.999 |
|---|---|---|---|---|---|---|
END
}
seed=900
# row NAME FAMILY PARAMETER VALUES PROCESSES REPEATS
row() {
	seed=$((seed + 1))
	printf '| %s | %d | %d |%s\n' "$1" "$4" "$5" "$("$quantiles" "$2" "$3" "$4" "$5" "$6" $seed | cells "$6")"
}
printf 'Each row of the first table has %d samples, and each row of the second table %d.\n\n' "$many" "$few"
header
for n in 20 100 400 1000 5000; do
	for p in 1 6; do
		row exponential exponential 0 $n $p "$many"
		row lognormal lognormal 1 $n $p "$many"
		row discrete discrete 5 $n $p "$many"
	done
done
for n in 100 1000 5000; do
	for p in 1 6; do
		row 'autoregressive 0.5' ar 0.5 $n $p "$many"
		row 'autoregressive 0.9' ar 0.9 $n $p "$many"
	done
done
echo
header
for n in 10000 30000 100000; do
	for p in 1 3 6; do
		row exponential exponential 0 $n $p "$few"
		row 'autoregressive 0.9' ar 0.9 $n $p "$few"
		row 'autoregressive 0.99' ar 0.99 $n $p "$few"
		row 'queue 0.6' mm1 0.6 $n $p "$few"
		row 'queue 0.9' mm1 0.9 $n $p "$few"
	done
	row 'processes 1' shared 1 $n 6 "$few"
	row 'processes 1' shared 1 $n 20 "$few"
done
printf '\nMade by `REPEATS=%d sh tests/validation/quantiles.sh`.\n' "$REPEATS"
