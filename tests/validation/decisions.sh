#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how often bench-compare and other programs call two sides different, on the same samples.
# Needs R and the packages of `make deps-engines` (in build/venv). $BENCHSTAT is Go's benchstat; its
# column is empty without it. $FAMILIES are the families of the first table.
. "${0%/*}/common.sh"

recorded=$here/../fixtures/data/recorded.csv
python=${VIRTUAL_ENV:-$here/../../build/venv}/bin/python
subjects=$((REPEATS / 50 > 20 ? REPEATS / 50 : 20)) # the tests of pyperf and asv are slow
for need in Rscript "$python"; do
	if ! command -v "$need" >/dev/null; then
		echo "decisions.sh: needs $need (Debian: r-base-core; make deps-engines)" >&2
		exit 2
	fi
done

# The decisions of hyperfine: Welch's test, as in its script welch_ttest.py, and its summary, by its formula
# for the standard deviation of the ratio, with which a reader may see a difference if the range excludes 1.
cat >"$T/hyperfine.R" <<'END'
read <- function(path) { d <- read.csv(path); split(d$value, d$bench) }
a <- read(commandArgs(TRUE)[1]); b <- read(commandArgs(TRUE)[2])
welch <- mapply(function(x, y) t.test(x, y)$p.value < 0.05, a, b[names(a)])
range <- mapply(function(x, y) {
	if (mean(x) > mean(y)) { z <- x; x <- y; y <- z }
	ratio <- mean(y) / mean(x)
	ratio - ratio * sqrt((sd(x) / mean(x))^2 + (sd(y) / mean(y))^2) > 1
}, a, b[names(a)])
cat("welch", sum(welch), length(welch), "\nrange", sum(range), length(range), "\n")
END

# found [OPTION...]: prints how many pairs of both.csv bench-compare calls different, and their number
found() {
	bench-compare -q -b side --adjust none --no-geomean "$@" "$T/both.csv" 2>"$T/said" | share_of '^(better|worse)$'
}
# foreign FORMAT SUFFIX: writes the sides for another program
foreign() {
	for side in a b; do
		bench-convert -q -t "$1" -o "$T/$side.$2" "$T/$side.csv"
	done
}
# rates: prints the cells of a row from both.csv, which has the columns run and side
rates() {
	for side in a b; do
		awk -F, -v OFS=, -v side=$side '
			NR == 1 { for (i = 1; i <= NF; i++) if ($i == "side") at = i }
			NR == 1 || $at == side { for (i = 1; i <= NF; i++) if (i != at) printf "%s%s", $i, i < NF ? OFS : ORS }
			' "$T/both.csv" >"$T/$side.csv"
	done
	foreign pyperf json
	{
		echo "default $(found)"
		echo "none $(found --threshold 0%)"
		if command -v "${BENCHSTAT:-benchstat}" >/dev/null; then
			foreign go txt
			"${BENCHSTAT:-benchstat}" -format csv "$T/a.txt" "$T/b.txt" 2>/dev/null |
				awk -F, '$6 ~ /^(~|[-+][0-9.]+%)$/ && $1 != "geomean" { n++; hits += $6 != "~" } END { print "benchstat", hits + 0, n + 0 }'
		fi
		"$python" "$here/decisions.py" "$T/a.csv" "$T/b.csv" "$T/a.json" "$T/b.json"
		Rscript --vanilla "$T/hyperfine.R" "$T/a.csv" "$T/b.csv"
	} >"$T/decisions"
	awk -v alarm="$1" "$wilson"'
		{ cell[$1] = per_cent($2, $3) (alarm && $1 ~ /default|none/ && $2 / $3 > 0.065 ? " **!**" : "") }
		END {
			n = split("default none benchstat pyperf welch range asv", name, " ")
			for (i = 1; i <= n; i++) printf " | %s", name[i] in cell ? cell[name[i]] : "–"
			print " |"
		}' "$T/decisions"
}
# head_of COLUMNS RULE: prints the head of a table
head_of() {
	echo
	echo "| $1 | bench-compare | bench-compare, margin 0 | benchstat | pyperf | hyperfine, Welch | hyperfine, ± | asv |"
	echo "|$2---|---|---|---|---|---|---|"
}

cat <<END
## Decisions of other programs

These tables show how often programs that read the same samples decide that two sides differ: the percentage of
$subjects pairs, with its 95% interval. With a difference of 0% each such decision is a false alarm. The programs
decide as follows.

| program | version | two sides differ if |
|---|---|---|
| bench-compare | this one | its default: p < 0.05, and the whole interval is beyond the margin of 2%; p is not corrected |
| bench-compare, margin 0 | this one | p < 0.05 (\`--threshold 0%\`) |
| benchstat | $(if command -v "${BENCHSTAT:-benchstat}" >/dev/null; then echo "golang.org/x/perf"; else echo "not here"; fi) | p < 0.05 in the test of Mann and Whitney of all values |
| pyperf | $("$python" -c 'import pyperf; print(pyperf.__version__)') | \`compare_to\`: Student's t test of all values, at 95% |
| hyperfine, Welch | formula | its script welch_ttest.py: p < 0.05 in Welch's t test |
| hyperfine, ± | formula | the ratio in its summary minus the standard deviation printed with it is above 1 |
| asv | $("$python" -c 'import asv; print(asv.__version__)') | \`compare\`: p < 0.002 in the test of Mann and Whitney, or disjoint 99% intervals of few values, and medians that differ by the factor 1.1 |

The tests are those of H. B. Mann and D. R. Whitney (Annals of Mathematical Statistics 18, 1947), Student
(Biometrika 6, 1908) and B. L. Welch (Biometrika 34, 1947).

Each side is one run in the first table. The standard deviation of a sample is 2%. With three samples per side,
bench-compare and benchstat decide nothing, because the p of a rank test cannot be below 0.05; bench-compare reports
this, and says how many samples are needed. The t tests decide, but outliers hide differences from them, however many
samples there are. If neighboring samples resemble each other, or if runs differ, no program can know from one run
per side whether a difference comes from the code.
END
head_of 'family | difference | samples per side' '---|---|---|'
seed=500
for f in ${FAMILIES:-normal bimodal spike autocorrelated drifting runs}; do
	for difference in 0 5 15; do
		for n in 3 5 10 20; do
			seed=$((seed + 1))
			[ $difference -lt 15 ] || [ $n -lt 10 ] || continue # nearly all find it
			sides "$f" 1 $n $seed "$(awk -v d=$difference 'BEGIN { print 1 + d / 100 }')" >"$T/both.csv"
			printf '| %s | %d%% | %d' "$f" $difference $n
			rates 0
		done
	done
done
cat <<END

The next table has five runs per side of five samples each. The standard deviation between runs of the family
runs is 4%. bench-compare compares the medians of runs; the other programs take all 25 values as independent, which
finds more differences, even where there are none. **!** marks false alarms of bench-compare above 6.5%.
END
head_of 'family | difference' '---|---|'
for f in normal runs; do
	for difference in 0 5 15; do
		seed=$((seed + 1))
		sides "$f" 5 5 $seed "$(awk -v d=$difference 'BEGIN { print 1 + d / 100 }')" >"$T/both.csv"
		printf '| %s | %d%%' "$f" $difference
		rates $((difference == 0))
	done
done
cat <<END

The last table has the recorded values of six programs (tests/fixtures/data/recorded.csv). The sides are two runs
drawn at random, or two times five runs, of the same program. The second side is multiplied to make a difference.
These runs differ by more than the difference of 5%, so five runs per side are too few to find it.
END
head_of 'sides | difference' '---|---|'
# draws RUNS PERCENT: prints sides of RUNS different runs, many times
draws() {
	awk -F, -v draws="$((subjects / 6 + 1))" -v each="$1" -v factor="$(awk -v d="$2" 'BEGIN { print 1 + d / 100 }')" '
		NR == 1 { print; next }
		$2 != "a" { next }
		!($1 in number) { number[$1] = runs; run[runs++] = $1 }
		{ programs[$3]; count[$3, $1]++; sample[$3, $1, count[$3, $1]] = $4; value[$3, $1, count[$3, $1]] = $7 }
		function below(n) { x = (40014 * x) % 2147483563; return int(x / 2147483563 * n) }
		END {
			x = 20240612
			for (p in programs) for (d = 0; d < draws; d++) {
				for (i = runs - 1; i > 0; i--) {
					j = below(i + 1); t = run[i]; run[i] = run[j]; run[j] = t
				}
				for (i = 0; i < 2 * each; i++)
					for (k = 1; k <= count[p, run[i]]; k++)
						printf "%s,%s,%s-%d,%d,wall,ns,%.0f\n", run[i], i < each ? "a" : "b", p, d,
							sample[p, run[i], k], value[p, run[i], k] * (i < each ? 1 : factor)
			}
		}' "$recorded"
}
for runs in 1 5; do
	for difference in 0 5 15; do
		draws $runs $difference >"$T/both.csv"
		printf '| %s | %d%%' "$([ $runs = 1 ] && echo 'one run of 12 samples' || echo 'five runs of 12 samples')" $difference
		rates $((difference == 0 && runs > 1))
	done
done
printf '\nMade by `REPEATS=%d sh tests/validation/decisions.sh`.\n' "$REPEATS"
