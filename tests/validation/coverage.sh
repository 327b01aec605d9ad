#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how often an interval contains the true value.
. "${0%/*}/common.sh"

# covered TRUTH LO HI: reads CSV and prints the number of rows whose interval from column LO to column
# HI contains the true value, and the number of rows with an interval
covered() {
	awk -F, -v truth="$1" -v lo="$2" -v hi="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at[lo] != "" { n++; hits += $at[lo] <= truth && truth <= $at[hi] }
		END { print hits + 0, n + 0 }'
}
# cell LEAST: prints a rate, marked if the upper end of its interval is below LEAST
cell() {
	awk -v least="$1" "$wilson"'{ printf("%s%s", per_cent($1, $2),
		($2 && upper_share($1, $2) < least ? " **!**" : "")) }'
}
# The rate required of 20 or more values is the nominal one less 2 percentage points.
least() { [ "$1" -ge 20 ] && echo 0.93 || echo 0; }

# Counts intervals that contain the ratio 1.1.
ratio() { # METHOD FILE
	bench-compare -q -b side --no-geomean --interval "$1" "$2" | covered 1.1 ratio_lo ratio_hi
}
cat <<END
## Coverage

These tables show how many 95% confidence intervals contain the true value: the percentage of $REPEATS
intervals, with the 95% interval of that rate. **!** marks a rate that is too low: its
whole interval is below 93%, and the intervals are from 20 values or more. A dash means that there is no interval, because order
statistics and the bootstrap need at least six values per side. The true ratio is 1.1, and all values of a
side belong to one run.

Percentile intervals are the default of bench-compare, and \`--interval bca\` selects bias-corrected and
accelerated ones. The acceleration is computed by leaving out one value at a time, which hardly changes a
median. The intervals of this method are shorter. They do not contain the true value often enough if a
distribution has two modes, or if there are few runs or blocks.

END
cat <<END
| family | values | median, order statistics | ratio, percentile | ratio, bca |
|---|---|---|---|---|
END
seed=200
for f in normal lognormal uniform exponential bimodal; do
	for n in 5 6 10 20 50; do
		seed=$((seed + 1))
		truth=$(awk -v f=$f 'BEGIN { print f == "exponential" ? 1000 * (1 + 0.02 * log(2)) : 1000 }')
		sides $f 1 $n $seed 1.1 >"$T/sides"
		printf '| %s | %d | %s |' $f $n "$(grep -v ',b,b[0-9]' "$T/sides" | bench-stat -g bench -s ci_lo,ci_hi |
			covered "$truth" ci_lo ci_hi | cell "$(least $n)")"
		for m in percentile bca; do
			printf ' %s |' "$(ratio "$m" "$T/sides" | cell "$(least $n)")"
		done
		echo
	done
done
subjects=$((REPEATS / 4))
cat <<END

If samples depend on each other, or runs differ, several runs per side are needed. In the next table each
run has ten samples. The bootstrap resamples the runs, and then the samples within each run. The true
ratio is again 1.1. Each rate is the percentage of $subjects intervals.

END
cat <<END
| family | runs | ratio, percentile | ratio, bca |
|---|---|---|---|
END
for f in normal lognormal autocorrelated drifting runs; do
	for runs in 5 6 10 20 50; do
		seed=$((seed + 1))
		[ "$runs" -le 20 ] || [ "$f" = runs ] || continue
		sides $f $runs 10 $seed 1.1 >"$T/sides"
		printf '| %s | %d |' $f $runs
		for m in percentile bca; do
			printf ' %s |' "$(ratio "$m" "$T/sides" | cell "$(least $runs)")"
		done
		echo
	done
done
subjects=$REPEATS
cat <<END

In the last table, one run measures both sides, once in each block:

| family | blocks | ratio, percentile | ratio, bca |
|---|---|---|---|
END
for f in normal lognormal autocorrelated drifting runs; do
	for n in 10 20 50; do
		seed=$((seed + 1))
		blocks $f $n $seed 1.1 >"$T/blocks"
		printf '| %s | %d |' $f $n
		for m in percentile bca; do
			printf ' %s |' "$(ratio "$m" "$T/blocks" | cell "$(least $n)")"
		done
		echo
	done
done
printf '\nMade by `REPEATS=%d sh tests/validation/coverage.sh`.\n' "$REPEATS"
