#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often an interval holds the truth.
. "${0%/*}/common.sh"

# covered TRUTH LO HI: of the rows read as CSV, in how many [LO, HI] holds the truth, of how many
# that have one
covered() {
	awk -F, -v truth="$1" -v lo="$2" -v hi="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at[lo] != "" { n++; hits += $at[lo] <= truth && truth <= $at[hi] }
		END { print hits + 0, n + 0 }'
}
# cell LEAST: a rate, marked where even the upper end of its interval is below the least
cell() {
	awk -v least="$1" "$wilson"'{ printf("%s%s", per_cent($1, $2),
		($2 && upper_share($1, $2) < least ? " **!**" : "")) }'
}
# From 20 values on, what is asked of an interval is nominal less 2 points.
least() { [ "$1" -ge 20 ] && echo 0.93 || echo 0; }

# Covered or not, of the ratio 1.1.
ratio() { # METHOD FILE
	bench-compare -q -b side --no-geomean --interval "$1" "$2" | covered 1.1 ratio_lo ratio_hi
}
cat <<END
## Coverage

How many intervals of nominally 95 % hold the truth: in per cent of $REPEATS samples, with the 95 %
interval of that rate; **!** marks what is below 93 %, from 20 values on, beyond doubt. A dash says
that there is no interval: below six values a side none by order statistics or bootstrap exists.
The ratio is 1.1 in truth; each side has so many samples of one run. Percentiles are the default.
The correction of bca rests on leaving out one value after the other, which a median hardly
notices; its intervals are shorter and fall short where the distribution has two modes, or where
runs and blocks are few.

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

Where samples depend on each other, or runs differ, it takes several runs a side: here so many runs
of ten samples each, resampled as runs and then samples within them; the ratio is again 1.1.
$subjects samples of each.

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

Both sides in blocks of one run:

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
