#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how often bench-compare calls identical code better or worse.
. "${0%/*}/common.sh"

recorded=$here/../fixtures/data/recorded.csv
alarm='^(better|worse)$'

# cell: reads "HITS COUNT" and prints the rate, marked if it is above 6.5%
cell() { awk "$wilson"'{ printf("%s%s", per_cent($1, $2), ($1 / $2 > 0.065 ? " **!**" : "")) }'; }

cat <<END
## False alarms on identical code

Both sides are drawn from the same distribution, so each verdict *better* or *worse* is a false alarm.
The margin is 0, and p is not corrected for the number of rows
(\`bench-compare -b side --threshold 0% --adjust none\`), so that all false alarms count. The expected
rate of false alarms is then 5%. The table shows the rate in percent of $REPEATS comparisons, with its 95%
interval in parentheses. **!** marks a rate above 6.5%, which is too high. In the last column, one run
measures both sides, once in each of 30 blocks.

| family | one run per side, 30 samples | five runs per side, 10 samples each | one run, 30 blocks |
|---|---|---|---|
END
seed=1
for f in normal lognormal uniform exponential bimodal autocorrelated drifting runs; do
	seed=$((seed + 1))
	printf '| %s | %s | %s | %s |\n' "$f" \
		"$(sides "$f" 1 30 $seed | judge - | share_of "$alarm" | cell)" \
		"$(sides "$f" 5 10 $seed | judge - | share_of "$alarm" | cell)" \
		"$(blocks "$f" 30 $seed | judge - | share_of "$alarm" | cell)"
done
cat <<END

The values of the last three families are not independent. If each
side is one run of such values, an effect of the run cannot be distinguished from an effect of the code,
as the first column of rates shows. bench-compare
therefore prints a message when it reports a difference between such sides:
"$(sides runs 1 30 1 |
		bench-compare -b side --threshold 0% --adjust none --no-geomean 2>&1 >/dev/null |
		sed -n 's/^bench-compare: \(each side is one run.*\)/\1/p' | head -n 1)".

For the next table, real programs were compared with themselves on a busy virtual machine: gzip, sort,
awk, sha256sum, xz and find, with 12 blocks of both sides in each of
$(awk -F, 'NR > 1 { seen[$1] } END { for (r in seen) n++; print n }' "$recorded") runs over several
minutes (tests/fixtures/data/recorded.csv).

| comparison | false alarms |
|---|---|
END

# within: prints each program and run as one subject
within() { awk -F, -v OFS=, 'NR > 1 { $3 = $3 "." $1 } { print }' "$recorded"; }
# between: prints the a side of each run and the b side of the next run as one subject
between() {
	awk -F, -v OFS=, 'NR == 1 { print; next }
		{ r = substr($1, 2) + ($2 == "a"); $3 = $3 "." r; print }' "$recorded" |
		awk -F, 'NR == FNR { seen[$3 "," $2]; next } FNR == 1 || ($3 ",a" in seen && $3 ",b" in seen)' \
			"$T/between" -
}
# halves: prints random halves, five runs and five other runs, many times
halves() {
	awk -F, -v draws="$((REPEATS / 10))" 'NR == 1 { print; next }
		$2 != "a" { next }
		!($1 in number) { number[$1] = runs; run[runs++] = $1 }
		{ programs[$3]; line[$3, $1] = line[$3, $1] $4 "," $5 "," $6 "," $7 "\n" }
		function below(n) { x = (40014 * x) % 2147483563; return int(x / 2147483563 * n) }
		END {
			x = 20240612
			for (p in programs) for (d = 0; d < draws; d++) {
				for (i = runs - 1; i > 0; i--) {
					j = below(i + 1); t = run[i]; run[i] = run[j]; run[j] = t
				}
				for (i = 0; i < 10; i++) {
					n = split(line[p, run[i]], row, "\n")
					for (k = 1; k < n; k++)
						print run[i] "," (i < 5 ? "a" : "b") "," p "." d "," row[k]
				}
			}
		}' "$recorded"
}
awk -F, -v OFS=, 'NR > 1 { r = substr($1, 2) + ($2 == "a"); $3 = $3 "." r; print }' "$recorded" >"$T/between"
printf '| one run, 12 blocks | %s |\n' "$(within | judge - | share_of "$alarm" | cell)"
printf '| one run per side, in consecutive runs | %s |\n' "$(between | judge - | share_of "$alarm" | cell)"
printf '| five runs per side, drawn at random from runs of the same side | %s |\n' "$(halves | judge - | share_of "$alarm" | cell)"
cat <<END

By default, bench-compare has two more conditions for a verdict: the difference must be larger than the
margin of 2%, and p is corrected by Holm's method for all rows of the table. The next table shows the percentage of
tables with at least one false alarm.

| tables | with a false alarm |
|---|---|
END
# tables NAME RUNS SAMPLES COUNT THRESHOLD: prints how many of COUNT tables have an alarm, and COUNT
tables() {
	k=0 hits=0
	while [ $k -lt "$4" ]; do
		k=$((k + 1))
		set -- "$1" "$2" "$3" "$4" "$5" "$(sides "$1" "$2" "$3" $((k + 50)) |
			bench-compare -q -b side --no-geomean --threshold "$5" | share_of "$alarm")"
		[ "${6%% *}" -gt 0 ] && hits=$((hits + 1))
	done
	echo "$hits $4"
}
subjects=50
tries=$((REPEATS / 10 > 4 ? REPEATS / 10 : 4))
printf '| %d tables of 50 normal subjects, 20 samples, margin 0 | %s |\n' $tries "$(tables normal 1 20 $tries 0% | cell)"
printf '| the same at the default margin | %s |\n' "$(tables normal 1 20 $tries 2% | cell)"
printf '| %d tables of 50 subjects whose runs differ, 7 runs of 5 samples, margin 0 | %s |\n' $tries "$(tables runs 7 5 $tries 0% | cell)"
printf '\nMade by `REPEATS=%d sh tests/validation/calibration.sh`.\n' "$REPEATS"
