# SPDX-License-Identifier: GPL-3.0-or-later
# The test of pairs of bench-statistics(7), plainly written: p, the estimate and its interval.

# p of all exchanges, exact by convolution up to 50 pairs; negative if new values are less
pair_ranks_side <- function(y, x, change) {
	r <- rank(signif(c(x, y), 14)); n <- length(x)
	size <- signif(abs(change), 12)
	s <- round(6 * (r[n + 1:n] - r[1:n]) + 4 * sign(change) * rank(size))
	if (!any(s != 0)) return(1)
	side <- if (sum(s) < 0) -1 else 1
	if (n > 50) return(side * min(1, 2 * pnorm(-abs(sum(s)) / sqrt(sum(s^2)))))
	ways <- c(1, numeric(sum(abs(s))))
	for (k in abs(s)) ways <- ways + c(numeric(k), ways[seq_len(length(ways) - k)])
	side * min(1, 2 * sum(ways[seq_len(min(sum(s[s > 0]), -sum(s[s < 0])) + 1)]) / 2^n)
}

# c(p, estimate, lower end, upper end)
pair_ranks <- function(y, x, level = 0.05) {
	ratio <- min(x, y) > 0; n <- length(x)
	if (ratio) { a <- log(x); b <- log(y) } else { a <- x; b <- y }
	d <- b - a
	at <- function(shift) pair_ranks_side(b - shift, a, d - shift)
	walsh <- outer(d, d, "+")[upper.tri(diag(n), TRUE)] / 2
	all <- c(outer(b, a, "-"), walsh); weight <- rep(c(3, 2), c(n * n, length(walsh)))
	half <- cumsum(weight[order(all)]) - sum(weight) / 2; all <- sort(all)
	middle <- mean(all[c(which(half >= 0)[1], which(half > 0)[1])])
	point <- all[c(TRUE, diff(all) > 1e-13)]
	gaps <- c(point[1] - 1, (point[-1] + point[-length(point)]) / 2, point[length(point)] + 1)
	first <- function(inside) { # the first gap for which `inside` is true
		lo <- 0; hi <- length(gaps)
		while (hi - lo > 1) { m <- (lo + hi) %/% 2; if (inside(at(gaps[m]))) hi <- m else lo <- m }
		hi
	}
	ends <- if (2 / 2^n < level) c(point[first(function(p) p < 0 || p >= level) - 1],
		point[first(function(p) p < 0 && -p < level) - 1]) else c(NA, NA)
	c(abs(if (ratio) pair_ranks_side(y, x, d) else at(0)), if (ratio) exp(c(middle, ends)) else c(middle, ends))
}
