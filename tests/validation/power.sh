#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often a difference is found, beside the plain test of benchstat.
. "${0%/*}/common.sh"

if ! command -v Rscript >/dev/null; then
	echo "power.sh: needs R (Debian: r-base-core) for the test that is compared with" >&2
	exit 2
fi

cell() { awk "$wilson"'{ printf("%s", per_cent($1, $2)) }'; }

# benchstat's documentation (golang.org/x/perf/cmd/benchstat): all values of a side in one
# sample, the test of Mann and Whitney, alpha 0.05.
# One R answers all questions: a line with a file in, "HITS OF" out.
cat >"$T/plain.R" <<'END'
files <- file("stdin", "r")
while (length(name <- readLines(files, 1))) {
	d <- read.csv(name)
	p <- sapply(split(d, d$bench), function(s)
		suppressWarnings(wilcox.test(s$value[s$side == "a"], s$value[s$side == "b"])$p.value))
	cat(sum(p < 0.05), length(p), "\n")
	flush(stdout())
}
END
mkfifo "$T/ask" "$T/answer"
Rscript --vanilla "$T/plain.R" <"$T/ask" >"$T/answer" &
exec 3>"$T/ask" 4<"$T/answer"
# plain FILE: the hits of the plain test
plain() { echo "$1" >&3 && read -r answer <&4 && echo "$answer"; }

found='^(better|worse)$'

cat <<END
## Power

How often a difference that is there is found, in per cent of $REPEATS comparisons with the 95 %
interval of that rate. benchstat's plain test is computed by R from the same values:
\`wilcox.test\` over all values of a side, found when p < 0.05. bench-compare has no margin and no
correction here (\`--threshold 0% --adjust none\`), as that test has none. The shift is in standard
deviations of the family.

| family | samples | shift | bench-compare, one run a side | plain test | bench-compare, blocks of one run | plain test |
|---|---|---|---|---|---|---|
END
seed=100
for f in normal lognormal uniform exponential bimodal; do
	for n in 10 20 30; do
		seed=$((seed + 1))
		shift=0.8
		factor=$(awk -v f=$f -v d=$shift 'BEGIN { print f == "lognormal" ? exp(0.3 * d) : 1 + 0.02 * d }')
		sides $f 1 $n $seed "$factor" >"$T/sides"
		blocks $f $n $seed "$factor" >"$T/blocks"
		printf '| %s | %d | %s | %s | %s | %s | %s |\n' $f $n $shift \
			"$(judge "$T/sides" | share_of "$found" | cell)" "$(plain "$T/sides" | cell)" \
			"$(judge "$T/blocks" | share_of "$found" | cell)" "$(plain "$T/blocks" | cell)"
	done
done
cat <<END

Two things cost power that the plain test does not pay. A verdict asks that test and ratio of medians
lean to the same side; where a distribution has two modes, medians leap between them, and some
differences stay unsure. And blocks that have nothing in common, as here, are compared by signed
ranks, which find less where the distribution has two modes or a long tail; what they are for stands
at the end of the next table.

Where a side has several runs, bench-compare takes each run as one value, and so finds less than a
test that pools them, when runs happen not to differ. When they do, that test calls identical code
different half of the time, and where a run drifts, blocks find what it cannot.

| family | runs and samples a side | shift | bench-compare | plain test |
|---|---|---|---|---|
END
for f in normal runs; do
	for shift in 0 0.8; do
		for runs in 5 10; do
			seed=$((seed + 1))
			factor=$(awk -v d=$shift 'BEGIN { print 1 + 0.02 * d }')
			sides $f $runs 10 $seed "$factor" >"$T/sides"
			printf '| %s | %d × 10 | %s | %s | %s |\n' $f $runs $shift \
				"$(judge "$T/sides" | share_of "$found" | cell)" "$(plain "$T/sides" | cell)"
		done
	done
done
for f in runs drifting autocorrelated; do
	for shift in 0 0.8; do
		seed=$((seed + 1))
		factor=$(awk -v d=$shift 'BEGIN { print 1 + 0.02 * d }')
		blocks $f 30 $seed "$factor" >"$T/blocks"
		printf '| %s | 1 × 30, both sides in blocks | %s | %s | %s |\n' $f $shift \
			"$(judge "$T/blocks" | share_of "$found" | cell)" "$(plain "$T/blocks" | cell)"
	done
done
printf '\nMade by `REPEATS=%d sh tests/validation/power.sh`.\n' "$REPEATS"
