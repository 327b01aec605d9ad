#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Agreement of the statistics of timeouts with R.
. "${0%/*}/../lib/tap.sh"

# agree RELATIVE FILE: both columns of the file agree within this relative error, or are both empty
agree() {
	awk -F, -v most="$1" '{ d = $1 - $2; s = $2; if (d < 0) d = -d; if (s < 0) s = -s
			if (NF != 2 || ($1 == "") != ($2 == "") || d > most * s) { print "# differs: " NR, $0; bad = 1 } }
		END { exit bad || NR < 100 }' "$2"
}

cat >common.R <<'END'
text <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), "")
open_stream <- function(file) writeLines("run,case,sample,metric,unit,value,status", file)
put <- function(file, run, case, time, seen) write.table(data.frame(run, case, seq_along(time) - 1, "wall", "ns",
	text(time), ifelse(seen, "ok", "timeout")), file, sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
END

if skip_unless R "quantiles with one limit agree with R"; then
	cat >one.R <<'END'
source("common.R")
set.seed(20261124)
q <- c(.05, .5, .9, .95, .99, .999, .9999)
open_stream("one.csv"); want <- NULL
for (k in 1:60) {
	x <- round(rlnorm(sample(1:40, 1), 5, .5), sample(0:3, 1))
	limit <- quantile(x, min(1, runif(1, .1, 1.1)), names = FALSE)
	put("one.csv", "r", paste0("c", k), pmin(x, limit), x <= limit)
	want <- c(want, quantile(ifelse(x <= limit, x, 1e300), q, names = FALSE))
}
writeLines(text(ifelse(want > 1e200, Inf, want)), "one.want")
END
	Rscript --vanilla one.R
	bench-stat -s p5,median,p90,p95,p99,p999,p9999 one.csv | sed 1d | cut -d, -f4- | tr ',' '\n' | paste -d, - one.want >both
	ok "quantiles with one limit are those of R if each timeout is infinite, to 1e-13, or empty" agree 1e-13 both
fi

if skip_unless survival "Kaplan-Meier quantiles agree with survfit() of R"; then
	cat >survival.R <<'END'
suppressMessages(library(survival))
source("common.R")
set.seed(20261125)
q <- c(.05, .5, .9, .95)
open_stream("km.csv"); want <- NULL
while (length(want) < 400) {
	n <- sample(3:40, 1); digits <- sample(0:3, 1)
	x <- round(rlnorm(n, 2, .7), digits); limit <- round(rlnorm(n, 2.3, .7), digits) + .5 / 10^digits
	seen <- x <= limit; time <- pmin(x, limit)
	if (!any(seen) || max(time[seen]) <= min(c(limit[!seen], Inf))) next
	put("km.csv", "r", paste0("c", length(want)), time, seen)
	fit <- survfit(Surv(time, seen) ~ 1)
	at <- quantile(fit, q, conf.int = FALSE)
	# The curve may be flat at its end; the quantile is then above the one of R.
	at[abs(min(fit$surv) - (1 - q)) < 1e-9 & min(fit$surv) > 0] <- NA
	want <- c(want, at)
}
writeLines(text(want), "km.want")
END
	Rscript --vanilla survival.R
	bench-stat -s p5,median,p90,p95 km.csv | sed 1d | cut -d, -f4- | tr ',' '\n' | paste -d, - km.want >both
	ok "quantiles among different limits are those of survfit() of R, to 1e-13" agree 1e-13 both
fi

if skip_unless coin "the p of Gehan's test agrees with logrank_test() of R"; then
	cat >gehan.R <<'END'
suppressMessages({ library(survival); library(coin) })
source("common.R")
set.seed(20261126)
open_stream("old.csv"); open_stream("new.csv"); want <- NULL
# the limit of a side whose largest value is censored
end <- function(t, seen) { limit <- max(c(t[!seen], -Inf)); if (limit >= max(c(t[seen], -Inf))) limit else Inf }
for (k in 1:100) {
	m <- sample(3:14, 1); n <- sample(3:14, 1)
	x <- rlnorm(m, 2, .7); y <- rlnorm(n, 2 + runif(1, -1, 1), .7)
	one <- k %% 3 == 0
	lx <- if (one) rep(10, m) else rlnorm(m, 2.5, .7)
	ly <- if (one) rep(if (k %% 2) 10 else 7, n) else rlnorm(n, 2.5, .7)
	put("old.csv", "o", paste0("c", k), pmin(x, lx), x <= lx); put("new.csv", "n", paste0("c", k), pmin(y, ly), y <= ly)
	time <- c(pmin(x, lx), pmin(y, ly)); seen <- c(x <= lx, y <= ly)
	cut <- min(end(pmin(x, lx), x <= lx), end(pmin(y, ly), y <= ly))
	seen[time > cut] <- FALSE; time <- pmin(time, cut)
	side <- factor(rep(c("o", "n"), c(m, n)))
	p <- function(tail) pvalue(logrank_test(Surv(time, seen) ~ side, type = "Gehan-Breslow", distribution = "exact", alternative = tail))
	want <- c(want, if (any(seen)) min(1, 2 * min(p("less"), p("greater"))) else 1)
}
writeLines(text(want), "gehan.want")
END
	Rscript --vanilla gehan.R
	bench-compare -q --unsure pass --no-geomean -s p old.csv new.csv 2>.err | sed 1d | cut -d, -f4 | paste -d, - gehan.want >both
	ok "the exact p of sides with timeouts is that of Gehan's test in R, to 1e-9" agree 1e-9 both
fi
done_testing
