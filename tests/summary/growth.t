#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat --growth: exponents and models of growth.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# curve NAME A B: rows of a + b f(n), exactly, where f is the model NAME
curve() {
	awk -v name="$1" -v a="$2" -v b="$3" 'function log2(x) { return log(x) / log(2) }
		BEGIN { for (n = 2; n <= 65536; n *= 8) {
			f["1/n"] = 1 / n; f["1"] = 1; f["log n"] = log2(n); f["n"] = n
			f["n log n"] = n * log2(n); f["n^2"] = n * n; f["n^3"] = n * n * n
			printf("%s,%d,wall,ns,%.17g\n", name, n, a + b * f[name]) } }'
}
{
	echo bench,n,metric,unit,value
	curve 1/n 3 64
	curve 1 5 0
	curve 'log n' 7 11
	curve n 100 3
	curve 'n log n' 0 2
	curve n^2 1e6 0.5
	curve n^3 1000 0.25
} >exact.csv
bench-stat --growth n exact.csv >exact
is "$(columns bench,model exact)" "$(printf '%s,%s\n' 1/n 1/n 1 1 'log n' 'log n' n n 'n log n' 'n log n' n^2 n^2 n^3 n^3)" \
	"bench-stat --growth recognizes each model from exact values"
is "$(columns constant,factor exact | awk -F, '{ printf("%.6g,%s\n", $1, $2 == "" ? "" : sprintf("%.6g", $2)) }' | paste -sd' ')" \
	'3,64 5, 7,11 100,3 0,2 1e+06,0.5 1000,0.25' "bench-stat --growth finds the constants of each model; a constant has no factor"
is "$(column also exact | tr -d '\n')" '' "exact values rule out all other models"
is "$(columns sizes,from,to,missing,status exact | sort -u | paste -sd' ')" 6,2,65536,0,ok \
	"bench-stat --growth prints the number and range of sizes"

{
	echo bench,n,metric,unit,value
	for n in 1 10 100 1000; do echo "b,$n,wall,ns,$((7 * n))"; done
} >power.csv
bench-stat --growth n power.csv >power
is "$(columns exponent,exponent_lo,exponent_hi power | awk -F, '{ printf("%.9f %.9f %.9f", $1, $2, $3) }')" \
	'1.000000000 1.000000000 1.000000000' "values in proportion to the size have the exponent 1"
is "$(column model power)" n "the size 1, whose logarithm is 0, is fitted"
awk -F, 'NR == 1 || $2 < 1000' power.csv | bench-stat --growth n >few 2>err
is "$(columns sizes,exponent,model,status few | sed 's/0.99999999*[0-9]*/1/')" '3,1,,few' "three sizes have an exponent, and no model"
like "$(cat err)" '^bench-stat: 1 row without a model, which needs at least 4 values of .n.$' "a message says how many sizes a model needs"
is "$(printf '%s\n' bench,n,metric,value b,.1,m,1.1 b,.2,m,1.2 b,.4,m,1.4 b,.8,m,1.8 | bench-stat --growth n | columns model,also)" n, \
	"models that are negative for a size are not used"
is "$(awk -F, 'NR == 1 || $2 < 100' power.csv | bench-stat -q --growth n 2>&1 | columns exponent,exponent_lo,status)" 1,,few \
	"two sizes have an exponent without an interval, and -q prints no message"
is "$(awk -F, 'NR == 1 || $2 < 10' power.csv | bench-stat -q --growth n | columns sizes,exponent,status)" 1,,few \
	"one size has no exponent"
is "$(head -n 1 power.csv | bench-stat -q --growth n)" metric,unit,"$(head -n 1 power | cut -d, -f4-)" "a table without samples has no row"

{
	echo bench,n,algorithm,model,sample,metric,unit,value,status
	for n in 8 2 4 16 32; do
		for s in 1 2 3; do
			echo "b,$n,quick,x,$s,wall,ns,$((n * 10 + s)),ok"
			echo "b,$n,slow,x,$s,wall,ns,$((n * n * 10 + s)),ok"
			echo "b,$n,slow,x,$s,cycles,,$((n - 2)),ok"
		done
	done
	echo "b,64,quick,x,1,wall,ns,,failed:exit=1"
	for s in 1 2 3; do echo "b,64,slow,x,$s,wall,ns,100,timeout"; done
	echo "b,,slow,x,1,wall,ns,9,ok"
	echo "b,0,slow,x,1,wall,ns,9,ok"
} >many.csv
bench-stat --growth n many.csv >many 2>err
is "$(columns algorithm,model_,metric,sizes,missing,status many | paste -sd' ')" \
	'quick,x,wall,5,1,ok slow,x,wall,5,1,ok slow,x,cycles,5,0,not-positive' \
	"groups that differ only in the size have one row; failed and timed out sizes are missing; a median of 0 has no logarithm"
is "$(columns from,to many | sort -u)" 2,32 "sizes are in ascending order, regardless of that of the rows"
is "$(printf '%s\n' part,of,n,metric,value,status ab,c,1,m,1, ab,c,2,m,1, a,bc,1,m,3, a,bc,2,m,3, x,y,1,m,,failed |
	bench-stat -q --growth n | columns part,of,sizes,from,to,status | paste -sd' ')" 'ab,c,2,1,2,few a,bc,2,1,2,few x,y,0,,,few' \
	"series are told apart by each column, and a series without a median has no range"
is "$(columns model many | paste -sd' ')" 'n n^2 ' "each row of bench-stat --growth has its own model"
is "$(paste -sd'|' err)" "bench-stat: 1 group without a value of 'n' ignored|bench-stat: 1 group ignored, whose 'n' is not greater than 0" \
	"messages say how many groups are ignored, and why"
is "$(bench-stat -q -g algorithm --growth n --metric wall many.csv | cut -d, -f1-4 | paste -sd' ')" \
	'algorithm,metric,unit,sizes quick,wall,ns,5 slow,wall,ns,5' "bench-stat --growth groups by the columns of -g, and by the size"
is "$(cat many.csv many.csv | bench-stat -q --growth n | cmp - many 2>&1)" '' "bench-stat --growth accepts joined tables"
is "$(bench-stat -q --json --growth n --metric wall many.csv | grep -c '"exponent": [0-9]')" 2 "bench-stat --growth --json writes numbers"
like "$(COLUMNS=60 bench-stat -q --table --growth n --metric wall many.csv)" 'exponent .*model' "a narrow table shows the exponent and the model"

printf '%s\n' bench,n,metric,value b,1,m,1 b,1e100,m,2 b,1e200,m,3 b,1e250,m,3.5 b,1e300,m,4 | bench-stat --growth n >far 2>&1
is "$(columns model,status far)" 'log n,ok' "models that are not finite for a size are not used" || cat far
is "$(printf '%s\n' bench,n,metric,value b,2,m,5 b,2.0,m,6 b,2e0,m,7 b,02,m,8 | bench-stat -q --growth n | columns sizes,exponent,model,status)" 1,,,few \
	"equal sizes, written in different ways, are one size"

status 2 "a size that is not a number is an error" bench-stat --growth algorithm many.csv
is "$(cat .err)" "bench-stat: --growth algorithm: 'quick' is not a number, and sizes must be numbers" "the message names the column and the text"
status 2 "an unknown column is an error" bench-stat --growth size many.csv
like "$(cat .err)" "^bench-stat: the input has no column 'size' " "the message names the unknown column"
for option in '-s mean' '--sort n' --components --diagnose --strict '--budget b.csv'; do
	# shellcheck disable=SC2086 # an option and its argument
	status 2 "bench-stat --growth cannot be combined with ${option%% *}" bench-stat --growth n $option many.csv
done

if skip_unless R "agreement of --growth with R"; then
	cat >growth.R <<'END'
set.seed(20261129)
f <- list("1/n" = function(n) 1 / n, "1" = function(n) 0 * n + 1, "log n" = log2, "n" = identity,
	"n log n" = function(n) n * log2(n), "n^2" = function(n) n^2, "n^3" = function(n) n^3)
# The least sum of squares of log y - log(a + b f(n)), a and b >= 0, from a search of log(a / b)
least <- function(g, y) {
	g <- g / max(g)
	error <- function(r) { d <- log(y) - log(r + g); sum((d - mean(d))^2) }
	at <- seq(-30, log(1e9), length.out = 400)
	best <- at[which.min(sapply(exp(at), error))]
	if (best == at[400]) return(Inf)
	min(error(0), optimize(function(u) error(exp(u)), best + c(-0.2, 0.2), tol = 1e-12)$objective, na.rm = TRUE)
}
rows <- file("random.csv", "w"); want <- NULL
writeLines("bench,n,metric,unit,value", rows)
for (i in 1:150) {
	k <- sample(4:12, 1)
	n <- sort(sample(10^sample(2:5, 1), k)) + 1
	if (i %% 7 == 1) n <- seq_len(k)
	model <- names(f)[i %% 7 + 1]
	y <- (f[[model]](n) / min(f[[model]](n)) + sample(c(0, 1, 30), 1)) * exp(sample(c(0.01, 0.05, 0.3), 1) * rnorm(k))
	writeLines(sprintf("b%d,%d,wall,ns,%.17g", i, n, y), rows)
	line <- lm(log(y) ~ log(n)); ends <- confint(line, level = 0.99)[2, ]
	sums <- sapply(names(f), function(m) if (m == "1") Inf else least(f[[m]](n), y))
	flat <- sum((log(y) - mean(log(y)))^2); best <- names(which.min(sums))
	fit <- function(alpha, freedom) 1 + qf(1 - alpha, 1, freedom) / freedom
	if (flat <= min(sums) * fit(0.01 / 6, k - 2)) { best <- "1"; rest <- sums <= flat / fit(0.01, k - 2)
	} else rest <- sums <= min(sums) * fit(0.01, k - 3) & names(sums) != best
	want <- c(want, sprintf("%.8f,%.8f,%.8f,%s,%.7f,%s", coef(line)[2], ends[1], ends[2], best,
		sqrt((if (best == "1") flat else min(sums)) / k), paste(names(which(rest)), collapse = "; ")))
}
writeLines(want, "want")
END
	Rscript --vanilla growth.R
	bench-stat -C 99% --growth n random.csv | columns exponent,exponent_lo,exponent_hi,model,error,also |
		awk -F, '{ printf("%.8f,%.8f,%.8f,%s,%.7f,%s\n", $1, $2, $3, $4, $5, $6) }' >got
	ok "exponents, intervals, models and errors of random series are those of R" cmp want got
fi
done_testing
