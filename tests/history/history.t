#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare --history and --since-change: series, their order, the changes found, and notes.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# history COUNT AT STEP SEED [NOISE [R [BENCH]]]: rows of COUNT commits of three samples each. Values
# from commit AT on are multiplied by STEP. The noise has a standard deviation of NOISE per cent and
# an autocorrelation of R.
history() {
	awk -v n="$1" -v at="$2" -v step="$3" -v seed="$4" -v noise="${5:-1}" -v r="${6:-0}" -v bench="${7:-sort}" '
	function normal(    z, k) { for (k = 0; k < 12; k++) z += rand(); return z - 6 }
	BEGIN {
		srand(seed); e = normal()
		print "run,time,host,env,commit,bench,sample,metric,unit,value,status"
		for (i = 0; i < n; i++) {
			if (i) e = r * e + sqrt(1 - r * r) * normal()
			for (s = 0; s < 3; s++)
				printf "r%d,2026-01-%02dT%02d:00:00Z,h,e1,c%03d,%s,%d,wall,ns,%.0f,ok\n", i,
					1 + i / 24, i % 24, i, bench, s,
					1e7 * (i >= at ? step : 1) * (1 + (e + (s - 1) / 10) * noise / 100)
		}
	}'
}

# The flow of the Nile, 1871 to 1970 (G. W. Cobb, "The problem of the Nile", Biometrika 65
# (1978); R's dataset Nile): less after 1898.
tr ' ' '\n' >flows <<'END'
1120 1160 963 1210 1160 1160 813 1230 1370 1140 995 935 1110 994 1020 960 1180 799 958 1140
1100 1210 1150 1250 1260 1220 1030 1100 774 840 874 694 940 833 701 916 692 1020 1050 969
831 726 456 824 702 1120 1100 832 764 821 768 845 864 862 698 845 744 796 1040 759
781 865 845 944 984 897 822 1010 771 676 649 846 812 742 801 1040 860 874 848 890
744 749 838 1050 918 986 797 923 975 815 1020 906 901 1170 912 746 919 718 714 740
END
awk 'BEGIN { print "time,commit,metric,value" }
	{ print 1870 + NR "-07-01," 1870 + NR ",flow," $1 }' flows >nile.csv
status 0 "an unknown metric, the flow of the Nile, is better lower" \
	bench-compare --history nile.csv
is "$(cut -d, -f4- .out)" "time,commit_before,commit,before,after,ratio,p,shape,slope,slope_lo,slope_hi,primary
1899-07-01,1898,1899,1130,842.5,0.745575221238938,0.00014365993563330507,step,,,,yes" "the Nile changed once, after 1898"
is "$(head -n 33 nile.csv | bench-compare --history | cut -d, -f5,6,10)" "commit_before,commit,p
1898,1899,0.04177109440267335" "in 33 years of the Nile p comes from permutations with the seed"
is "$(head -n 1 .out)" host,metric,unit,time,commit_before,commit,before,after,ratio,p,shape,slope,slope_lo,slope_hi,primary "the header of --history has the columns of the page"
is "$(bench-compare --history --window 40 nile.csv | cut -d, -f5,6)" "commit_before,commit
1898,1899" "the change of the Nile is found in windows"
is "$(bench-compare --history --seed 7 nile.csv | cut -d, -f5,6)" "commit_before,commit
1898,1899" "the change of the Nile is found with another seed"

history 40 25 1.05 1 >step.csv
status 1 "a step for the worse ends with status 1" bench-compare --history step.csv
is "$(column commit_before .out),$(column commit .out)" c024,c025 "a step is found at its commit"
is "$(cat .err)" '' "a step is found without a message"
cp .out first.out
bench-compare --history step.csv | cmp -s - first.out
result $? "the same seed gives the same output"
{ head -n 1 step.csv && tail -n +2 step.csv | sort -t, -k11 -k10n; } >shuffled.csv
bench-compare --history shuffled.csv | cmp -s - first.out
result $? "the order of the rows does not change the output"
{ cat step.csv && history 40 40 1 9 1 0 other | tail -n +2; } >two.csv
status 1 "a step in the first of two series ends with status 1" bench-compare --history two.csv
is "$(column bench .out),$(column commit .out)" sort,c025 "a second series does not move the step of the first"
is "$(column p first.out | awk '{ print 2 * $1 }')" "$(column p .out | awk '{ print 0 + $1 }')" "the p of a step is corrected for both series"
status 0 "a step within the margin ends with status 0" bench-compare --history --threshold 10% step.csv
is "$(wc -l <.out)" 1 "a step within the margin has no row"

# Drifts: noise of 1%, a drift of N % from the first value to the last one, a step of 5%.
drift() { # PERCENT [AT]
	history 60 "${2:-60}" 1.05 11 | awk -F, -v percent="$1" 'BEGIN { OFS = "," }
		NR > 1 { $10 = $10 * (1 + percent / 100 * int((NR - 2) / 3) / 59) } { print }'
}
for percent in 5 40; do
	drift $percent >drift.csv
	status 1 "a drift of $percent % for the worse ends with status 1" bench-compare --history drift.csv
	is "$(column shape .out)" drift "a drift of $percent % is one row, a drift"
	is "$(column commit_before .out),$(column commit .out)" c000,c059 "a drift of $percent % goes from the first commit to the last one"
	got="$(column ratio .out) $(column slope_lo .out) $(column slope .out) $(column slope_hi .out) $(column p .out)"
	ok "the ratio and slope of a drift of $percent % are those that it was made with ($got)" sh -c "echo $got |
		awk -v percent=$percent '{ ratio = (\$1 - 1) * 100 / percent; slope = 1e5 * percent / 59
			exit !(NF == 5 && ratio > 0.7 && ratio < 1.3 && \$2 < slope && slope < \$4 && \$2 < \$3 && \$3 < \$4 && \$5 < 1e-6) }'"
done
drift -40 >faster.csv
status 0 "a drift for the better ends with status 0" bench-compare --history faster.csv
is "$(column shape .out)" drift "a drift for the better is a row"
status 1 "a drift ends at the newest commit" bench-compare --history --since c059 drift.csv
status 0 "a drift within the margin ends with status 0" bench-compare --history --threshold 60% drift.csv
drift 10 30 >both.csv
status 1 "a drift with a step ends with status 1" bench-compare --history both.csv
is "$(column shape .out | tr '\n' ' '),$(column commit .out | tr '\n' ' ')" 'drift step ,c059 c030 ' \
	"a step in addition to a drift has its own row, after that of the drift"
# line DRIFT STEP: 60 commits on a line to the DRIFT-fold, with a step to the STEP-fold at c030
line() {
	awk -v drift="$1" -v step="$2" 'BEGIN { print "time,commit,bench,metric,unit,value"; for (i = 0; i < 60; i++)
		printf("2026-01-01T00:%02d:00Z,c%03d,b,wall,ns,%.3f\n", i, i,
			1e6 * (1 + (drift - 1) * i / 59) * (i < 30 ? 1 : step) * (1 + (i * 7 % 5 - 2) / 1e4)) }'
}
line 0.84 1.2 >back.csv
status 1 "a step for the worse ends with status 1 if a drift makes up for it" bench-compare --history back.csv
like "$(column commit .out | paste -sd' ')" c030 "a drift whose ends are equal does not hide a step"
line 1.3 1.015 >within.csv
bench-compare --history within.csv >.out
is "$(column shape .out)" drift "a step within the margin, in addition to a drift, has no row"
like "$(bench-compare --history --table drift.csv)" ' drift ' "the aligned table shows which changes are drifts"
like "$(bench-plot trend -y wall --script drift.csv | sed -n '/^\$levels/,/^EOD/p' | tail -n +3 | head -n 1)" \
	'^[0-9.e+]+ [0-9.e+]+ [0-9.]+ [0-9]+ [0-9.]+$' "bench-plot draws a drift as one line"
like "$(bench-plot trend -y wall -F txt drift.csv)" '1 series drifts' "bench-plot says that a series drifts"

if skip_unless R "20 random series: place, medians and p agree with R"; then
	cat >random.R <<'END'
set.seed(20140321)
best <- function(x, least = 4) {
	d <- abs(outer(x, x, "-")); n <- length(x)
	q <- sapply(seq_len(n), function(m) {
		k <- n - m
		if (m < least || k < least) return(-Inf)
		a <- seq_len(m); b <- (m + 1):n
		m * k / n * (2 * mean(d[a, b]) - sum(d[a, a]) / (m * (m - 1)) - sum(d[b, b]) / (k * (k - 1)))
	})
	which.max(q)
}
kept <- function(x, places, chosen) {
	n <- length(x); part <- findInterval(seq_len(n) - 1, places)
	e <- x - ave(x, part); same <- part[-1] == part[-n]; clamp <- function(r) min(max(r, 0), 0.9)
	raw <- sum((e[-1] * e[-n])[same]) / sum(e^2) * n / (n - length(places) - 1)
	b <- (length(places) + 1 + chosen) / n
	r <- raw + b * (1 + 3 * max(raw, 0)); r <- raw + b * (1 + 3 * clamp(r))
	clamp(r + (0.8 + 9 / n) * sqrt(max(0, 1 - r^2) / n))
}
cat("commit,bench,metric,value\n", file = "random.csv")
for (series in 1:20) {
	n <- 60; step <- sample(15:45, 1); r <- series %% 3 * 0.2
	x <- 1000 + 10 * as.numeric(stats::filter(rnorm(n) * sqrt(1 - r^2), r, "recursive")) + 80 * (seq_len(n) > step)
	if (series %% 5 == 0) x <- round(x, -1)
	write.table(data.frame(seq_len(n), series, "m", sprintf("%.17g", x)), "random.csv", sep = ",",
		row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
	at <- best(x)
	r <- kept(x, at, 0)
	if (r > 0) r <- min(r, kept(x, c(best(x[1:at]), at, at + best(x[(at + 1):n])), 3))
	w <- x - r * c(x[1], x[-n])
	at <- best(w); k <- n - at
	rank <- rank(w); ties <- tabulate(match(w, unique(w)))
	spread <- sqrt(at * k / 12 * (n + 1 - sum(ties^3 - ties) / (n * (n - 1))))
	off <- abs(sum(rank[1:at]) - at * (n + 1) / 2) - 0.5
	p <- 2 * pnorm(-off / spread) * (n - 7) / 0.1 * 20
	cat(series, at, at + 1, sprintf("%.17g", c(median(x[1:at]), median(x[(at + 1):n]), p)), "\n",
		file = "random.want", append = TRUE)
}
END
	Rscript --vanilla random.R
	bench-compare -q --history --threshold 0 random.csv | awk -F, 'NR > 1 { print $1, $6, $7, $8, $9, $11 }' >random.got
	paste -d ' ' random.got random.want | awk '{ for (i = 1; i <= 6; i++) {
				d = $i - $(i + 6); if (d < 0) d = -d
				if (d > 1e-7 * $(i + 6)) { print "# differs:", $0; bad = 1; break } } }
			END { exit bad || NR != 20 }'
	result $? "20 random series: place, medians and p agree with R"
fi

# Order.
awk 'BEGIN { for (i = 0; i < 40; i++) printf "c%03d\n", i }' >order
awk -F, 'BEGIN { OFS = "," } { if (NR > 1) $2 = ""; print }' step.csv >timeless.csv
status 1 "a step is found in commits in the order of a file" bench-compare --history --order order timeless.csv
is "$(column commit .out),$(cat .err)" c025, "commits in the order of a file need no time"
tac order | bench-compare --history --order - step.csv >back.out
is "$(column commit_before back.out),$(column commit back.out)" c025,c024 "the order of a file comes before the time"
is "$(column ratio back.out | awk '{ print $1 < 1 }')" 1 "a step in reverse order is one for the better"
grep -v c02 order >part
status 1 "a step is found when the order lacks some commits" bench-compare --history --order part step.csv
is "$(column commit_before .out),$(column commit .out)" c019,c030 "the step is found around the commits that the order lacks"
like "$(cat .err)" "^bench-compare: 10 values left out, because the commit 'c02.' is not in the order file" "commits that the order lacks are reported"
status 2 "an empty order is refused" bench-compare --history --order /dev/null step.csv
like "$(cat .err)" "^bench-compare: /dev/null: contains no commit" "the empty order is named"
status 2 "an order that does not exist is refused" bench-compare --history --order nowhere step.csv
{ cat order && echo c003; } >twice
status 2 "an order with a commit twice is refused" bench-compare --history --order twice step.csv
like "$(cat .err)" "twice: duplicate commit c003" "the commit that an order has twice is named"
sed 's/,c0\([0-9][0-9]\),/,aaaaaaa\1-dirty,/' step.csv >dirty.csv
sed 's/^c0\(..\)/aaaaaaa\1ffffffffffffffffffffffffffffff subject \1/' order >full
status 1 "a step is found in abbreviated and dirty commits" bench-compare --history --order full dirty.csv
is "$(column commit .out)" aaaaaaa25-dirty "abbreviated commits are found in the order by their beginnings"
status 1 "values without a time and an order are in the order of the input" bench-compare --history timeless.csv
is "$(column commit .out),$(cat .err)" "c025,bench-compare: 1 series has values without a time, so the order of the input is used" "values without a time are reported"
sed 's/T[0-9:]*Z/T00:00:00Z/; s/2026-01-../2026-01-01/' step.csv >equal.csv
bench-compare --history equal.csv >equal.out
is "$(column commit equal.out)" c025 "values of equal times are in the order of the input"

# The range.
status 1 "a change since a commit ends with status 1" bench-compare --history --since c020 step.csv
is "$(column commit .out)" c025 "a change since a commit is printed"
status 0 "a change before the commit of --since ends with status 0" bench-compare --history --since c026 step.csv
is "$(wc -l <.out)" 1 "a change before the commit of --since is not printed"
status 1 "--since takes a commit of an order" bench-compare --history --since c025 --order order timeless.csv
status 0 "--since takes a commit of an order after the change" bench-compare --history --since c026 --order order timeless.csv
status 1 "a change since a time ends with status 1" bench-compare --history --since 2026-01-02T00:00 step.csv
status 0 "a change before the time of --since ends with status 0" bench-compare --history --since 2026-01-03 step.csv
status 2 "a --since that is neither a commit nor a time is refused" bench-compare --history --since nonsense step.csv
like "$(cat .err)" "'nonsense' is not a commit" "the refusal names the unknown --since"

# Values of commits and runs.
awk 'BEGIN { print "run,commit,sample,metric,value"
	for (i = 0; i < 20; i++) for (r = 0; r < 3; r++) for (s = 0; s < 3; s++)
		printf "r%d-%d,c%d,%d,m,%d\n", i, r, i, s, (i < 10 ? 100 : 200) + i % 3 + (s == 2 ? 1000 : 0) - (r == 0 ? 500 : 0) }' >pool.csv
bench-compare -q --history pool.csv >pool.out
is "$(cut -d, -f6-9 pool.out)" "commit,before,after,ratio
c10,101,201,1.99009900990099" "the median of a commit's runs, each the median of its samples"
sed 's/,c[0-9]*,/,same,/' pool.csv >onecommit.csv
status 2 "runs of one commit are one value, which is too few" bench-compare -q --history onecommit.csv
like "$(cat .err)" 'no series is long enough to have a change: at least 8 values' "bench-compare --history reports that there are too few values"
awk -F, 'BEGIN { OFS = "," } { if (NR == 1 || $1 ~ /-1$/) print }' onecommit.csv >runs.csv
bench-compare -q --history --by-run runs.csv >runs.out
is "$(column before runs.out),$(column after runs.out)" 101,201 "--by-run takes each run as a value"
sed 's/,ok$/,failed:exit=1/' step.csv >failed.csv
status 2 "failed runs alone end with status 2" bench-compare --history failed.csv
{ cat step.csv && sed '1d; s/,c0/,f0/; s/^r/f/; s/,ok$/,timeout/' step.csv; } >some.csv
bench-compare --history some.csv | cmp -s - first.out
result $? "failed runs do not change the values of commits"
history 40 25 1.05 1 | sed 's/,h,e1,/,g,e1,/; 1d' >other_host
cat step.csv other_host >hosts.csv
bench-compare --history hosts.csv >hosts.out
is "$(column host hosts.out | tr '\n' ' ')" "h g " "each host has a series of its own"
awk -F, 'BEGIN { OFS = "," } { if (substr($5, 2) + 0 >= 25) $4 = "e2"; print }' step.csv >env.csv
status 1 "a change of env at a step ends with status 1" bench-compare --history env.csv
like "$(cat .err)" '^bench-compare: bench=sort host=h metric=wall: env changed where the series changed, at c025, from e1 to e2$' "a change of env at a step is reported"
history 40 40 1 1 | awk -F, 'BEGIN { OFS = "," } substr($5, 2) + 0 >= 25 && $7 > 0 { $10 = 20000000; $11 = "timeout" } { print }' >slow.csv
status 1 "a history in which most samples begin to time out becomes worse" bench-compare -q --history slow.csv
is "$(column commit .out),$(column after .out)" c025,20000000 "a median that timed out counts as its lower bound"
history 40 40 1 1 | awk -F, 'BEGIN { OFS = "," } substr($5, 2) + 0 >= 25 && $7 > 1 { $10 = 20000000; $11 = "timeout" } { print }' >rare.csv
status 0 "a history of which a minority of samples time out does not change" bench-compare -q --history rare.csv
awk -F, 'BEGIN { OFS = "," } { if (NR > 1) $10 = 5; print }' step.csv >flat.csv
status 0 "equal values end with status 0" bench-compare --history --threshold 0 flat.csv
awk -F, 'BEGIN { OFS = "," } { if (NR > 1) $10 = substr($5, 2) + 0 < 25 ? 0 : -1; print }' step.csv >below.csv
bench-compare --history below.csv >below.out
is "$(column before below.out),$(column after below.out),$(column ratio below.out)" 0,-1, "a change from zero to below has no ratio"
history 1 1 1 1 >onerun.csv
status 2 "a single run ends with status 2" bench-compare --history onerun.csv
like "$(cat .err)" '1 of 1 series is too short for a change: fewer than 8 values \(bench=sort host=h metric=wall\)' "a series that is too short is reported"
status 2 "empty input ends with status 2" bench-compare --history /dev/null
status 2 "a column of -g that does not exist is refused" bench-compare --history -g nowhere step.csv
status 1 "-g makes series by other columns" bench-compare --history -g kind,bench step.csv
for wrong in '-b bench' '--reference a' '--adjust bh' --no-geomean '--test welch' --gate; do
	# shellcheck disable=SC2086
	status 2 "$wrong with --history is refused" bench-compare --history $wrong step.csv
	like "$(cat .err)" '^bench-compare: --[a-z-]* cannot be combined with --history ' "the refusal of $wrong names the option and --history"
done
for wrong in '--order order' '--since c020' --by-run '--window 50' '--min-segment 3'; do
	# shellcheck disable=SC2086
	status 2 "$wrong without --history is refused" bench-compare $wrong step.csv step.csv
done
status 2 "a window that is too short is refused" bench-compare --history --window 19 step.csv
status 2 "a least segment of one value is refused" bench-compare --history --min-segment 1 step.csv
status 125 "--bisect skips a commit whose history is too short" bench-compare --bisect --history onerun.csv

# Autocorrelated series: few false changes, and steps are found.
for r in 0.3 0.5; do
	for seed in $(seq 60); do
		history 24 24 1 "$seed" 1 $r "b$seed" | sed '1{/^run/!b;'"$([ "$seed" = 1 ] || echo d)"'}'
	done >quiet.csv
	bench-compare --history --threshold 0 quiet.csv >quiet.out
	alarms=$(column bench quiet.out | sort -u | wc -l)
	ok "60 series of 24 values with an autocorrelation of $r have few false changes ($alarms)" [ "$alarms" -le 2 ]
done
found=0
for seed in $(seq 40); do
	history 24 12 1.05 "$seed" 1 0.35 >remembers.csv
	found=$((found + $(bench-compare --history remembers.csv | grep -c ',c01[0-4],')))
done
ok "a step of 5% with noise of 1% and an autocorrelation of 0.35 is found in most of 40 series ($found)" [ "$found" -ge 28 ]

# The newest value.
awk '/,c039,/ { next } { print }' step.csv >before.csv
newest() { cat before.csv && history 40 25 "$1" 1 | grep ,c039,; }
newest 1.05 >still.csv
status 0 "a newest commit like those since the last change ends with status 0" bench-compare --since-change still.csv
is "$(column n_old .out),$(column n_new .out),$(column since .out),$(column commit .out)" 14,1,c025,c039 "the newest commit is compared with those since the last change"
newest 1.15 >slower.csv
status 1 "a newest commit slower than since the last change ends with status 1" bench-compare --since-change slower.csv
is "$(column p_adj .out)" "$(column p .out)" "the corrected p of a single series is its p"
is "$(column verdict .out)" worse "a newest commit slower than since the last change is worse"
newest 1.0 >faster.csv
status 0 "a newest commit as fast as before the change ends with status 0" bench-compare --since-change faster.csv
is "$(column verdict .out)" better "a newest commit as fast as before the change is better"
is "$(head -n 1 .out)" "bench,host,metric,unit,n_old,n_new,old,new,ratio,ratio_lo,ratio_hi,p,p_adj,\
effect,verdict,runs_needed,diff,diff_lo,diff_hi,since,commit,primary" "the header of --since-change has the columns of the page"
history 4 4 1 1 >few.csv
status 0 "a newest commit after three others ends with status 0" bench-compare --since-change few.csv
is "$(column n_old .out)" 3 "three commits are enough to compare the newest with"
status 2 "a single commit with --since-change ends with status 2" bench-compare --since-change onerun.csv
status 0 "a series that ended before --since is left out" bench-compare --since-change --since c010 few.csv step.csv
is "$(column n_old .out)" 14 "only the series within the range is compared"
awk -F, 'BEGIN { OFS = "," } { if (NR > 1) $10 = substr($5, 2) + 0 == 39 ? 6 : 5; print }' step.csv >exact.csv
status 1 "a newest count above ones that never vary ends with status 1" bench-compare --since-change exact.csv
is "$(column p .out),$(column ratio_hi .out)" 0,1.2 "a newest count above ones that never vary has p 0"
# The newest value of a series that drifts.
for percent in 40 -20; do
	drift $percent >drift.csv
	status 0 "a newest commit that continues a drift of $percent % ends with status 0" bench-compare --since-change drift.csv
	is "$(column since .out),$(column n_old .out)" c000,59 "the newest commit of a drift of $percent % is compared with all before it"
	ok "the newest commit is compared with the prediction of a drift of $percent % ($(column old .out))" \
		sh -c "echo $(column old .out) | awk '{ off = \$1 / (1e7 * (1 + $percent / 100)); exit !(off > 0.99 && off < 1.01) }'"
	like "$(cat .err)" '1 of 1 series drifts .bench=sort host=h metric=wall.: the newest value is compared with what the drift' \
		"a drift of $percent % is reported by --since-change"
	for side in "1.06 1 worse" "0.94 0 better"; do
		# shellcheck disable=SC2086
		set -- $side
		awk -F, -v by="$1" 'BEGIN { OFS = "," } $5 == "c059" { $10 *= by } { print }' drift.csv >off.csv
		status "$2" "a newest commit $3 than a drift of $percent % predicts ends with status $2" bench-compare -q --since-change off.csv
		is "$(column verdict .out)" "$3" "a newest commit $3 than a drift of $percent % predicts is $3"
		[ "$percent" = 40 ] && told=1 || told=0
		is "$(grep -c drifts .err)" "$told" "-q reports a drift of $percent % only if it is for the worse ($3)"
	done
done
drift 10 30 >both.csv
status 0 "a newest commit that continues a drift after a step ends with status 0" bench-compare --since-change both.csv
is "$(column since .out)" c030 "the newest commit of a drift with a step is compared with those since the step"
bench-compare --since-change still.csv >.out 2>.err
unlike "$(cat .err)" drift "a series that does not drift is not reported as one"
# Margins from a table.
printf 'bench,metric,threshold,better\n*,wall,30%%\n' >wide.csv
printf 'bench,metric,threshold,better\n*,wall,,none\n' >none.csv
is "$(bench-compare -q --history --thresholds wide.csv step.csv | wc -l)" 1 "a change within the margin of the table is not printed"
status 0 "a change of a metric without a direction ends with status 0" bench-compare -q --history --thresholds none.csv step.csv
is "$(wc -l <.out)" 2 "a change of a metric without a direction is printed"
is "$(bench-compare -q --since-change --thresholds wide.csv slower.csv | column verdict -)" same "the newest within the margin of the table is the same"
is "$(bench-compare -q --since-change --thresholds none.csv slower.csv | column verdict -)" differs "the newest of a metric without a direction differs"
status 2 "--since-change and --history exclude each other" bench-compare --since-change --history step.csv
# Newest commits that fail, and series that ended.
head=run,time,commit,bench,metric,unit,value,status
ten() { for i in 1 2 3 4 5 6 7 8 9; do
	echo "$1$i,2026-01-0${i}T00:00:00Z,c$i,$1,wall,ns,$2,ok"; done; }
failed=2026-01-10T00:00:00Z,cX
{ echo $head; ten x 1; ten y 1; echo "y10,$failed,y,wall,ns,1,ok"; } >ended.csv
{ cat ended.csv; echo "x10,$failed,x,wall,ns,1,failed:exit=1"; } >fails.csv
status 2 "a newest commit whose runs fail ends with status 2" bench-compare --since-change fails.csv
like "$(cat .err)" "^bench-compare: .*bench=x metric=wall: no successful run of the newest commit, 'cX' .use --allow-missing" "the newest commit whose runs fail is named"
status 2 "a newest commit whose runs fail ends with status 2 when --since leaves no other" bench-compare --since-change --since 2026-01-10 fails.csv
status 0 "--allow-missing ends with status 0 when the runs of the newest commit fail" bench-compare --since-change --allow-missing fails.csv
{ cat fails.csv; echo "x11,2026-01-11T00:00:00Z,cX,x,wall,ns,1,ok"; } >again.csv
status 0 "a newest commit of which one run succeeds ends with status 0" bench-compare --since-change again.csv
printf '%s\n' c1 c2 c3 c4 c5 c6 c7 cX c8 c9 >x_before
status 0 "failed runs of a commit that is not the newest in the order end with status 0" bench-compare --since-change --order x_before fails.csv
status 0 "a series that ended ends with status 0" bench-compare --since-change ended.csv
like "$(cat .err)" "1 of 2 series ends before the newest commit, 'cX' .bench=x metric=wall.; use --since" "a series that ended is reported"
unlike "$(bench-compare -q --since-change ended.csv 2>&1)" ends "-q does not report a series that ended"
{ echo $head; ten x 1; echo "n10,$failed,new name,wall,ns,2,ok"; } >renamed.csv
status 2 "a newest commit whose benchmark has another name cannot be compared" bench-compare -q --since-change renamed.csv
is "$(cat .err)" "bench-compare: nothing could be compared: no series has both the newest commit, 'cX', and two older values (use --allow-missing to accept this)" \
	"a newest commit that cannot be compared is named"
like "$(bench-compare --since-change renamed.csv 2>&1)" "1 of 1 series ends before the newest commit, 'cX'" "a series is reported that ended before a newest commit of another name"
status 0 "--allow-missing accepts a newest commit that cannot be compared" bench-compare -q --since-change --allow-missing renamed.csv
printf '%s\n' c1 c2 c3 c4 c5 c6 c7 c8 c9 >stale
for newest in ended fails; do
	status 2 "an order without the newest commit of $newest.csv ends with status 2" bench-compare -q --since-change --order stale $newest.csv
	is "$(cat .err)" "bench-compare: cannot decide: the newest commit, 'cX', is not in the order file (use --allow-missing to accept this)" \
		"the newest commit of $newest.csv, which the order lacks, is named"
done
status 0 "--allow-missing accepts an order without the newest commit" bench-compare -q --since-change --allow-missing --order stale ended.csv
grep -v c5 x_before >without_c5
status 0 "an order without an older commit ends with status 0" bench-compare -q --since-change --order without_c5 ended.csv
sed 's/,2026[^,]*,/,,/' ended.csv >untimed.csv
status 2 "an order without the newest commit ends with status 2 when values have no time" bench-compare -q --since-change --order stale untimed.csv
# Newest values that are missing, or that a wrong clock made the newest.
{ cat ended.csv; echo "x10,$failed,x,max_rss,B,1,ok"; } >lacks.csv
status 2 "a newest commit that lacks a metric of its subject ends with status 2" bench-compare -q --since-change lacks.csv
is "$(cat .err)" "bench-compare: cannot decide: bench=x metric=wall: no value of the newest commit, 'cX', which has other metrics (use --since to leave the series out, or --allow-missing)" \
	"a newest commit that lacks a metric is named"
status 0 "--allow-missing accepts a newest commit that lacks a metric" bench-compare -q --since-change --allow-missing lacks.csv
{ cat ended.csv; echo "x10,$failed,x,wall,us,9,ok"; } >unit.csv
status 2 "a newest commit with another unit ends with status 2" bench-compare -q --since-change unit.csv
is "$(cat .err)" "bench-compare: cannot decide: bench=x metric=wall: the unit of the newest commit, 'cX', is 'us', and not 'ns' (use --since to leave the series out, or --allow-missing)" \
	"a newest commit with another unit is named"
{ cat unit.csv; for i in 11 12; do echo "x$i,2026-01-${i}T00:00:00Z,d$i,x,wall,us,9,ok"; done; } >units.csv
status 0 "values of a new unit are compared as soon as there are enough" bench-compare -q --since-change units.csv
{ echo $head; ten x 1; echo "x10,2260-01-01T00:00:00Z,cX,x,wall,ns,1,ok"; } >future.csv
status 2 "a newest value that is in the future ends with status 2" bench-compare -q --since-change future.csv
like "$(cat .err)" "cannot decide: the newest value is of 2260-01-01T00:00:00Z, which is in the future" "the time of a newest value in the future is named"
status 0 "an order makes up for a time in the future" bench-compare -q --since-change --order x_before future.csv
status 0 "--allow-missing accepts a time in the future" bench-compare -q --since-change --allow-missing future.csv
# A clock that was reset makes the newest value the oldest.
{ echo $head; ten x 1; echo "x10,1970-01-01T00:03:00Z,cX,x,wall,ns,9,ok"; } >reset.csv
status 2 "a value that follows values of years later ends with status 2" bench-compare -q --since-change reset.csv
like "$(cat .err)" "cannot decide: a value of 1970-01-01T00:03:00Z follows values of at least two years later" "the time of a clock that was reset is named"
status 0 "--allow-missing accepts a clock that was reset" bench-compare -q --since-change --allow-missing reset.csv
{ grep -v cX x_before && echo cX; } >x_last
status 1 "an order makes up for a clock that was reset" bench-compare -q --since-change --order x_last reset.csv
{ echo $head; echo "x10,1970-01-01T00:03:00Z,cX,x,wall,ns,1,ok"; ten x 1; } >old.csv
status 0 "a value of years before that is also first in the input is no error" bench-compare -q --since-change old.csv
{ echo $head; ten x 1; echo "x10,2025-12-31T00:00:00Z,cX,x,wall,ns,1,ok"; } >back.csv
status 0 "a last value that is earlier than others ends with status 0" bench-compare --since-change back.csv
like "$(cat .err)" "the last values of the input are of 2025-12-31T00:00:00Z, but others of 2026-01-.* are treated as the newest" "a last value that is earlier than others is reported"
status 2 "--unsure fail does not decide if the last value is earlier than others" bench-compare -q --since-change --unsure fail back.csv
status 0 "--allow-missing accepts a last value that is earlier than others" bench-compare -q --since-change --unsure fail --allow-missing back.csv
# --unsure with --since-change.
{ echo $head; ten x 1 | awk -F, 'BEGIN { OFS = "," } { $7 = NR % 2 ? 100 : 120; print }'; } >noisy.csv
status 0 "an unsure newest value ends with status 0" bench-compare --since-change noisy.csv
is "$(column verdict .out)" unsure "a newest value within the noise is unsure"
like "$(cat .err)" "1 of 1 series is unsure .bench=x metric=wall.: .*; use --unsure fail to fail" "an unsure newest value is reported"
for quiet in -q "--unsure pass"; do
	# shellcheck disable=SC2086
	status 0 "$quiet accepts an unsure newest value" bench-compare --since-change $quiet noisy.csv
	unlike "$(cat .err)" "is unsure" "$quiet does not report an unsure newest value"
done
status 1 "--unsure fail ends with status 1 if the newest value is unsure" bench-compare -q --since-change --unsure fail noisy.csv
like "$(cat .err)" "1 of 1 series is unsure .bench=x metric=wall.: measure the newest commit again" "--unsure fail says which newest value is unsure"
{ echo $head; ten x 1; } >constant.csv
status 0 "--unsure fail accepts a newest value that is the same" bench-compare -q --since-change --unsure fail constant.csv
printf 'bench,metric,threshold,better\n*,wall,,none\n' >neither.csv
status 0 "--unsure fail accepts an unsure newest value of a metric without a direction" bench-compare -q --since-change --unsure fail --thresholds neither.csv noisy.csv
status 2 "--history refuses --unsure" bench-compare --history --unsure fail step.csv
# A program may print the largest number instead of a result.
for huge in 18446744073709551615 1.7e308; do
	awk -F, -v OFS=, -v huge=$huge 'NR == 7 { $10 = huge } { print }' step.csv >one_huge.csv
	is "$(bench-compare --history one_huge.csv | column commit /dev/stdin)" "$(bench-compare --history step.csv | column commit /dev/stdin)" \
		"a single value of $huge does not hide a change"
done
awk -F, -v OFS=, 'NR > 1 { $10 = $10 / 1.2e7 * 1e308 } { print }' step.csv >all_huge.csv
is "$(bench-compare --history all_huge.csv | column commit /dev/stdin)" "$(bench-compare --history step.csv | column commit /dev/stdin)" \
	"a change of values near the largest number is found"
{ echo $head; ten z 0; } >zeros.csv
is "$(bench-compare --since-change zeros.csv | column verdict /dev/stdin)" same "a newest zero after zeros is the same"
status 2 "a newest commit whose runs fail also ends --history with status 2" bench-compare -q --history fails.csv
is "$(cat .err)" "bench-compare: bench=x metric=wall: no successful run of the newest commit, 'cX' (use --allow-missing to accept this)" \
	"--history names the newest commit whose runs fail"
status 0 "--allow-missing accepts a newest commit whose runs fail with --history" bench-compare -q --history --allow-missing fails.csv
status 0 "--history ignores a newest commit whose runs fail if --since leaves it out" bench-compare -q --history --since 2026-01-11 fails.csv
if skip_unless R "p and interval of the newest agree with R"; then
	awk -F, 'substr($5, 2) + 0 >= 25 { v[$5] = v[$5] " " $10 } END { for (c in v) print c v[c] }' still.csv |
		sort | awk '{ a[1] = $2; a[2] = $3; a[3] = $4; for (i = 1; i < 3; i++) for (k = 1; k <= 3 - i; k++)
			if (a[k] + 0 > a[k + 1] + 0) { t = a[k]; a[k] = a[k + 1]; a[k + 1] = t }; print a[2] }' >values
	bench-compare --since-change still.csv >still.out
	got="$(column p still.out) $(column ratio_lo still.out) $(column ratio_hi still.out)"
	cat >newest.R <<'END'
x <- log(scan("values", quiet = TRUE)); n <- length(x) - 1; o <- x[1:n]
e <- o - mean(o)
raw <- sum(e[-1] * e[-n]) / sum(e^2) * n / (n - 1)
clamp <- function(r) min(max(r, 0), 0.9)
r <- raw + (1 / n) * (1 + 3 * max(raw, 0))
r <- raw + (1 / n) * (1 + 3 * clamp(r))
r <- clamp(r + 0.8 * sqrt(max(0, 1 - r^2) / n))
k <- max(1, n * (1 - r) / (1 + r))
se <- sd(o) * sqrt(pi / 2 / k + 1)
d <- x[n + 1] - median(o)
q <- qt(0.975, n - 1) * se
ratio <- exp(x[n + 1]) / median(exp(o))
cat(2 * pt(-abs(d) / se, n - 1), ratio * exp(-q), ratio * exp(q))
END
	want=$(Rscript --vanilla newest.R)
	echo "$got $want" | awk '{ for (i = 1; i <= 3; i++) { d = $i / $(i + 3) - 1; if (d < 0) d = -d; if (d > 1e-5) exit 1 } exit NF != 6 }'
	result $? "p and interval of the newest agree with R ($got; $want)"
fi
# Ten commits in shuffled rounds, as commits/bench-commits.sh measures them: those from c5 on are slower by
# half. By the times of their first runs they are in the order of the first round.
awk 'BEGIN {
	print "run,time,commit,bench,metric,unit,value,status"
	split("3 8 1 6 9 0 5 2 7 4", first, " ")
	for (round = 0; round < 4; round++)
		for (i = 1; i <= 10; i++) {
			c = round ? (i + 3 * round) % 10 : first[i]
			printf "r%d,2026-01-01T00:%02d:%02dZ,c%d,sort,wall,ns,%d,ok\n", n++, round, i, c, (c < 5 ? 100 : 150) + round % 2
		}
}' >turns.csv
status 0 "a step of commits in shuffled rounds is not found by time" bench-compare --history turns.csv
is "$(cat .err)" "bench-compare: the commits of 1 series were measured in turns, so the times of their first runs may not order them (use --order)" "commits that were measured in turns are reported without an order"
for i in 0 1 2 3 4 5 6 7 8 9; do echo c$i; done >rounds
status 1 "a step of commits in shuffled rounds is found in the order of a file" bench-compare --history --order rounds turns.csv
is "$(column commit .out),$(cat .err)" c5, "an order makes up for commits that were measured in turns"
{ cat turns.csv && sed -n 2p turns.csv; } | bench-compare --history --by-run >by_run 2>&1
is "$(grep -c turns by_run)" 0 "runs are in the order of their times"
# Each commit in turns with the one before it, as bench-ci.sh measures a commit and its base.
awk 'BEGIN {
	print "run,time,commit,bench,metric,unit,value,status"
	for (c = 1; c < 13; c++)
		for (i = 0; i < 8; i++)
			printf "r%d,2026-01-%02dT00:00:%02dZ,c%d,sort,wall,ns,%d,ok\n", n++, c, i, c - 1 + i % 2, (c - 1 + i % 2 < 7 ? 100 : 150) + i
}' >pairs.csv
status 1 "a step is found by time if each commit was measured in turns with the one before it" bench-compare --history pairs.csv
is "$(column commit .out),$(cat .err)" c7, "each commit in turns with the one before it leaves the order by time"
{ history 12 6 1.5 1 && history 1 1 1 1 | sed -n 's/^r0,2026-01-01/r99,2026-01-02/p'; } >again.csv
status 1 "a step is found if the first commit was measured again" bench-compare --history again.csv
is "$(cat .err)" '' "one commit that was measured again leaves the order by time"
done_testing
