# SPDX-License-Identifier: GPL-3.0-or-later
# Change points as M. Fleming, P. Kolodziejczyk and others define them ("Hunter: Using change
# point detection to hunt for performance regressions", ICPE 2023): e-divisive means in windows of
# a fixed length, Student's t-test instead of permutations, a first pass at ten times the level,
# then the least significant point goes until all are below it. Plainly written, for comparison.

# The place of the greatest energy statistic of x, and the statistic.
best <- function(x) {
	n <- length(x)
	if (n < 4) return(c(NA, -Inf))
	d <- abs(outer(x, x, "-"))
	within_left <- cumsum(colSums(d * upper.tri(d)))
	all_before <- cumsum(colSums(d))
	total <- sum(d) / 2
	m <- 2:(n - 2); k <- n - m
	left <- within_left[m]
	between <- all_before[m] - 2 * left
	right <- total - left - between
	q <- m * k / n * (2 * between / (m * k) - left / choose(m, 2) - right / choose(k, 2))
	c(m[which.max(q)], max(q))
}

t_p <- function(a, b) {
	if (length(a) < 2 || length(b) < 2) return(1)
	if (var(a) == 0 && var(b) == 0) return(if (mean(a) == mean(b)) 1 else 0)
	t.test(a, b, var.equal = TRUE)$p.value
}

# Places in one window: the number of values before each change.
divide <- function(x, level) {
	points <- integer(0)
	repeat {
		ends <- c(0, points, length(x))
		found <- sapply(seq_len(length(ends) - 1), function(i) {
			b <- best(x[(ends[i] + 1):ends[i + 1]])
			c(ends[i] + b[1], b[2], i)
		})
		f <- found[, which.max(found[2, ])]
		if (is.na(f[1])) return(points)
		i <- f[3]
		if (t_p(x[(ends[i] + 1):f[1]], x[(f[1] + 1):ends[i + 1]]) > level) return(points)
		points <- sort(c(points, f[1]))
	}
}

windows <- function(x, length_of = 50, level = 0.001) {
	start <- 0; points <- integer(0); n <- length(x)
	while (start < n) {
		end <- min(start + length_of, n)
		new <- start + divide(x[(start + 1):end], 10 * level)
		start <- max(new, start + length_of %/% 2)
		points <- c(points, new)
	}
	points <- sort(unique(points))
	while (length(points)) {
		ends <- c(0, points, n)
		p <- sapply(seq_along(points), function(i)
			t_p(x[(ends[i] + 1):ends[i + 1]], x[(ends[i + 1] + 1):ends[i + 2]]))
		if (max(p) < level) break
		points <- points[-which.max(p)]
	}
	points
}
