#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures change points: steps of known size and place, series without steps, drifts, published series.
. "${0%/*}/common.sh"

if ! command -v Rscript >/dev/null; then
	echo "change.sh: needs R (Debian: r-base-core) for the method that is compared with" >&2
	exit 2
fi
search=${BUILD:-$here/../../build}/tests/series
if [ ! -x "$search" ]; then
	echo "change.sh: needs $search, which make evidence builds" >&2
	exit 2
fi
# The published method is slow, so it searches fewer series.
fewer=$((REPEATS / 50 > 4 ? REPEATS / 50 : 4))

# Files: cases/CASE/values has the values of a series in each line; cases/CASE/published has the
# points that the published method finds in the first series of a case.
cat >"$T/cases.R" <<'R'
args <- commandArgs(TRUE)
source(args[1])
reps <- as.integer(args[2]); fewer <- as.integer(args[3])
set.seed(20230415)
memory <- function(n, r) as.numeric(stats::filter(c(rnorm(1), sqrt(1 - r^2) * rnorm(n - 1)), r, "recursive"))
n <- 100
steps <- function(snr, at = 60) { force(snr); function() rnorm(n) + snr * (seq_len(n) > at) }
cases <- list()
for (snr in c(0.5, 1, 1.5, 2, 3, 4, 5)) cases[[paste("step", snr)]] <- steps(snr)
cases[["step 3 near the end"]] <- steps(3, 92)
cases[["step 2 for 20 values"]] <- function() rnorm(n) + 2 * (seq_len(n) > 60 & seq_len(n) <= 80)
for (snr in c(2, 5)) cases[[paste("step", snr, "r 0.35")]] <-
	local({ s <- snr; function() memory(n, 0.35) + s * (seq_len(n) > 60) })
cases[["none normal"]] <- function() rnorm(n)
cases[["none lognormal"]] <- function() exp(rnorm(n) / 2)
cases[["none bimodal"]] <- function() rnorm(n) + 6 * (runif(n) < 0.3)
cases[["none spikes"]] <- function() rnorm(n) + 20 * (runif(n) < 0.03)
cases[["none r 0.3"]] <- function() memory(n, 0.3)
cases[["none r 0.5"]] <- function() memory(n, 0.5)
cases[["none 24 values"]] <- function() rnorm(24)
cases[["none 24 values r 0.3"]] <- function() memory(24, 0.3)
cases[["none 24 values r 0.5"]] <- function() memory(24, 0.5)
drift <- function(size, snr) { force(size); force(snr)
	function() rnorm(n) + size * seq(0, 1, length.out = n) + snr * (seq_len(n) > 60) }
for (size in c(3, 5, 10, 20)) cases[[paste("drift", size)]] <- drift(size, 0)
for (size in c(5, 10)) cases[[paste("drift", size, "step 5")]] <- drift(size, 5)
for (case in names(cases)) {
	dir <- file.path("cases", gsub(" ", "_", case))
	dir.create(dir, recursive = TRUE)
	x <- replicate(reps, 100 + cases[[case]](), simplify = FALSE)
	writeLines(sapply(x, function(v) paste(sprintf("%.17g", v), collapse = " ")), file.path(dir, "values"))
	writeLines(sapply(x[seq_len(fewer)], function(v) paste(windows(v), collapse = " ")), file.path(dir, "published"))
}
R
cd "$T" || exit 1
Rscript --vanilla cases.R "$here/windows.R" "$REPEATS" "$fewer"

# changes FILE [OPTION...]: prints the number of values before each step that bench-compare finds, and
# "drift" for a drift
changes() {
	file=$1
	shift
	awk 'BEGIN { print "commit,metric,value" } { print NR ",cost," $1 }' "$file" |
		bench-compare -q --history --threshold 0% "$@" |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ printf "%s%s", (NR > 2 ? " " : ""), $at["shape"] == "drift" ? "drift" : $at["commit_before"] }
			END { print "" }'
}
for dir in cases/*; do
	"$search" 0 <"$dir/values" >"$dir/whole"
	"$search" 50 <"$dir/values" >"$dir/windows"
done

# recall PLACE FILE: reads lines with the places found; prints the share of lines with a place within 2
# of the true one, and the number of other places per line
recall() {
	awk -v at="$1" "$wilson"'{
			right = 0
			for (i = 1; i <= NF; i++)
				if ($i + 0 >= at - 2 && $i + 0 <= at + 2 && !right) right = 1
				else other++
			hits += right
		}
		END { printf "%s, %.2f", per_cent(hits, NR), other / NR }' "$2"
}
# alarms METHOD FILE: prints the share of lines with a place, marked if it is above 6.5% and the method is ours
alarms() {
	awk -v method="$1" "$wilson"'{ hits += NF > 0 }
		END { printf("%s%s", per_cent(hits, NR), (method != "published" && hits / NR > 0.065 ? " **!**" : "")) }' "$2"
}
# kinds FILE: reads lines with the places found; prints the shares with a drift only, a drift and steps,
# steps only, and nothing
kinds() {
	awk "$wilson"'{ drift = /drift/; step = NF > drift; n[drift, step]++ }
		END { printf "%s | %s | %s | %s", per_cent(n[1, 0], NR), per_cent(n[1, 1], NR), per_cent(n[0, 1], NR),
			per_cent(n[0, 0], NR) }' "$1" | sed 's/(-0/(0/g'
}
# points FILE: prints the mean number of places per line
points() { awk '{ n += NF } END { printf "%.2f", n / NR }' "$1"; }
# row NAME CASE HOW [PLACE]: prints recall or alarms of the three methods
row() {
	printf '| %s' "$1"
	for method in whole windows published; do
		printf ' | %s' "$(if [ "$3" = recall ]; then recall "$4" "cases/$2/$method"
			else alarms $method "cases/$2/$method"; fi | sed 's/(-0/(0/')"
	done
	echo ' |'
}

cat <<END
## Change points

Each row of this table shows results of $REPEATS series of 100 values with standard deviation 1. Unless the row
says otherwise, each series has a step after the 60th value. The size of the step is its signal-to-noise ratio,
and r is the lag-1 autocorrelation. The columns show three methods:

- *whole* is \`bench-compare --history --threshold 0%\`, which searches the whole series;
- *windows* is the same with \`--window 50\`;
- *published windows* is a published method (Fleming and others 2023; window 50, p < 0.001, implemented
  from its definition in \`windows.R\`), in the first $fewer of these series.

Each cell has the percentage of series in which a change is found within 2 values of the true place, with
the 95% interval of that rate. The number after the comma is the mean number of other change points or
drifts that are found in a series.

| series | whole | windows | published windows |
|---|---|---|---|
END
for snr in 0.5 1 1.5 2 3 4 5; do row "step of $snr" "step_$snr" recall 60; done
for snr in 2 5; do row "step of $snr, r = 0.35" "step_${snr}_r_0.35" recall 60; done
row "step of 3 after the 92nd value" step_3_near_the_end recall 92
row "step of 2, back after 20 values" step_2_for_20_values recall 60
cat <<END

The next table shows false alarms: the percentage of series without a change in which one is found.
bench-compare is designed to have a false alarm in at most 5% of such series. **!** marks a rate above 6.5%.

| series | whole | windows | published windows |
|---|---|---|---|
END
for family in normal lognormal bimodal spikes 'r 0.3' 'r 0.5' '24 values' '24 values r 0.3' '24 values r 0.5'; do
	row "$(echo "$family" | sed 's/ r /, r /; s/r /r = /')" "$(echo "none $family" | tr ' ' _)" alarms
done

cat <<END

The next table has series that drift by N standard deviations from the first value to the last, some of
them with a step of 5 after the 60th value, and series without a drift. The first four columns show the
percentage of series in which bench-compare finds a drift, both a drift and steps, only steps, or nothing;
it searches the whole series. The last column shows the mean number of change points that the published
method finds. That method has no model of drifts.

| series | a drift | a drift and steps | steps | nothing | points of published windows |
|---|---|---|---|---|---|
END
drift_row() { echo "| $1 | $(kinds "cases/$2/whole") | $(points "cases/$2/published") |"; }
for size in 3 5 10 20; do drift_row "drift by $size" "drift_$size"; done
for size in 5 10; do drift_row "drift by $size with a step" "drift_${size}_step_5"; done
drift_row 'step of 2' step_2
drift_row 'step of 5' step_5
drift_row 'step of 2, back after 20 values' step_2_for_20_values
drift_row 'no change' none_normal
drift_row 'no change, r = 0.5' none_r_0.5

# Published series: two from R, and one from many textbooks.
cat >coal <<END
4 5 4 1 0 4 3 4 0 6 3 3 4 0 2 6 3 3 5 4 5 3 1 4 4 1 5 5 3 4 2 5 2 2 3 4 2 1 3 2 2 1 1 1 1 3 0 0
1 0 1 1 0 0 3 1 0 3 2 2 0 1 1 1 0 1 0 1 0 0 0 2 1 0 0 0 1 1 0 2 3 3 1 1 2 1 1 1 1 2 4 2 0 0 0 1
4 0 0 0 1 0 0 0 0 0 1 0 0 1 0 1
END
tr ' ' '\n' <coal >coal.values
cat >series.R <<'R'
write(Nile, "nile.values", 1)
deaths <- log(UKDriverDeaths)
write(exp(deaths - ave(deaths, cycle(deaths)) + mean(deaths)), "deaths.values", 1)
source(commandArgs(TRUE)[1])
for (f in c("nile", "coal", "deaths"))
	writeLines(paste(windows(scan(paste0(f, ".values"), quiet = TRUE)), collapse = " "), paste0(f, ".published"))
R
Rscript --vanilla series.R "$here/windows.R"
# named FIRST PER PLACES: prints numbers of values as the year or month of the last value
named() {
	for place in $3; do
		[ "$place" != drift ] || { echo 'a drift' && continue; }
		awk -v first="$1" -v per="$2" -v i="$place" 'BEGIN {
			year = first + int((i - 1) / per)
			print (per > 1 ? sprintf("%d-%02d", year, (i - 1) % per + 1) : year)
		}'
	done | paste -sd, - | sed 's/,/, /g; s/^$/–/'
}
# published NAME FILE FIRST PER KNOWN
published() {
	printf '| %s | %s | %s | %s | %s |\n' "$1" "$5" "$(named "$3" "$4" "$(changes "$2.values")")" \
		"$(named "$3" "$4" "$(changes "$2.values" --window 50)")" \
		"$(named "$3" "$4" "$(cat "$2.published")")"
}
cat <<'END'

The last table has published series with known changes. The cells have, for each change,
the last year or month before it.

| series | known | whole | windows | published windows |
|---|---|---|---|---|
END
published 'flow of the Nile at Aswan, 1871–1970 (R: Nile)' nile 1871 1 '1898 (Cobb 1978)'
published 'coal mining disasters in Britain, 1851–1962' coal 1851 1 \
	'about 1890 (Jarrett 1979; Carlin, Gelfand and Smith 1992)'
published 'car drivers killed or hurt in Britain a month, 1969–1984, less the mean of each month (R: UKDriverDeaths)' \
	deaths 1969 12 '1983-01; seat belts became compulsory (Harvey and Durbin 1986)'
printf '\nMade by `REPEATS=%d sh tests/validation/change.sh`.\n' "$REPEATS"
