#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how often bench-compare and textbook tests of the same values find a difference.
. "${0%/*}/common.sh"

if ! command -v Rscript >/dev/null; then
	echo "power.sh: needs R (Debian: r-base-core) for the tests that are compared with" >&2
	exit 2
fi

# One R process serves all cases: it reads "TEST FILE", and writes the benchmarks for which p is below 0.05, one
# per line, to the file that is its argument. All benchmarks have the same number of values. p is that of
# wilcox.test, which is exact up to 49 values without ties, computed for all benchmarks at once. TEST is
#	values   Mann and Whitney's test of all values of the sides
#	medians  Mann and Whitney's test of the medians of the runs of the sides, of 5 samples each
#	pairs    Wilcoxon's signed-rank test of the logarithms of the ratios in blocks
cat >"$T/tests.R" <<'END'
ranks <- function(m) { m[order(col(m), m)] <- rep(seq_len(nrow(m)), ncol(m)); m }
medians <- function(m) {
	g <- rep(seq_len(length(m) / 5), each = 5)
	matrix(m[order(g, m)][seq(3, length(m), 5)], nrow(m) / 5)
}
# p of a statistic that is symmetric about its mean, from its distribution function or normally
two_sided <- function(w, mean, spread, exact, below) {
	off <- abs(w - mean)
	pmin(1, 2 * if (exact) below(mean - off) else pnorm(-(off - 0.5) / spread))
}
values <- function(a, b) {
	m <- nrow(a); n <- nrow(b)
	w <- colSums(ranks(rbind(a, b))[seq_len(m), , drop = FALSE]) - m * (m + 1) / 2
	two_sided(w, m * n / 2, sqrt(m * n * (m + n + 1) / 12), max(m, n) < 50, function(w) pwilcox(w, m, n))
}
test <- list(values = values, medians = function(a, b) values(medians(a), medians(b)), pairs = function(a, b) {
	d <- log(b / a); n <- nrow(d)
	v <- colSums(ranks(abs(d)) * (d > 0))
	two_sided(v, n * (n + 1) / 4, sqrt(n * (n + 1) * (2 * n + 1) / 24), n < 50, function(v) psignrank(v, n))
})
columns <- c("character", "character", "character", "integer", "character", "character", "numeric")
asked <- file("stdin", "r")
while (length(line <- readLines(asked, 1))) {
	ask <- strsplit(line, " ")[[1]]
	d <- read.csv(ask[2], colClasses = columns)
	d <- d[order(d$side, d$bench, d$run, method = "radix"), ]
	names <- unique(d$bench)
	side <- function(s) matrix(d$value[d$side == s], ncol = length(names))
	p <- test[[ask[1]]](side("a"), side("b"))
	for (i in seq_len(min(3, length(names)))) { # as wilcox.test computes it
		a <- side("a")[, i]; b <- side("b")[, i]
		if (ask[1] == "medians") { a <- medians(as.matrix(a)); b <- medians(as.matrix(b)) }
		r <- if (ask[1] == "pairs") wilcox.test(log(b), log(a), paired = TRUE) else wilcox.test(c(a), c(b))
		stopifnot(abs(p[i] - r$p.value) < 1e-9)
	}
	writeLines(names[p < 0.05], commandArgs(TRUE))
	cat("\n")
	flush(stdout())
}
END
mkfifo "$T/ask" "$T/answer"
Rscript --vanilla "$T/tests.R" "$T/found.R" <"$T/ask" >"$T/answer" &
exec 3>"$T/ask" 4<"$T/answer"
# textbook TEST FILE: makes found.R
textbook() { echo "$1 $2" >&3 && read -r _ <&4; }
# ours FILE: makes found.ours, in the same way
ours() {
	judge "$1" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["verdict"] ~ /^(better|worse)$/ { print $at["bench"] }' >"$T/found.ours"
}
# both TEST FILE SHIFT: prints the rates of both tests, their difference and its lower 95% bound, in percent;
# **!** if there is a shift, and the bound is below -2
both() {
	ours "$2"
	textbook "$1" "$2"
	# shellcheck disable=SC2154 # from common.sh
	awk -v n="$subjects" -v shift="$3" "$wilson"'
		FILENAME ~ /ours$/ { ours[$1]; hits++; next }
		{ theirs++; shared += $1 in ours }
		END {
			d = (hits - theirs) / n
			apart = (hits - shared + theirs - shared) / n
			low = d - 1.959964 * sqrt((apart - d * d) / n)
			printf "%s | %s | %.1f (%.1f)%s", per_cent(hits, n), per_cent(theirs, n), 100 * d, 100 * low,
				shift && low < -0.02 ? " **!**" : ""
		}' "$T/found.ours" "$T/found.R"
}
# factor NAME SHIFT: prints the ratio of values that differ by SHIFT standard deviations
factor() { awk -v f="$1" -v d="$2" 'BEGIN { print f == "lognormal" ? exp(0.3 * d) : 1 + 0.02 * d }'; }

cat <<END
## Power

These tables show how often a real difference is found: the percentage of $REPEATS comparisons, with the
95% interval of that rate. The shift is the true difference, in standard deviations of the family.
bench-compare uses no margin and no correction (\`--threshold 0% --adjust none\`). A *textbook test* of the
same values, by R's \`wilcox.test\`, finds a difference if p < 0.05. The last column is the rate of
bench-compare minus that of the textbook test, with its lower 95% bound; **!** marks a bound below -2.

In the first table, each side is one run, and the textbook test is that of Mann and Whitney.

| family | samples | shift | bench-compare | Mann and Whitney | difference |
|---|---|---|---|---|---|
END
seed=100
for f in normal lognormal uniform exponential bimodal; do
	for n in 10 20 30; do
		seed=$((seed + 1))
		sides $f 1 $n $seed "$(factor $f 0.8)" >"$T/sides"
		printf '| %s | %d | 0.8 | %s |\n' $f $n "$(both values "$T/sides" 1)"
	done
done
cat <<END

In the next table, one run measures both sides in each of its blocks, and the textbook test is that of
Wilcoxon's signed ranks. At a shift of 0 each difference that is found is a false alarm. The test of
bench-compare adds the ranks among all values to the signed ranks. The last column shows the test of Mann
and Whitney, which ignores the blocks. It finds more differences if the two values of a block are independent
of each other, as in the first five families, and far fewer if they are not.

| family | blocks | shift | bench-compare | signed ranks | difference | Mann and Whitney |
|---|---|---|---|---|---|---|
END
for f in normal lognormal uniform exponential bimodal runs drifting autocorrelated; do
	for n in 10 20 30; do
		for shift in 0 0.8; do
			seed=$((seed + 1))
			blocks $f $n $seed "$(factor $f $shift)" >"$T/blocks"
			printf '| %s | %d | %s | %s | ' $f $n $shift "$(both pairs "$T/blocks" $shift)"
			textbook values "$T/blocks"
			wc -l <"$T/found.R" | awk -v n="$subjects" "$wilson"'{ printf "%s |\n", per_cent($1, n) }'
		done
	done
done
cat <<END

If a side has several runs, bench-compare uses one value for each run, the median of its samples. In the next
table a run has 5 samples, and the textbook test is that of Mann and Whitney, of these medians. The last
column shows that test of all values, as benchstat does it. If runs do not differ, it finds more differences.
If they do, it finds differences between identical sides.

| family | runs per side | shift | bench-compare | medians of runs | difference | all values |
|---|---|---|---|---|---|---|
END
for f in normal runs; do
	for runs in 10 20 30; do
		for shift in 0 0.8; do
			seed=$((seed + 1))
			sides $f $runs 5 $seed "$(factor $f $shift)" >"$T/sides"
			printf '| %s | %d | %s | %s | ' $f $runs $shift "$(both medians "$T/sides" $shift)"
			textbook values "$T/sides"
			wc -l <"$T/found.R" | awk -v n="$subjects" "$wilson"'{ printf "%s |\n", per_cent($1, n) }'
		done
	done
done
printf '\nMade by `REPEATS=%d sh tests/validation/power.sh`.\n' "$REPEATS"
