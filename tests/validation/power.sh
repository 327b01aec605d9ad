#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how often bench-compare and the plain test of benchstat find a difference.
. "${0%/*}/common.sh"

if ! command -v Rscript >/dev/null; then
	echo "power.sh: needs R (Debian: r-base-core) for the test that is compared with" >&2
	exit 2
fi

cell() { awk "$wilson"'{ printf("%s", per_cent($1, $2)) }'; }

# benchstat's documentation (golang.org/x/perf/cmd/benchstat): all values of a side in one
# sample, the test of Mann and Whitney, alpha 0.05.
# One R process serves all cases: it reads the name of a file, and writes "HITS COUNT".
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
# plain FILE: prints the hits of the plain test
plain() { echo "$1" >&3 && read -r answer <&4 && echo "$answer"; }

found='^(better|worse)$'

cat <<END
## Power

These tables show how often a real difference is found: the percentage of $REPEATS comparisons, with the
95% interval of that rate. For comparison, R computes the test that benchstat uses, the *plain test*:
\`wilcox.test\` compares all values of one side with all values of the other, and finds a difference if
p < 0.05. Like the plain test, bench-compare here uses no margin and no correction
(\`--threshold 0% --adjust none\`). The shift is the true difference, in standard deviations of the family.

| family | samples | shift | bench-compare, one run per side | plain test | bench-compare, blocks of one run | plain test |
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

With one run per side, bench-compare and the plain test find the same differences. In blocks,
bench-compare compares the samples of a block with each other, by signed ranks. In this table the samples
of a block are independent. Signed ranks then find fewer differences in distributions with two modes or a
long tail. The drifting and autocorrelated values of the next table show the advantage of blocks.

If a side has several runs, bench-compare uses one value for each run. If runs do not differ, it
therefore finds fewer differences than the plain test, which pools all samples. If runs differ, the plain
test reports a difference in half of the comparisons of identical sides. If a run drifts, the comparison of
blocks finds differences that the plain test misses. In the table, 5 × 10 means five runs of ten samples.

| family | runs and samples per side | shift | bench-compare | plain test |
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
