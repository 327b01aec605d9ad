#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how often bench-stat --growth and the rule of Google Benchmark find the true model.
. "${0%/*}/common.sh"

if ! command -v Rscript >/dev/null; then
	echo "growth.sh: needs R (Debian: r-base-core) for the random values" >&2
	exit 2
fi

# growth.R REPEATS WIDTH SIZES ERROR CONSTANT: writes series to series.csv, and for each series its name and the model
# that Google Benchmark chooses to the file benchmark. A series is named NUMBER:MODEL.
cat >"$T/growth.R" <<'END'
given <- commandArgs(TRUE)
number <- as.numeric(given)
f <- list("1/n" = function(n) 1 / n, "1" = function(n) 0 * n + 1, "log n" = log2, "n" = identity,
	"n log n" = function(n) n * log2(n), "n^2" = function(n) n^2, "n^3" = function(n) n^3)
set.seed(20261129)
times <- function(model, n) {
	y <- f[[model]](n)
	(y / min(y) + number[5]) * exp(number[4] * rnorm(length(n)))
}
# complexity.cc of Google Benchmark: the least root mean square of the errors, where the models have one factor
of_benchmark <- function(n, y) {
	names <- c("1", "n", "log n", "n log n", "n^2", "n^3")
	rms <- sapply(names, function(m) { g <- f[[m]](n); sum((y - sum(y * g) / sum(g^2) * g)^2) })
	names[which.min(rms)]
}
sizes <- exp(seq(0, log(number[2]), length.out = number[3]))
rows <- file("series.csv", "w"); found <- file("benchmark", "w")
writeLines("bench,n,metric,unit,value", rows)
for (i in seq_len(number[1])) {
	model <- names(f)[i %% length(f) + 1]
	n <- round(sizes * if (model == "1/n") 1 else 1000)
	name <- paste0(i, ":", model)
	y <- times(model, n)
	writeLines(sprintf("%s,%d,wall,ns,%.17g", name, n, y), rows)
	if (model != "1/n") writeLines(paste(name, of_benchmark(n, y), sep = ","), found)
}
END

cat <<END
## Growth

\`bench-stat --growth\` chooses the model of growth that suits the medians best, and lists others that they do
not rule out. Here each of the seven models is the true one of as many series. The sizes are evenly spaced on
a logarithmic scale, and the values have independent log-normal errors. The constant, such as the time to
start a program, is a multiple of the smallest value of the model. The columns of results show, in percent of
$REPEATS series with their 95% intervals, how often the true model is chosen; how often it is chosen or listed;
the mean number of models that are chosen or listed; and how often the rule of Google Benchmark chooses the
true one. That rule has no model 1/n, so its column is of the other six. It has no constant and minimizes
absolute errors, so the largest values decide almost alone. It always chooses one model; bench-stat chooses
the model 1 if the growth is not significant.

| largest / smallest size | sizes | error | constant | chosen | chosen or listed | models | Google Benchmark |
|---|---|---|---|---|---|---|---|
END
# row WIDTH SIZES ERROR CONSTANT: prints a row of the table
row() {
	(cd "$T" && Rscript --vanilla growth.R "$REPEATS" "$@")
	printf '| %d | %d | %s | %d | ' "$1" "$2" "$(awk -v e="$3" 'BEGIN { print 100 * e "%" }')" "$4"
	# shellcheck disable=SC2154 # from common.sh
	bench-stat -q --csv -g bench --growth n "$T/series.csv" | awk -F, "$wilson"'
		FILENAME == "-" && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ split($1, name, ":") }
		FILENAME != "-" { theirs += $2 == name[2]; of++; next }
		{ n++; chosen += $at["model"] == name[2]; models += 1 + split($at["also"], also, "; ")
			listed += index("; " $at["model"] "; " $at["also"] "; ", "; " name[2] "; ") > 0 }
		END { print per_cent(chosen, n), "|", per_cent(listed, n), "|", sprintf("%.2f", models / n), "|",
			per_cent(theirs, of), "|" }' "$T/benchmark" -
}
for width in 10 100 1000; do
	for sizes in 5 8; do
		for error in 0.01 0.05; do
			row $width $sizes $error 0
			row $width $sizes $error 10
		done
	done
done
printf '\nMade by `REPEATS=%d sh tests/validation/growth.sh`.\n' "$REPEATS"
