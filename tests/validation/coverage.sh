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
# cell: reads lines "HITS COUNT" and prints the rate, marked if it is below 93.5% or above 97%
cell() {
	awk "$wilson"'{ hits += $1; n += $2 } END { rate = n ? hits / n : 0.95
		printf("%s%s", per_cent(hits, n), rate < 0.935 ? " **!**" : rate > 0.97 ? " +" : "") }'
}

# Counts intervals that contain the ratio 1.1.
ratio() { # TEST FILE
	bench-compare -q -b side --no-geomean --adjust none --test "$1" "$2" 2>"$T/messages" |
		covered 1.1 ratio_lo ratio_hi
	grep -v ': cannot decide: ' "$T/messages" >&2
}
cat <<END
## Coverage

These tables show how many 95% confidence intervals contain the true value: the percentage of $REPEATS
intervals, with the 95% interval of that rate. **!** marks a rate below 93.5%, which is too low. + marks a rate
above 97%. A dash means that there is no interval. The true ratio is 1.1, and all values of a side belong to
one run.

The interval of a ratio is that of the test: \`--test rank\`, the default, or \`--test welch\`. With few
values the interval of ranks contains the true ratio in more than 95% of all cases, because p then has few
possible values: with five values on each side the confidence is 96.8%. The same applies to the interval of
the median, whose ends are two of the values: its confidence is 96.9% with 6 values, 98.4% with 7, 97.9% with
10, 95.9% with 20 and 96.7% with 50; and to the interval of 6 blocks, with 96.9%. These explain all rates
marked with +. Welch's test has no interval with fewer than 7 values on a side.

END
cat <<END
| family | values | median, order statistics | ratio, rank | ratio, welch |
|---|---|---|---|---|
END
seed=200
for f in normal lognormal uniform exponential bimodal; do
	for n in 5 6 7 10 20 50; do
		seed=$((seed + 1))
		truth=$(awk -v f=$f 'BEGIN { print f == "exponential" ? 1000 * (1 + 0.02 * log(2)) : 1000 }')
		sides $f 1 $n $seed 1.1 >"$T/sides"
		printf '| %s | %d | %s |' $f $n "$(grep -v ',b,b[0-9]' "$T/sides" | bench-stat -g bench -s ci_lo,ci_hi |
			covered "$truth" ci_lo ci_hi | cell)"
		for m in rank welch; do
			printf ' %s |' "$(ratio "$m" "$T/sides" | cell)"
		done
		echo
	done
done
cat <<END

In the next table the sides have unequal numbers of values, again with a true ratio of 1.1. Because the means of
skewed values are skewed, and those of fewer values more so, Welch's test has an interval only if the numbers do
not differ too much; bench-statistics-tests(7) has the formula. The rows are at this limit or beyond it.

| family | old values | new values | ratio, rank | ratio, welch |
|---|---|---|---|---|
END
for f in normal lognormal exponential; do
	for counts in '7 13' '13 7' '20 71' '71 20' '7 14' '50 10'; do
		seed=$((seed + 1))
		family $f subjects="$subjects" runs=1 n="${counts% *}" seed=$seed side=a >"$T/sides"
		family $f subjects="$subjects" runs=1 n="${counts#* }" seed=$((seed + 1000)) side=b factor=1.1 bare=1 >>"$T/sides"
		printf '| %s | %s | %s |' $f "${counts% *}" "${counts#* }"
		for m in rank welch; do
			printf ' %s |' "$(ratio "$m" "$T/sides" | cell)"
		done
		echo
	done
done
cat <<END

If samples depend on each other, or runs differ, several runs per side are needed. In the next table each
run has ten samples, and the medians of the runs are compared. The true ratio is again 1.1.

END
cat <<END
| family | runs | ratio, rank | ratio, welch |
|---|---|---|---|
END
subjects=$((REPEATS / 4))
for f in normal lognormal autocorrelated drifting runs; do
	for runs in 5 6 7 10 20 50; do
		seed=$((seed + 1))
		[ "$runs" -le 20 ] || [ "$f" = runs ] || continue
		# in parts, as there are many values
		for part in 1 2 3 4; do
			sides $f $runs 10 $((seed + 2000 * part)) 1.1 >"$T/sides"
			for m in rank welch; do ratio $m "$T/sides" >>"$T/$m"; done
		done
		printf '| %s | %d | %s | %s |\n' $f $runs "$(cell <"$T/rank")" "$(cell <"$T/welch")"
		rm "$T/rank" "$T/welch"
	done
done
subjects=$REPEATS
cat <<END

In the next table one run measures both sides, once in each block:

| family | blocks | ratio, rank | ratio, welch |
|---|---|---|---|
END
for f in normal lognormal uniform exponential bimodal autocorrelated drifting runs; do
	for n in 6 10 20 50; do
		seed=$((seed + 1))
		blocks $f $n $seed 1.1 >"$T/blocks"
		printf '| %s | %d |' $f $n
		for m in rank welch; do
			printf ' %s |' "$(ratio "$m" "$T/blocks" | cell)"
		done
		echo
	done
done
cat <<END

A verdict must agree with the interval next to it. The last table counts the verdicts *better* and *worse*
whose interval reaches into the margin or contains 1, and the verdicts *same* whose interval leaves the
margin. Each row has $REPEATS comparisons of 20 values per side; clock values have many ties.

| family | true ratio | margin | better or worse, not supported | same, not supported |
|---|---|---|---|---|
END
# unsupported: reads CSV and prints four numbers: unsupported verdicts better or worse, all of these, and
# the same of the verdict same
unsupported() {
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ verdict = $at["verdict"]; lo = $at["ratio_lo"]; hi = $at["ratio_hi"]; top = 1 + $at["margin"]; none = lo <= 1 && hi >= 1 }
		verdict == "worse" || verdict == "better" { n++; bad += none || (verdict == "worse" ? lo <= top : hi >= 1 / top) }
		verdict == "same" { m++; wrong += lo < 1 / top || hi > top }
		END { print bad + 0, n + 0, wrong + 0, m + 0 }'
}
for f in normal bimodal clock; do
	for factor in 1 1.02 1.05; do
		for margin in 0% 2%; do
			seed=$((seed + 1))
			sides $f 1 20 $seed $factor | bench-compare -q -b side --no-geomean --adjust none --threshold $margin - | unsupported |
				{ read -r bad n wrong m; printf '| %s | %s | %s | %d of %d | %d of %d |\n' $f $factor $margin "$bad" "$n" "$wrong" "$m"; }
		done
	done
done
printf '\nMade by `REPEATS=%d sh tests/validation/coverage.sh`.\n' "$REPEATS"
