#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Agreement of bench-compare with R.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# agree RELATIVE FILE: both columns of the file agree within this relative error, line by line
agree() {
	awk -v most="$1" '{ d = $1 - $2; s = $2; if (d < 0) d = -d; if (s < 0) s = -s
			if (NF != 2 || d > most * s + 1e-300) { print "# differs: " NR, $1, $2; bad = 1 } }
		END { exit bad || NR < 20 }' "$2"
}

cp "$ROOT/tests/lib/pair_ranks.R" .
# The exact p of a rank sum with ties: counts all ways to draw a midrank sum, by convolution.
cat >rank_sum.R <<'END'
rank_sum_p <- function(x, y) {
	r <- round(2 * rank(c(x, y))); m <- length(x); s <- sum(r)
	ways <- matrix(0, m + 1, s + 1); ways[1, 1] <- 1
	for (k in r) for (i in m:1) {
		to <- (k + 1):(s + 1)
		ways[i + 1, to] <- ways[i + 1, to] + ways[i, to - k]
	}
	p <- ways[m + 1, ] / choose(length(r), m); seen <- sum(r[1:m])
	min(1, 2 * min(sum(p[0:seen + 1]), sum(p[seen:s + 1])))
}
END

# The numbers of values with which Welch's test has a p and an interval.
cat >valid.R <<'END'
valid <- function(m, n) min(m, n) >= 7 && abs(1 / m - 1 / n) / sqrt(1 / m + 1 / n) <= 1 / 7
END

if skip_unless R "shifts, p and a12 agree with R"; then
	cat >random.R <<'END'
source("rank_sum.R"); source("pair_ranks.R"); source("valid.R")
set.seed(20261122)
text <- function(x) sprintf("%.17g", x)
write <- function(file, run, case, x) write.table(data.frame(run, case, seq_along(x) - 1, "m", text(x)),
	file, sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
for (f in c("old.csv", "new.csv")) writeLines("run,case,sample,metric,value", f)
writeLines("run,case,sample,metric,value,side", "pairs.csv")
sides <- pairs <- NULL
for (k in 1:40) {
	m <- sample(2:45, 1); n <- sample(2:45, 1)
	x <- rlnorm(m, 5, .3); y <- rlnorm(n, 5 + runif(1, 0, .3), .3)
	if (k > 20) { x <- round(x / 40); y <- round(y / 40); y[1] <- y[2] + 1 }
	write("old.csv", paste0("o", k), paste0("c", k), x)
	write("new.csv", paste0("n", k), paste0("c", k), y)
	# the estimate of the exact test is the median of all differences
	shift <- if (k > 20) median(outer(y, x, "-"))
		else wilcox.test(y, x, exact = TRUE, conf.int = TRUE)$estimate
	sides <- rbind(sides, data.frame(rank = if (k > 20) rank_sum_p(x, y) else wilcox.test(y, x, exact = TRUE)$p.value,
		welch = if (valid(m, n)) t.test(y, x)$p.value else NA, shift, a12 = mean((sign(outer(y, x, "-")) + 1) / 2)))
	n <- sample(7:45, 1); x <- rnorm(n, 1, 2); y <- x + rnorm(n, .3, 1)
	if (k > 20) { x <- round(x); y <- round(y); y[1] <- x[1] + 3 }
	for (s in 0:1) write.table(data.frame("r", paste0("c", k), seq_len(n) - 1, "m",
		text(if (s) y else x), c("a", "b")[s + 1]), "pairs.csv", sep = ",",
		row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
	walsh <- outer(y - x, y - x, "+")[upper.tri(diag(n), TRUE)] / 2
	pairs <- rbind(pairs, data.frame(rank = pair_ranks(y, x)[1],
		welch = t.test(y, x, paired = TRUE)$p.value, shift = median(walsh), a12 = NA))
}
for (w in c("sides", "pairs")) for (c in names(get(w)))
	writeLines(text(get(w)[[c]]), paste(w, c, "want", sep = "."))
END
	Rscript --vanilla random.R 2>/dev/null
	for t in rank welch; do
		bench-compare -q --no-geomean --test $t -s p,shift,a12 old.csv new.csv >sides.$t
		bench-compare -q --no-geomean --test $t -s p,shift,a12 -b side pairs.csv >pairs.$t
	done
	for w in sides pairs; do
		for t in rank welch; do column p $w.$t | sed 's/^$/NA/' | paste -d' ' - $w.$t.want >$w.p.$t; done
		column shift $w.rank | paste -d' ' - $w.shift.want >$w.both
		ok "the shifts of 40 random $w agree with R to 1e-10" agree 1e-10 $w.both
		ok "the p of --test welch of 40 random $w agree with R to 1e-12" agree 1e-12 $w.p.welch
	done
	ok "the exact p of ranks of 40 random sides, half of them with ties, agree with R to 1e-12" agree 1e-12 sides.p.rank
	ok "the exact p of ranks of 40 random pairs, half of them with ties, agree with R to 1e-12" agree 1e-12 pairs.p.rank
	column a12 sides.rank | paste -d' ' - sides.a12.want >both
	ok "a12 of 40 random sides agrees with R to 1e-14" agree 1e-14 both
fi

if skip_unless R "estimates and intervals agree with R"; then
	cat >intervals.R <<'END'
source("rank_sum.R"); source("pair_ranks.R"); source("valid.R")
set.seed(20261123)
text <- function(x) sprintf("%.17g", x)
write <- function(file, run, case, x, metric = "m") write.table(data.frame(run, case, seq_along(x) - 1, metric, text(x)),
	file, sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
# The interval of the ratios between which all have a p of at least 0.05.
ties <- function(y, x) {
	q <- sort(unique(as.vector(outer(y, x, "/"))))
	gap <- c(q[1] / 2, (q[-1] + q[-length(q)]) / 2, 2 * q[length(q)])
	ok <- which(sapply(gap, function(r) rank_sum_p(y / r, x)) >= 0.05)
	c(exp(median(log(outer(y, x, "/")))), q[min(ok) - 1], q[max(ok)])
}
# The odds ratios for which a tail of Fisher's test is 0.025, as the ratios of the expected rates.
rates <- function(y, x) {
	n <- length(y); m <- length(x); t <- sum(y) + sum(x)
	k <- max(0, t - m):min(n, t)
	chance <- function(odds) { w <- lchoose(n, k) + lchoose(m, t - k) + k * odds; exp(w - max(w)) / sum(exp(w - max(w))) }
	end <- function(at) uniroot(function(odds) sum(chance(odds)[at]) - 0.025, c(-30, 30), tol = 1e-14)$root
	odds <- c(end(k >= sum(y)), end(k <= sum(y)))
	stopifnot(abs(exp(odds) / fisher.test(matrix(c(sum(y), n - sum(y), sum(x), m - sum(x)), 2))$conf.int - 1) < 0.01)
	c(mean(y) / mean(x), sapply(odds, function(o) { e <- sum(k * chance(o)); (e / n) / ((t - e) / m) }))
}
# The roots of the p of Welch's test of new / r against old.
welch <- function(y, x) {
	f <- function(r) t.test(y / exp(r), x)$p.value - 0.05; at <- log(mean(y) / mean(x))
	exp(c(at, uniroot(f, c(at - 3, at), tol = 1e-13)$root, uniroot(f, c(at, at + 3), tol = 1e-13)$root))
}
student <- function(y, x) {
	f <- function(r) t.test(y - exp(r) * x)$p.value - 0.05; at <- log(mean(y) / mean(x))
	exp(c(at, uniroot(f, c(at - 3, at), tol = 1e-13)$root, uniroot(f, c(at, at + 3), tol = 1e-13)$root))
}
ends <- function(t) c(t$estimate, t$conf.int)
for (f in c("sides", "ties", "rates")) for (s in c("old", "new")) writeLines("run,case,sample,metric,value", paste(f, s, "csv", sep = "."))
for (f in c("pairs", "signed")) writeLines("run,case,sample,metric,value,side", paste0(f, ".csv"))
want <- list()
keep <- function(name, x) want[[name]] <<- rbind(want[[name]], x)
for (k in 1:25) {
	case <- paste0("c", k)
	repeat { m <- sample(4:49, 1); n <- sample(4:49, 1); if (valid(m, n)) break }
	x <- rlnorm(m, 5, .3); y <- rlnorm(n, 5.1, .3)
	write("sides.old.csv", "o", case, x); write("sides.new.csv", "n", case, y)
	keep("sides.rank", exp(ends(wilcox.test(log(y), log(x), exact = TRUE, conf.int = TRUE))))
	keep("sides.welch", welch(y, x))
	x <- sample(20:26, sample(5:10, 1), TRUE); y <- sample(21:28, sample(5:10, 1), TRUE)
	write("ties.old.csv", "o", case, x); write("ties.new.csv", "n", case, y)
	keep("ties.rank", ties(y, x))
	x <- c(1, 0, rbinom(sample(8:30, 1), 1, .8)); y <- c(1, 0, rbinom(sample(8:30, 1), 1, .6))
	write("rates.old.csv", "o", case, x, "ok"); write("rates.new.csv", "n", case, y, "ok")
	keep("rates.rank", rates(y, x))
	n <- if (k > 22) 60 else sample(7:45, 1)
	for (f in c("pairs", "signed")) {
		x <- if (f == "pairs") rlnorm(n, 5, .3) else rnorm(n, -3, 2)
		y <- if (f == "pairs") x * rlnorm(n, .05, .1) else x + rnorm(n, .3, 1)
		for (s in 0:1) write.table(data.frame("r", case, seq_len(n) - 1, "m",
			text(if (s) y else x), c("a", "b")[s + 1]), paste0(f, ".csv"), sep = ",",
			row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
		if (f == "signed") {
			keep("signed.rank", pair_ranks(y, x)[-1])
			keep("signed.welch", ends(t.test(y, x, paired = TRUE)))
		} else {
			keep("pairs.rank", pair_ranks(y, x)[-1])
			keep("pairs.welch", student(y, x))
		}
	}
}
for (name in names(want)) writeLines(text(as.vector(t(want[[name]]))), paste0(name, ".want"))
END
	Rscript --vanilla intervals.R 2>/dev/null
	# both FILE COLUMNS INPUT...: writes each of the columns next to the expected values
	both() {
		file=$1 columns=$2 test=${1#*.}
		shift 2
		bench-compare -q --no-geomean --test "$test" -s "$columns" "$@" | tail -n +2 | awk -F, '{ print $(NF-2); print $(NF-1); print $NF }' |
			paste -d' ' - "$file.want" >"$file.both"
	}
	ratios=ratio,ratio_lo,ratio_hi differences=diff,diff_lo,diff_hi
	for t in rank welch; do
		both sides.$t $ratios sides.old.csv sides.new.csv
		both pairs.$t $ratios -b side pairs.csv
		both signed.$t $differences -b side signed.csv
		for w in sides pairs signed; do
			ok "the estimates and intervals of --test $t of 25 random $w agree with R to 1e-9" agree 1e-9 $w.$t.both
		done
	done
	both ties.rank $ratios ties.old.csv ties.new.csv
	ok "the estimates and exact intervals of 25 random sides with ties agree with R to 1e-9" agree 1e-9 ties.rank.both
	both rates.rank $ratios rates.old.csv rates.new.csv
	ok "the intervals of 25 ratios of success rates agree with R's odds ratios to 1e-9" agree 1e-9 rates.rank.both
fi
done_testing
