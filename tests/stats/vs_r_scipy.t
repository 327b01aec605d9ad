#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Agreement of bench-compare with R and SciPy.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

# agree RELATIVE FILE: both columns of the file agree within this relative error, line by line
agree() {
	awk -v most="$1" '{ d = $1 - $2; s = $2; if (d < 0) d = -d; if (s < 0) s = -s
			if (NF != 2 || d > most * s + 1e-300) { print "# differs: " NR, $1, $2; bad = 1 } }
		END { exit bad || NR < 20 }' "$2"
}

if skip_unless R "shifts, p and a12 agree with R"; then
	cat >random.R <<'END'
set.seed(20261122)
text <- function(x) sprintf("%.17g", x)
write <- function(file, run, case, x) write.table(data.frame(run, case, seq_along(x) - 1, "m", text(x)),
	file, sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
for (f in c("old.csv", "new.csv")) writeLines("run,case,sample,metric,value", f)
writeLines("run,case,sample,metric,value,side", "pairs.csv")
# The exact p of a rank sum with ties: counts all ways to draw a midrank sum, by convolution.
exact <- function(x, y) {
	r <- round(2 * rank(c(x, y))); m <- length(x); s <- sum(r)
	ways <- matrix(0, m + 1, s + 1); ways[1, 1] <- 1
	for (k in r) for (i in m:1) {
		to <- (k + 1):(s + 1)
		ways[i + 1, to] <- ways[i + 1, to] + ways[i, to - k]
	}
	p <- ways[m + 1, ] / choose(length(r), m); seen <- sum(r[1:m])
	min(1, 2 * min(sum(p[0:seen + 1]), sum(p[seen:s + 1])))
}
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
	sides <- rbind(sides, data.frame(rank = if (k > 20) exact(x, y) else wilcox.test(y, x, exact = TRUE)$p.value,
		welch = t.test(y, x)$p.value, shift, a12 = mean((sign(outer(y, x, "-")) + 1) / 2)))
	n <- sample(7:45, 1); x <- rnorm(n, 1, 2); y <- x + rnorm(n, .3, 1)
	for (s in 0:1) write.table(data.frame("r", paste0("c", k), seq_len(n) - 1, "m",
		text(if (s) y else x), c("a", "b")[s + 1]), "pairs.csv", sep = ",",
		row.names = FALSE, col.names = FALSE, quote = FALSE, append = TRUE)
	t <- wilcox.test(y, x, paired = TRUE, exact = TRUE, conf.int = TRUE)
	pairs <- rbind(pairs, data.frame(rank = if (min(x, y) > 0) NA else t$p.value,
		welch = t.test(y, x, paired = TRUE)$p.value, shift = t$estimate, a12 = NA))
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
		for t in rank welch; do column p $w.$t | paste -d' ' - $w.$t.want >$w.p.$t; done
		column shift $w.rank | paste -d' ' - $w.shift.want >$w.both
		ok "the shifts of 40 random $w agree with R to 1e-10" agree 1e-10 $w.both
		ok "the p of --test welch of 40 random $w agree with R to 1e-12" agree 1e-12 $w.p.welch
	done
	ok "the exact p of ranks of 40 random sides, half of them with ties, agree with R to 1e-12" agree 1e-12 sides.p.rank
	grep -v NA pairs.p.rank >some
	ok "the exact p of signed ranks of random pairs agree with R to 1e-12" agree 1e-12 some
	column a12 sides.rank | paste -d' ' - sides.a12.want >both
	ok "a12 of 40 random sides agrees with R to 1e-14" agree 1e-14 both
fi

scipy=/usr/lib/python3/dist-packages/scipy
if skip_unless $scipy "the ends of 30 intervals agree with SciPy on the same resamples to 1e-9"; then
	"$BUILD/tests/resamples" >resamples.json
	cat >resamples.py <<'END'
import json, sys
import numpy as np
from scipy.stats._resampling import _bca_interval

def median(x, axis):
    # as np.median, but rounded as here, since it counts which resamples equal the sample
    x, n = np.sort(x, axis=axis), x.shape[axis]
    low, high = (np.take(x, i, axis=axis) for i in ((n - 1) // 2, n // 2))
    return low + 0.5 * (high - low)

def ratio(old, new, axis=-1):
    where = np.mean if mean else median
    return where(new, axis=axis) / where(old, axis=axis)

worst = {"percentile": 0, "bca": 0}
for k, line in enumerate(sys.stdin):
    case = json.loads(line)
    mean = k % 7 == 6
    old, new, ratios = (np.array(case[c]) for c in ("old", "new", "ratios"))
    alpha = (1 - case["confidence"]) / 2
    data, statistic = (old, new), ratio
    if case["paired"]:
        data = (np.arange(len(old)),)
        statistic = lambda i, axis=-1: ratio(old[i], new[i], axis)
    low, high, _ = _bca_interval(data, statistic, -1, alpha, ratios, None)
    for name, levels in ("percentile", (alpha, 1 - alpha)), ("bca", (low, high)):
        want = np.percentile(ratios, 100 * np.array(levels).ravel())
        worst[name] = max(worst[name], *np.abs(np.array(case[name]) / want - 1))
for name in worst:
    print(name, "ok" if worst[name] < 1e-9 else worst[name])
print(k + 1)
END
	is "$(/usr/bin/python3 resamples.py <resamples.json)" "percentile ok
bca ok
30" "the ends of 30 intervals agree with SciPy on the same resamples to 1e-9"
fi
done_testing
