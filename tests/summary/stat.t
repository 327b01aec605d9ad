#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-stat: its numbers against NIST and R, and its reading of streams.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# shellcheck disable=SC2317 # called through ok
# agree DIGITS: the relative differences of lines "name got want" are at most 10^-DIGITS
agree() {
	awk -v digits="$1" '
		{ scale = $3 < 0 ? -$3 : $3; d = $2 - $3; if (d < 0) d = -d }
		$2 == "" || d > scale * 10 ^ -digits { print "# differs: " $0; bad = 1 }
		END { exit bad || NR == 0 }'
}

# NIST's Statistical Reference Datasets, univariate summary statistics. The numerical ones are
# made by their rule: a value, then its two neighbors in turn.
nist() {
	case $1 in
	NumAcc1) printf 'y\n10000001\n10000003\n10000002\n' ;;
	NumAcc2) turns 1.2 1.1 1.3 ;;
	NumAcc3) turns 1000000.2 1000000.1 1000000.3 ;;
	NumAcc4) turns 10000000.2 10000000.1 10000000.3 ;;
	*) cat "$ROOT/tests/fixtures/data/nist/$1.csv" ;;
	esac
}

turns() {
	awk -v m="$1" -v a="$2" -v b="$3" \
		'BEGIN { print "y"; print m; for (i = 0; i < 500; i++) print a "\n" b }'
}

while IFS=, read -r name mean sd; do
	[ "$name" = name ] && continue
	nist "$name" | bench-stat -m y -s mean,sd --csv | tail -n 1 >got
	IFS=, read -r _ _ got_mean got_sd <got
	case $name in # the input's own rounding to doubles limits the sd of these
	NumAcc3) digits=9.4 ;;
	NumAcc4) digits=8.2 ;;
	*) digits=12 ;;
	esac
	echo "mean $got_mean $mean" >mean
	echo "sd $got_sd $sd" >sd
	ok "NIST $name: the mean to 12 digits" agree 12 <mean
	ok "NIST $name: the sd to $digits digits" agree "$digits" <sd
done <"$ROOT/tests/fixtures/data/nist/certified.csv"

if skip_unless R "agreement with R on random data"; then
	cat >random.R <<'END'
set.seed(20240607)
put <- function(name, x, ...) cat(sprintf(name, x), "\n", sep = "", ...)
sizes <- c(1:12, 19, 20, 99, 100, 301, 1000, 5000)
rows <- file("random.csv", "w"); want <- file("want", "w")
writeLines("bench,metric,value", rows)
for (k in seq_along(sizes)) {
	n <- sizes[k]
	x <- switch(k %% 3 + 1, rlnorm(n, 10), rnorm(n, 0, 1e-3), round(rexp(n, 1 / 50)) + 1)
	writeLines(sprintf("b%d,m,%.17g", k, x), rows)
	s <- sort(x); q <- quantile(x, c(.25, .75)); r <- qbinom(.025, n, .5)
	probs <- c(0, .05, .5, .9, .95, .99, .999, .9999, 1)
	v <- c(n, 0, mean(x), if (n > 1) sd(x) else NA, quantile(x, probs, type = 7),
		mad(x, constant = 1), if (r > 0) s[c(r, n + 1 - r)] else c(NA, NA),
		sum(x < q[1] - 1.5 * diff(q) | x > q[2] + 1.5 * diff(q)), 0, NA)
	names(v) <- c("n", "failed", "mean", "sd", "min", "p5", "median", "p90", "p95", "p99",
		"p999", "p9999", "max", "mad", "ci_lo", "ci_hi", "outliers", "censored", "limit")
	writeLines(sprintf("b%d,%s,%s", k, names(v), ifelse(is.na(v), "-", sprintf("%.17g", v))), want)
}
END
	Rscript --vanilla random.R
	bench-stat random.csv | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 4; i <= NF; i++) print $1 "," name[i] "," ($i == "" ? "-" : $i) }' >got
	paste -d, got want | awk -F, '$1 != $4 || $2 != $5 || ($3 == "-") != ($6 == "-") { exit 1 }'
	result $? "bench-stat prints every statistic that R has, and no others"
	paste -d, got want | awk -F, '$3 != "-" { print $1 "." $2, $3, $6 }' >pairs
	is "$(wc -l <pairs)" 331 "331 statistics are compared with those of R"
	ok "quantiles, sd, mad, interval and outliers agree with R to 1e-12" agree 12 <pairs
fi

if skip_unless R "intervals of quantiles of independent values agree with R"; then
	cat >interval.R <<'END'
set.seed(20261126)
rows <- file("interval.csv", "w"); want <- file("interval.want", "w")
writeLines("run,bench,metric,value", rows)
for (k in 1:60) {
	n <- sample(c(5:40, 100, 400, 1000, 4000), 1); x <- round(rlnorm(n, 5)); s <- sort(x)
	writeLines(sprintf("r%d,b%d,m,%.17g", seq_len(n), k, x), rows)
	for (q in c(.05, .5, .99, .995)) {
		r <- qbinom(.025, n, q); h <- qbinom(.025, n, q, lower.tail = FALSE) + 1
		fine <- r >= 1 && h <= n
		writeLines(sprintf("b%d,%s,%s,%d,%.17g", k, if (fine) sprintf("%.17g", s[r]) else "",
			if (fine) sprintf("%.17g", s[h]) else "", ceiling(log(.025) / log(max(q, 1 - q))), quantile(x, q)), want)
	}
}
END
	Rscript --vanilla interval.R
	for q in p5 p50 p99 p99.5; do
		bench-stat -g bench -s ${q}_lo,${q}_hi,${q}_needed,$q interval.csv | sed 1d | cut -d , -f 1,4-
	done | sort -s -t , -k 1.2n >interval.got
	ok "intervals of quantiles of independent values are those of R's qbinom()" eval \
		"paste -d , interval.got interval.want | awk -F, '\$1 != \$6 || \$2 \"\" != \$7 \"\" || \$3 \"\" != \$8 \"\" || \$4 != \$9 ||
			(\$5 - \$10) ^ 2 > 1e-20 * \$10 ^ 2 { print \"# \" \$0; bad = 1 } END { exit bad || NR != 240 }'"
fi

# Where squares, sums or differences leave the range of doubles, and equal values.
# extreme MEAN SD MEDIAN P95 VALUE...
extreme() {
	printf 'mean %s\nsd %s\nmedian %s\np95 %s\n' "$1" "$2" "$3" "$4" >want
	shift 4
	printf '%s\n' y "$@" | bench-stat -m y -s mean,sd,median,p95 | tail -n 1 | cut -d , -f 3- | tr , '\n' >got
	ok "statistics of $*" eval "paste -d ' ' want got | awk '{ print \$1, \$3, \$2 }' | agree 12"
}
extreme 2e-200 1.4142135623730951e-200 2e-200 2.9e-200 1e-200 3e-200
extreme 2e200 1.4142135623730951e200 2e200 2.9e200 1e200 3e200
extreme 1.6666666666666667e308 5.7735026918962498e306 1.7e308 1.7e308 1.6e308 1.7e308 1.7e308
extreme 0 1.2727922061357855e308 0 8.1e307 -9e307 9e307
is "$(printf '%s\n' y 0.1 0.1 0.1 0.1 0.1 0.1 | bench-stat -m y -s mean,sd | tail -n 1)" 'y,,0.1,0' "the mean of equal values is exact"

# Groups of rows.
cat >a.csv <<'END'
run,host,bench,size,process,sample,metric,unit,value,status
r1,h,sort,10,,-1,wall,ns,999999,ok
r1,h,sort,10,,0,wall,ns,100,ok
r1,h,sort,10,,1,wall,ns,104,ok
r1,h,sort,10,,2,wall,ns,1,failed:exit=3
r1,h,sort,20,,0,wall,ns,300,ok
r1,h,sort,10,,0,max_rss,B,4096,ok
END
cat >b.csv <<'END'
bench,metric,unit,value,backend
sort,wall,ns,7,gpu
sort,wall,ns,9,gpu
sort,wall,ns,,gpu
END
is "$(cat a.csv b.csv | bench-stat -s n,failed,median)" "host,bench,size,backend,metric,unit,n,failed,median
h,sort,10,,wall,ns,2,1,102
h,sort,20,,wall,ns,1,0,300
h,sort,10,,max_rss,B,1,0,4096
,sort,,gpu,wall,ns,2,0,8" \
	"bench-stat reads tables with different columns, ignores warm-ups and counts failures"
is "$(bench-stat -g bench -s n,min,max a.csv b.csv)" "bench,metric,unit,n,min,max
sort,wall,ns,5,7,300
sort,max_rss,B,1,4096,4096" "bench-stat -g groups by the named columns, metric and unit"
is "$(bench-stat a.csv | head -n 1)" "host,bench,size,metric,unit,n,failed,mean,sd,min,p5,median,\
p90,p95,p99,p999,p9999,max,mad,ci_lo,ci_hi,outliers,censored,limit" "bench-stat prints all statistics in order by default"
is "$(printf 'bench,metric,value,status\nx,wall,,timeout\nx,wall,5,timeout\n' | bench-stat)" \
	"bench,metric,unit,n,failed,mean,sd,min,p5,median,p90,p95,p99,p999,p9999,max,mad,ci_lo,ci_hi,outliers,censored,limit
x,wall,,0,2,,,,,,,,,,,,,,,,1,5" "bench-stat prints a row with only the limit for a group that only timed out"
is "$(printf 'bench,metric,unit,value,status\nx,wall,ns,2e9,\nx,wall,ns,3e9,ok\nx,wall,ns,6e9,timeout\nx,wall,ns,6e9,timeout\nx,user,ns,7,timeout\n' >limit.csv
	bench-stat -s n,failed,mean,median,max,censored,limit limit.csv)" "bench,metric,unit,n,failed,mean,median,max,censored,limit
x,wall,ns,2,2,,,,2,6000000000
x,user,ns,0,1,,,,0," "bench-stat leaves statistics empty that depend on a timeout"
is "$(bench-stat --table -s mean,min,median,max limit.csv | sed -n 2p)" \
	'x      wall    >4.250 s  2.000 s  >4.500 s  >6.000 s' \
	"bench-stat --table prints lower bounds of statistics that depend on a timeout"
is "$(bench-stat --json -s min,median limit.csv | jq -c '.[0] | [.min, .median]')" '[2000000000,null]' \
	"bench-stat --json prints null for a statistic that depends on a timeout"
# requests FAILED METRIC: a group of 98 requests that were served and 2 that were not
requests() {
	echo bench,sample,metric,unit,value,status
	seq 98 | sed "s/.*/x,&,$2,ns,&,ok/"
	printf 'x,99,%s,ns,,%s\nx,100,%s,ns,,%s\n' "$2" "$1" "$2" "$1"
}
for metric in latency wait; do
	is "$(requests timeout $metric | bench-stat -s n,failed,censored,mean,median,p95,p99,max,ci_lo | sed 1d | cut -d, -f4-)" \
		98,2,2,,50.5,95.05,,, "the $metric of requests that were never served is infinite"
done
is "$(requests timeout latency | bench-stat --table -s failed,mean,median,p99,max | tail -n 1 | tr -s ' ')" \
	'x latency 2 >50.47 ns 50.50 ns >98 ns >98 ns' "a table counts requests that were never served and bounds their quantiles"
is "$(requests failed:signal=11 latency | bench-stat -s censored,p99 | sed 1d | cut -d, -f4-)" 2, \
	"a request that was lost because its server failed has an infinite latency"
is "$(requests skipped latency | bench-stat -s censored,p99 | sed 1d | cut -d, -f4-)" 0,97.03 \
	"a latency that was not obtained for another reason is not infinite"
is "$(requests timeout latency | sed '/ok$/d' | bench-stat -s n,failed,censored,median | sed 1d | cut -d, -f4-)" 0,2,0, \
	"a group in which no request was served has no quantile"
# walk METRIC: 4 periods of values that depend on each other
walk() {
	awk -v metric="$1" 'BEGIN { print "run,bench,process,sample,metric,unit,value"
		for (p = 0; p < 4; p++) for (i = 0; i < 250; i++) printf("r,x,%d,%d,%s,ns,%d\n", p, i, metric, 1000 * p + i) }'
}
is "$(walk latency | bench-stat -s median,ci_lo,ci_hi | sed 1d | cut -d, -f5-)" , \
	"the median of requests that depend on each other has no interval of independent values"
is "$(walk wall | bench-stat -s ci_lo,ci_hi | sed 1d | tr , '\n' | grep -c '^[0-9]')" 2 \
	"the median of other values has an interval of independent values"
is "$(walk latency | bench-stat | column ci_lo)" "" "the table has no such interval by default either"
is "$(printf 'bench,metric,value,status\na,wall,1,\nb,wall,9,timeout\nc,wall,20,\nd,wall,,failed:exit=1\n' |
	bench-stat --sort median | column bench | paste -sd ' ')" 'a b c d' \
	"bench-stat --sort sorts a median above a limit by the limit"
is "$(printf 'bench,sample,t,metric,value\nx,0,0,rss,1\nx,0,5,rss,3\nx,1,0,rss,10\n' |
	bench-stat -s n,min,max)" "bench,metric,unit,n,min,max
x,rss,,2,2,10" "bench-stat counts a time series as its mean in each sample"
is "$(printf 'run,bench,sample,t,metric,value,status\nr,x,0,0,rss,1,\nr,x,0,5,rss,3,\nr,y,0,0,rss,10,\nr,x,1,0,rss,,timeout\nr,y,1,0,rss,,timeout\n' |
	bench-stat -g run -s n,failed,min,max)" "run,metric,unit,n,failed,min,max
r,rss,,2,2,2,10" "bench-stat counts a time series as its mean in each subject even if -g joins subjects"
is "$(printf 'name,secs,kb\nx,1.5,7\nx,2.5,9\n' | bench-stat -m secs:s -m kb -s n,mean)" \
	"name,metric,unit,n,mean
x,secs,s,2,2
x,kb,,2,8" "bench-stat -m melts foreign columns"
is "$(printf 'metric,value\nw,1\nw,2\nw,3\nw,4\nw,5\nw,6\nw,7\n' | bench-stat -C 50% -s ci_lo,ci_hi | tail -n 1)" \
	"w,,3,5" "bench-stat -C sets the confidence of the interval"
is "$(printf 'metric,value\n' | bench-stat -s n)" "metric,unit,n" "bench-stat prints a header for a table without rows"
is "$(bench-stat --json -s n,ci_lo b.csv | tr -d ' \n')" \
	'[{"bench":"sort","backend":"gpu","metric":"wall","unit":"ns","n":2,"ci_lo":null}]' \
	"bench-stat --json prints null for a statistic that does not exist"

# Quantiles by name, with intervals of values that may depend on each other.
awk 'BEGIN { print "run,bench,process,sample,metric,unit,value,status"
	for (i = 0; i < 400; i++) {
		print "r,steady,0," i ",latency,ns," 1000 + i * 263 % 400 ",ok"
		print "r,waves," int(i / 200) "," i % 200 ",latency,ns," 1000 + int(i / 50) % 2 * 100 + i % 10 ",ok"
	} }' >waves.csv
is "$(bench-stat -g bench -s n,p25,p99.5,p50,median,p99.9,p999 waves.csv)" 'bench,metric,unit,n,p25,p99.5,p50,median,p99.9,p999
steady,latency,ns,400,1099.75,1397.005,1199.5,1199.5,1398.601,1398.601
waves,latency,ns,400,1004.75,1109,1054.5,1054.5,1109,1109' "bench-stat -s prints quantiles for any percentage"
is "$(bench-stat -g bench -s median_lo,median_hi,p50_lo,p999_lo,p999_hi,p99.9_needed waves.csv | grep '^steady' |
	awk -F, '{ print ($4 > 1150 && $4 < 1190 && $5 > 1210 && $5 < 1250), ($6 == $4), $7 $8, ($9 >= 3688) }')" '1 1  1' \
	"bench-stat -s prints intervals of quantiles, empty if there are too few values, and the number they take"
is "$(bench-stat -g bench -s median_lo,median_hi,median_needed,ci_lo,ci_hi waves.csv | grep '^waves' |
	awk -F, '{ print $4 $5, ($6 > 400), ($7 $8 == "") }')" ' 1 1' \
	"bench-stat prints no interval of the median or a quantile of few requests that depend on each other"
is "$(bench-stat -g bench -s median_lo,median_hi,ci_lo,ci_hi waves.csv | awk -F, '/^steady/ { print ($4 > 0), $4 == $6, $5 == $7 }')" '1 1 1' \
	"the interval of the median of requests is that of the quantile"
is "$(bench-stat -g bench -s ci_hi waves.csv)" "$(bench-stat -g bench -s ci_lo,ci_hi waves.csv | cut -d, -f1-3,5)" \
	"one end of the interval of the median can be printed alone"
is "$(bench-stat -g bench --sort=-median_needed -s n waves.csv | column bench | paste -sd ' ')" 'waves steady' \
	"bench-stat --sort sorts by a part of an interval that is not printed"
is "$(sort -r waves.csv | bench-stat -g bench --sort bench -s p90_lo,p90_hi,p90_needed)" \
	"$(bench-stat -g bench --sort bench -s p90_lo,p90_hi,p90_needed waves.csv)" \
	"the order of the rows does not change the interval of a quantile"
is "$(bench-stat -g bench --json -s p90_hi,p9999_hi,p9999_needed waves.csv | jq -c '.[0] | [(.p90_hi | type), .p9999_hi, .p9999_needed >= 36887]')" \
	'["number",null,true]' "bench-stat --json prints the interval of a quantile, and null if there is none"
like "$(bench-stat -g bench --table -s p90_lo,p90_needed waves.csv)" 'steady +latency +1\.[0-9]+ (us|µs) +[0-9]+' \
	"bench-stat --table prints intervals of quantiles with units, and the number of values without"
awk -F, 'BEGIN { OFS = "," } NR > 1 && $2 == "steady" && $7 > 1330 { $7 = 1330; $8 = "timeout" } { sub("latency", "wall"); print }' waves.csv >cut.csv
is "$(bench-stat -g bench -s p80_lo,p80_hi,p50_hi cut.csv | grep steady | awk -F, '{ print ($4 > 0), $5, ($6 > 0) }')" '1  1' \
	"the upper end of an interval is empty if it is a timeout"
status 2 "bench-stat rejects a percentage of 100" bench-stat -s p100 waves.csv
like "$(cat .err)" "unknown statistic 'p100'; did you mean max" "bench-stat suggests max for p100"
status 2 "bench-stat rejects a quantile of too many digits" bench-stat -s p99.00000000000000000000000000000000000000000000000000001 waves.csv
status 2 "bench-stat rejects an interval of the mean" bench-stat -s mean_lo waves.csv
like "$(bench-stat --table a.csv)" '^sort +10 +wall +2 +1 +102 ns' \
	"bench-stat --table prints units, and omits columns that never vary"

is "$(printf 'sample,t,metric,value,status\n0,0,m,,timeout\n1,0,m,,timeout\n0,1,m,,timeout\n1,1,m,,timeout\n' |
	bench-stat -s n,failed | tail -n 1)" 'm,,0,2' "bench-stat counts a failed time series once for each sample, whatever the order of its points"

# Variance by level. Davies' yields of dyestuff, six batches of five (Box and Tiao, 1973, table
# 5.1.1), have published components, 1764.05 and 2451.25.
awk 'BEGIN {
	print "run,process,sample,metric,value"
	n = split("1545 1440 1440 1520 1580 1540 1555 1490 1560 1495 1595 1550 1605 1510 1560 " \
		"1445 1440 1595 1465 1545 1595 1630 1515 1635 1625 1520 1455 1450 1480 1445", y, " ")
	for (i = 1; i <= n; i++) print int((i - 1) / 5) "," 0 "," i "," "yield," y[i]
}' >dyestuff.csv
is "$(bench-stat --components dyestuff.csv | awk -F, 'NR > 1 { printf "%s %d %.2f %.4f %s\n", $3, $4, $5 ^ 2, $6, $11 }')" \
	'run 6 1764.05 0.4185 ok
sample 30 2451.25 0.5815 ok' "bench-stat --components computes the published components of dyestuff"
if skip_unless R "components of unequal numbers agree with R"; then
	cat >components.R <<'END'
set.seed(20240609)
rows <- file("levels.csv", "w"); want <- file("levels.want", "w")
writeLines("run,bench,process,sample,metric,value", rows)
for (b in 1:8) {
	d <- NULL
	runs <- if (b == 7) 1 else 5
	for (r in 1:runs) for (p in 1:(if (b < 3) 3 else if (b == 8) 1 else sample(2:4, 1)))
		d <- rbind(d, data.frame(r, p, s = 1:(if (b < 3) 4 else sample(2:7, 1))))
	id <- interaction(d$r, d$p, drop = TRUE)
	d$y <- 1000 + rnorm(runs, 0, 9)[d$r] + rnorm(nlevels(id), 0, 5)[as.integer(id)] + rnorm(nrow(d))
	writeLines(sprintf("%d,b%d,%d,%d,m,%.17g", d$r, b, d$p, d$s, d$y), rows)
	# Projections onto the levels, and the traces that their expected squares have.
	N <- nrow(d)
	Z <- list(run = outer(d$r, 1:runs, "==") + 0,
		process = model.matrix(~ id - 1), sample = diag(N))
	if (runs == 1) Z$run <- NULL
	if (b == 8) Z$process <- NULL
	P <- lapply(Z, function(z) z %*% solve(crossprod(z)) %*% t(z))
	A <- Map("-", P, c(list(matrix(1 / N, N, N)), P[-length(P)]))
	K <- sapply(Z, function(z) sapply(A, function(a) sum(diag(a %*% z %*% t(z)))))
	v <- solve(K, sapply(A, function(a) drop(t(d$y) %*% a %*% d$y)))
	if (b < 3) { # T^2 of Kalibera and Jones, by hand
		m2 <- tapply(d$y, id, mean); m1 <- tapply(d$y, d$r, mean)
		S <- c(var(m1), sum((m2 - m1[sub("\\..*", "", names(m2))])^2) / (5 * 2),
			sum((d$y - m2[as.character(id)])^2) / (15 * 3))
		stopifnot(all.equal(unname(v), c(S[1] - S[2] / 3, S[2] - S[3] / 4, S[3])))
	}
	error <- sapply(Z, function(z) sum(colSums(z)^2)) / N^2 * v
	writeLines(sprintf("b%d.%s.%s %s", b, names(v), rep(c("sd", "error"), each = length(v)),
		ifelse(rep(v, 2) > 0, sprintf("%.17g", sqrt(c(v, error))), "-")), want)
}
END
	Rscript --vanilla components.R >.out 2>&1
	bench-stat --components levels.csv | awk -F, 'NR > 1 { for (i = 6; i <= 8; i += 2)
		print $1 "." $4 "." (i == 6 ? "sd" : "error"), ($i == "" ? "-" : $i) }' | sort >got
	sort levels.want | paste -d ' ' - got | awk '$1 == $3 { print $1, ($2 == "-" && $4 == "-") ? "0 0" : $2 " " $4 }' >pairs
	is "$(wc -l <pairs)" 44 "all levels of eight data sets are compared with R" || note "$(cat .out)"
	ok "components of equal and unequal numbers agree with R to 1e-9" agree 9 <pairs
fi
# Two runs of two processes of three samples: a run needs 500 ms to begin, a process 70 ms, a
# sample 10 ms, 1.4 s in all. Variances are 41.8, 9.58 and 0.917: two processes in a run, since
# 500 / 70 * 9.58 / 41.8 = 1.28^2, one sample in each, and again two runs, of 660 ms each.
awk 'BEGIN {
	print "run,time,process,sample,metric,unit,value"
	split("1 2 3 6 7 9 12 13 13 16 16 16", y, " ")
	for (r = 0; r < 2; r++) for (p = 0; p < 2; p++) for (s = 0; s < 3; s++)
		printf "0000000%d-0000-7000-8000-000000000000,1970-01-01T00:0%d:%06.3fZ,%d,%d,wall,ns,%s\n", r,
			r * 65.536 / 60, r * 5.536 + 0.5 + p * 0.1 + s * 0.01, p, s, y[++k]
}' >costs.csv
is "$(bench-stat --components costs.csv | awk -F, '{ printf "%s %s %.3g %s %s %s\n", $3, $4, $5 ^ 2, $8, $9, $11 }' | tail -n 3)" \
	'run 2 41.8 500000000 2 ok
process 4 9.58 70000000 2 ok
sample 12 0.917 10000000 1 ok' "bench-stat --components computes costs from times, and the best numbers from costs"
is "$({ sed 1q costs.csv && sed 1d costs.csv | sort -t, -k5r; } | bench-stat --components | cut -d, -f8,9)" \
	"$(bench-stat --components costs.csv | cut -d, -f8,9)" \
	"the order of the rows does not change the costs of bench-stat --components"
is "$(sed 's/,[0-9T:.-]*Z,/,,/' costs.csv | bench-stat --components | cut -d , -f 8,9 | paste -sd ' ' -)" \
	'cost,best ,6 ,1 ,1' "bench-stat --components assumes equal costs without times"
for edit in s/-7000-/-4000-/ s/^0/g/ s/^0/f/ s/-8000-0*,/,/ 's/T[^Z]*Z/T00:00:00Z/'; do
	is "$(sed "$edit" costs.csv | bench-stat --components | cut -d , -f 8,9 | paste -sd ' ' -)" \
		'cost,best ,6 ,1 ,1' "bench-stat --components assumes equal costs if names and times of runs say none ($edit)"
done
is "$(sed '5,$d; 3s/,1970[^,]*,/,,/' costs.csv | bench-stat --components | cut -d , -f 3,4,8 | tail -n 1)" sample,3, \
	"bench-stat --components prints no cost of samples of which one has no time"
is "$(printf 'run,process,metric,value\n%s\n' r,0,m,1 r,0,m,3 r,1,m,5 r,1,m,7 s,0,m,1 s,0,m,3 s,1,m,5 s,1,m,7 |
	bench-stat --components | awk -F, '{ printf "%s %.5s %s %s;", $3, $5, $9, $11 }')" \
	'level sd best status;run   indistinct;process 2.645  ok;sample 1.414 1 ok;' \
	"bench-stat --components prints no sd and no best number for a level that adds nothing"
is "$(printf 'metric,value\nm,3\n' | bench-stat --components)" 'metric,unit,level,n,sd,share,error,cost,best,error_best,status
m,,,1,,,,,,,few' "bench-stat --components of one value prints the status few"
status 2 "bench-stat rejects -s with --components" bench-stat --components -s n a.csv

# Diagnosis. family NAME [WORD=VALUE...]: values of a known family
family() {
	family=$1
	shift
	"$BUILD/tests/families" family="$family" "$@"
}
findings() { bench-stat --diagnose | awk -F, 'NR > 1 { print $4 }' | sort | uniq -c | awk '{ print $2 "=" $1 }' | paste -sd ' ' -; }
for f in normal lognormal uniform; do
	is "$(family $f subjects=20 runs=2 | findings)" '' "bench-stat --diagnose finds nothing in 20 subjects with $f values"
done
like "$(family autocorrelated n=60 runs=2 | findings)" '^autocorrelation=1' 'bench-stat --diagnose finds autocorrelation'
like "$(family drifting | findings)" 'drift=1' 'bench-stat --diagnose finds drift'
# Two processes that run at the same time, at different speeds, and values in the order of their times.
is "$(family normal n=40 | awk -F, 'NR == 1 { print "bench,process,sample,time,metric,unit,value"; next } { p = NR % 2
	printf("b,%d,%d,2026-01-01T00:00:%02dZ,wall,ns,%s\n", p, NR, NR, $7 + 500 * p) }' | findings)" modes=1 \
	'bench-stat --diagnose checks the order of each process alone'
like "$(awk 'BEGIN { print "bench,sample,time,metric,unit,value"; for (i = 0; i < 40; i++)
	printf("b,%d,2026-01-01T00:00:%02dZ,wall,ns,%d\n", i * 7 % 40, i, 1e5 + i * 100 + i * 7919 % 613) }' | findings)" drift=1 \
	'bench-stat --diagnose takes the order of samples from their times'
like "$(family drifting | awk -F, 'BEGIN { OFS = FS } { $4 = NR == 1 ? "process" : NR } { print }' | findings)" 'drift=1' \
	'bench-stat --diagnose finds drift from process to process if each has one sample'
like "$(family bimodal n=60 | findings)" '^modes=1' 'bench-stat --diagnose finds two modes'
is "$(family spike seed=1 | findings)" 'outliers=1' 'bench-stat --diagnose finds outliers'
is "$(family clock | bench-stat --diagnose | cut -d , -f 4-7 | tail -n 1)" 'clock,40,,' 'bench-stat --diagnose finds a coarse clock and its step'
is "$(family clock | sed 's/wall,ns/wall,ms/' | findings)" clock=1 'bench-stat --diagnose finds a coarse clock in times of any unit'
is "$(family clock | sed 's/wall,ns/max_rss,B/' | findings)" '' 'bench-stat --diagnose looks for a coarse clock only in times'
is "$(family runs runs=5 | findings)" '' 'bench-stat --diagnose takes a difference between runs neither as drift nor as autocorrelation'
is "$(family drifting | bench-stat --diagnose | awk -F, 'NR > 1 { printf("%s %.6f,", $4, $7 / $6) }')" 'autocorrelation 3.000000,drift 4.000000,' \
	'bench-stat --diagnose corrects the p of four checks by the method of Holm'
is "$(family drifting | bench-stat --diagnose | awk -F, '$4 == "drift" { sub(/.*by /, "", $8); print $8 == sprintf("%.1f%%)", 100 * $5) }')" 1 \
	'bench-stat --diagnose prints a drift in percent'
is "$(family drifting | awk 'NR == 1 { print "process," $0; next } { print (NR - 2) % 3 "," $0 }' | sort -r |
	bench-stat --diagnose | awk -F, '$4 == "drift" { print ($5 > 0.04 && $5 < 0.1) }')" 1 \
	'bench-stat --diagnose finds drift within processes, regardless of the order of the rows'
family normal | awk 'NR == 1 { print; next } { t = NR * 7 % 11 < 4; split($0, f, ",")
	print f[1] ",,b,\"" f[4] "\",wall,ns," f[7] + t * 50
	print f[1] ",,b," f[4] ",context-switches,1," t * 3 }' >switches.csv
is "$(bench-stat --diagnose switches.csv | awk -F, '$4 == "switches" { print $2, ($5 > 0.5) }')" 'wall 1' \
	'bench-stat --diagnose finds slow samples with more context switches'
like "$({ head -n 1 switches.csv && sed 1d switches.csv | sort -r; } | findings)" switches=1 \
	'bench-stat --diagnose finds the context switches of a sample in any order of the rows'
unlike "$(sed '3d' switches.csv | findings)" switches 'bench-stat --diagnose compares no metric that lacks a sample'
unlike "$(sed 's/,b,\(.*context\)/,c,\1/' switches.csv | findings)" switches 'bench-stat --diagnose compares no metric of another benchmark'
is "$(family normal | head -n 10 | findings)" '' 'bench-stat --diagnose does not check nine values'
like "$(printf 'metric,value\n%s\n' m,5 m,5 m,5 m,5 m,5 m,5 m,5 m,5 m,5 m,5 | bench-stat --diagnose)" \
	'^metric,unit,finding,value,p,p_adj,meaning,advice$' 'bench-stat --diagnose finds nothing in equal values'
family spike seed=1 >spike.csv
status 1 "bench-stat --strict ends with status 1 at a finding" bench-stat --strict -s n spike.csv
is "$(cat .out)" 'bench,metric,unit,n
b0,wall,ns,30' "bench-stat --strict prints statistics that include outliers"
is "$(cat .err)" "bench-stat: some values are far from the median (count 2): check what else was running, and report the median, not the mean" \
	"bench-stat --strict reports the finding and the advice"
{ sed 's/$/,4/; 1s/,4$/,size/' spike.csv && family normal | sed '1d; s/$/,8/'; } >sizes.csv
bench-stat --strict -s n sizes.csv >.out 2>.err
like "$(cat .err)" '^bench-stat: size=4: some values are far from the median .count 2.: check' \
	"bench-stat --strict names the group of a finding by what distinguishes it"
status 1 "bench-stat --strict --diagnose ends with status 1 at a finding" bench-stat --strict --diagnose spike.csv
family normal >normal.csv
status 0 "bench-stat --strict ends with status 0 without a finding" bench-stat --strict normal.csv
status 0 "bench-stat --diagnose without --strict ends with status 0 at a finding" bench-stat --diagnose spike.csv
status 2 "bench-stat rejects -s with --diagnose" bench-stat --diagnose -s n a.csv
status 2 "bench-stat rejects --strict with --components" bench-stat --components --strict a.csv
bench-stat spike.csv >/dev/null 2>.err
is "$(cat .err)" '' "bench-stat reports no findings if its output is not a terminal"
alarms=0
for seed in $(seq 1 100); do
	for f in normal lognormal uniform; do
		[ -z "$(family $f subjects=3 n=20 seed="$seed" | findings)" ] || alarms=$((alarms + 1))
	done
done
ok "bench-stat --diagnose has findings in fewer than 5% of 300 tables of independent values ($alarms)" test $alarms -lt 15
if skip_unless R "diagnoses agree with R's ranks"; then
	family autocorrelated n=41 seed=9 >ranks.csv
	cat >ranks.R <<'END'
x <- rank(read.csv("ranks.csv")$value); n <- length(x)
rvn <- sum(diff(x)^2) / sum((x - mean(x))^2)
sd <- sqrt(4 * (n - 2) * (5 * n^2 - 2 * n - 9) / (5 * n * (n + 1) * (n - 1)^2))
rho <- cor(x, 1:n)
cat(sprintf("autocorrelation %.17g\np %.17g\n", 1 - rvn / 2, 2 * pnorm(-abs(2 - rvn) / sd)))
y <- read.csv("drift.csv")$value
cat(sprintf("drift %.17g\n", 2 * pnorm(-abs(cor(rank(y), seq_along(y))) * sqrt(length(y) - 1))))
END
	family drifting n=37 >drift.csv
	Rscript --vanilla ranks.R | sort >want
	{
		bench-stat --diagnose ranks.csv | awk -F, '$4 == "autocorrelation" { print $4, $5; print "p", $6 }'
		bench-stat --diagnose drift.csv | awk -F, '$4 == "drift" { print $4, $6 }'
	} | sort | paste -d ' ' - want | awk '{ print $1, $2, $4 }' >pairs
	ok "autocorrelation and drift agree with R to 1e-12" eval "agree 12 <pairs && test $(wc -l <pairs) = 3"
fi

# --metric.
cat >metrics.csv <<'END'
run,bench,sample,metric,unit,value,status
r1,a,0,wall,ns,10,ok
r1,a,0,user,ns,6,ok
r1,a,0,sys,ns,4,ok
r1,a,1,wall,ns,12,ok
r1,a,1,user,ns,7,ok
r1,a,1,sys,ns,,timeout
r1,,,rows,1,6,ok
END
is "$(bench-stat --metric wall metrics.csv | column metric)" wall \
	"bench-stat --metric summarizes only the metric that it names"
is "$(bench-stat --metric '*s*' -s n,failed metrics.csv | columns metric,n,failed)" 'user,2,0
sys,1,1' "bench-stat --metric takes a shell pattern"
is "$(bench-stat --metric sys,wall --metric user -s mean metrics.csv)" "$(bench-stat -s mean metrics.csv)" \
	"bench-stat --metric takes lists and is repeatable"
is "$(bench-stat --components --metric user metrics.csv | column metric | sort -u)" user \
	"bench-stat --metric chooses the metrics of --components"
printf 'x,y\n1,2\n3,4\n' >wide.csv
is "$(bench-stat -m x -m y --metric y -s mean wide.csv)" 'metric,unit,mean
y,,3' "bench-stat --metric chooses among melted columns"
status 2 "bench-stat rejects a --metric that matches nothing" bench-stat --metric wall,cache-* metrics.csv
is "$(cat .err)" "bench-stat: --metric: no metric matches 'cache-*' (there are: wall, user, sys)" \
	"bench-stat lists the metrics of the input when --metric matches none"
status 2 "bench-stat rejects an empty pattern of --metric" bench-stat --metric wall, metrics.csv

# Errors.
status 2 "bench-stat ends with status 2 if the input is empty" bench-stat </dev/null
like "$(cat .err)" 'no table of measurements' "the message says that the input has no table"
status 2 "bench-stat rejects an unknown statistic" bench-stat -s median,p9x a.csv
like "$(cat .err)" "unknown statistic 'p9x'; did you mean p90, p95 or p99[?] .there are: .*median" "the message about an unknown statistic lists the known ones"
for c in 0 100% 101% -5 x; do
	status 2 "bench-stat rejects a confidence of $c" bench-stat -C "$c" a.csv
done
status 2 "bench-stat rejects -g with a column that does not exist" bench-stat -g color a.csv
like "$(cat .err)" "no column 'color'" "the message about -g names the column that does not exist"
status 2 "bench-stat ends with status 2 if the disk is full" sh -c 'bench-stat a.csv >/dev/full'
like "$(cat .err)" 'No space left' "bench-stat reports a full disk"
status 2 "bench-stat ends with status 2 if a file is missing" bench-stat nowhere.csv
status 2 "bench-stat refuses to read standard input twice" bench-stat - - <a.csv
is "$(cat .err)" "bench-stat: standard input can be read only once: give '-' once" \
	"the message about a second '-' says what to do"
awk 'BEGIN { print "bench,metric,value"; for (i = 0; i < 9000; i++) print "b" i ",w,1" }' >many.csv
{
	bench-stat many.csv 2>.err
	echo $? >code
} | head -n 1 >/dev/null
like "$(cat code)" '^(2|141)$' "bench-stat ends if the reader of its output stops early"
is "$(cat .err)" "" "bench-stat prints no message if the reader of its output stops early"
done_testing
