#!/bin/sh
# bench-stat: its numbers against NIST and R, and its reading of streams.
. "${0%/*}/lib.sh"

# shellcheck disable=SC2317 # called through ok
# agree DIGITS: the relative differences of lines "name got want" are at most 10^-DIGITS
agree() {
	awk -v digits="$1" '
		{ scale = $3 < 0 ? -$3 : $3; d = $2 - $3; if (d < 0) d = -d }
		$2 == "" || d > scale * 10 ^ -digits { print "# differs: " $0; bad = 1 }
		END { exit bad || NR == 0 }'
}

# NIST's Statistical Reference Datasets, univariate summary statistics. The numerical ones are
# made by their rule: a value, then its two neighbours in turn.
nist() {
	case $1 in
	NumAcc1) printf 'y\n10000001\n10000003\n10000002\n' ;;
	NumAcc2) turns 1.2 1.1 1.3 ;;
	NumAcc3) turns 1000000.2 1000000.1 1000000.3 ;;
	NumAcc4) turns 10000000.2 10000000.1 10000000.3 ;;
	*) cat "$ROOT/tests/data/nist/$1.csv" ;;
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
done <"$ROOT/tests/data/nist/certified.csv"

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
	probs <- c(0, .05, .5, .9, .95, .99, .999, 1)
	v <- c(n, 0, mean(x), if (n > 1) sd(x) else NA, quantile(x, probs, type = 7),
		mad(x, constant = 1), if (r > 0) s[c(r, n + 1 - r)] else c(NA, NA),
		sum(x < q[1] - 1.5 * diff(q) | x > q[2] + 1.5 * diff(q)))
	names(v) <- c("n", "failed", "mean", "sd", "min", "p5", "median", "p90", "p95", "p99",
		"p999", "max", "mad", "ci_lo", "ci_hi", "outliers")
	writeLines(sprintf("b%d,%s,%s", k, names(v), ifelse(is.na(v), "-", sprintf("%.17g", v))), want)
}
END
	Rscript --vanilla random.R
	bench-stat random.csv | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 4; i <= NF; i++) print $1 "," name[i] "," ($i == "" ? "-" : $i) }' >got
	paste -d, got want | awk -F, '$1 != $4 || $2 != $5 || ($3 == "-") != ($6 == "-") { exit 1 }'
	result $? "every statistic that R has, and no other, is there"
	paste -d, got want | awk -F, '$3 != "-" { print $1 "." $2, $3, $6 }' >pairs
	is "$(wc -l <pairs)" 293 "all of them are compared"
	ok "quantiles, sd, mad, interval and outliers agree with R to 1e-12" agree 12 <pairs
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
is "$(printf '%s\n' y 0.1 0.1 0.1 0.1 0.1 0.1 | bench-stat -m y -s mean,sd | tail -n 1)" 'y,,0.1,0' "equal values are their mean"

# What belongs together.
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
	"two tables with different columns; warm-up left out, failure counted, no value no number"
is "$(bench-stat -g bench -s n,min,max a.csv b.csv)" "bench,metric,unit,n,min,max
sort,wall,ns,5,7,300
sort,max_rss,B,1,4096,4096" "-g groups by what it names, metric and unit"
is "$(bench-stat a.csv | head -n 1)" "host,bench,size,metric,unit,n,failed,mean,sd,min,p5,median,\
p90,p95,p99,p999,max,mad,ci_lo,ci_hi,outliers" "the header"
is "$(printf 'bench,metric,value,status\nx,wall,,timeout\nx,wall,5,timeout\n' | bench-stat)" \
	"bench,metric,unit,n,failed,mean,sd,min,p5,median,p90,p95,p99,p999,max,mad,ci_lo,ci_hi,outliers
x,wall,,0,2,,,,,,,,,,,,,," "a group that only failed has a row without statistics"
is "$(printf 'bench,sample,t,metric,value\nx,0,0,rss,1\nx,0,5,rss,3\nx,1,0,rss,10\n' |
	bench-stat -s n,min,max)" "bench,metric,unit,n,min,max
x,rss,,2,2,10" "a time series counts as its mean in each sample"
is "$(printf 'run,bench,sample,t,metric,value,status\nr,x,0,0,rss,1,\nr,x,0,5,rss,3,\nr,y,0,0,rss,10,\nr,x,1,0,rss,,timeout\nr,y,1,0,rss,,timeout\n' |
	bench-stat -g run -s n,failed,min,max)" "run,metric,unit,n,failed,min,max
r,rss,,2,2,2,10" "... of each subject, also where -g joins them"
is "$(printf 'name,secs,kb\nx,1.5,7\nx,2.5,9\n' | bench-stat -m secs:s -m kb -s n,mean)" \
	"name,metric,unit,n,mean
x,secs,s,2,2
x,kb,,2,8" "-m melts foreign columns"
is "$(printf 'metric,value\nw,1\nw,2\nw,3\nw,4\nw,5\nw,6\nw,7\n' | bench-stat -C 50% -s ci_lo,ci_hi | tail -n 1)" \
	"w,,3,5" "-C sets the confidence of the interval"
is "$(printf 'metric,value\n' | bench-stat -s n)" "metric,unit,n" "a header without rows gives a header"
is "$(bench-stat --json -s n,ci_lo b.csv | tr -d ' \n')" \
	'[{"bench":"sort","backend":"gpu","metric":"wall","unit":"ns","n":2,"ci_lo":null}]' \
	"JSON has null for what does not exist"
like "$(bench-stat --table a.csv)" '^sort +10 +wall +2 +1 +102 ns' \
	"people see units and no column that never varies"

is "$(printf 'sample,t,metric,value,status\n0,0,m,,timeout\n1,0,m,,timeout\n0,1,m,,timeout\n1,1,m,,timeout\n' |
	bench-stat -s n,failed | tail -n 1)" 'm,,0,2' "... and fails once a sample, in whatever order its points come"

# What cannot be done.
status 2 "empty input is trouble" bench-stat </dev/null
like "$(cat .err)" 'no table of measurements' "... and says so"
status 2 "an unknown statistic is refused" bench-stat -s median,p96 a.csv
like "$(cat .err)" "no statistic 'p96'.*median" "... with those there are"
for c in 0 100% 101% -5 x; do
	status 2 "a confidence of $c is refused" bench-stat -C "$c" a.csv
done
status 2 "-g with a column that is not there is refused" bench-stat -g colour a.csv
like "$(cat .err)" "no column 'colour'" "... by name"
status 2 "a full disk is not silent" sh -c 'bench-stat a.csv >/dev/full'
like "$(cat .err)" 'No space left' "... and says so"
status 2 "a missing file is trouble" bench-stat nowhere.csv
awk 'BEGIN { print "bench,metric,value"; for (i = 0; i < 9000; i++) print "b" i ",w,1" }' >many.csv
{
	bench-stat many.csv 2>.err
	echo $? >code
} | head -n 1 >/dev/null
like "$(cat code)" '^(2|141)$' "a reader that stops early ends it"
is "$(cat .err)" "" "... quietly"
done_testing
