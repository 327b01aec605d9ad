# SPDX-License-Identifier: GPL-3.0-or-later
# Values of known families, as bench-csv(5), for the tests of statistics.
#
#     awk -f families.awk -v family=normal -v subjects=100 -v runs=1 -v n=30 -v seed=1 -v side=a
#
# normal, lognormal (sigma 0.3), uniform, exponential and bimodal are independent values; the
# others are not: autocorrelated (lag 1, 0.7), drifting (by 5 sd over a run), spike (one value in
# 20 three times as great), clock (steps of 2 sd), and runs (between runs 2 sd, within 1). All
# have a median near 1000 and an sd near `spread` of it, times `factor`.
#
# With -v blocks=1 each run has both sides, a and b, in blocks; runs, drift and autocorrelation
# are common to a block, and each value has noise of its own.
#
# The generator is P. L'Ecuyer's of 1988, two sequences combined (CACM 31(6)), which doubles hold
# exactly, so the numbers are the same with every awk.

function uniform() {
	x1 = (40014 * x1) % 2147483563
	x2 = (40692 * x2) % 2147483399
	u = x1 - x2
	if (u < 1)
		u += 2147483562
	return u / 2147483563
}

function normal(  r) {
	if (spare_is_there) {
		spare_is_there = 0
		return spare
	}
	r = sqrt(-2 * log(uniform()))
	spare_is_there = 1
	spare = 6.283185307179586 * uniform()
	r_cos = r * cos(spare)
	spare = r * sin(spare)
	return r_cos
}

# Returns the effect that all sides share at position i of a run, in standard deviations.
function common(i) {
	if (family == "autocorrelated")
		return last = i ? 0.7 * last + 0.71414 * normal() : normal()
	if (family == "drifting")
		return 5 * (i / n - 0.5)
	return family == "runs" ? run_effect : 0
}

# Returns the effect of a single value.
function own() {
	if (family == "uniform")
		return (uniform() - 0.5) * 3.4641
	if (family == "bimodal")
		return (uniform() < 0.5 ? -1 : 1) + 0.3 * normal()
	if (family == "clock")
		return 2 * int(normal() / 2 + 100.5) - 200
	return family == "autocorrelated" && !blocks ? 0 : normal()
}

function value(shared) {
	if (family == "lognormal")
		return 1000 * exp(0.3 * normal())
	if (family == "exponential")
		return 1000 * (1 - spread * log(uniform()))
	if (family == "spike" && uniform() < 0.05)
		return 3000
	return 1000 * (1 + spread * (shared + own()))
}

function row(run, name, subject, i, x) {
	printf "%s,%s,b%d,%d,wall,ns,%.17g\n", run, name, subject, i, x
}

BEGIN {
	if (!subjects) subjects = 1
	if (!runs) runs = 1
	if (!n) n = 30
	if (!spread) spread = 0.02
	if (!factor) factor = 1
	if (!seed) seed = 1
	run = side && !blocks ? side : "r"
	# Squares, since sequences from seeds in proportion would run in step.
	x1 = 12345; x2 = 54321
	for (i = 0; i < 8; i++) {
		x1 = (x1 * x1 + seed) % 94906249
		x2 = (x2 * x2 + 7 * seed + 1) % 94906249
	}
	x1 = 1 + 22 * x1; x2 = 1 + 22 * x2
	for (i = 0; i < 20; i++) uniform()
	if (!bare) print "run,side,bench,sample,metric,unit,value"
	for (r = 1; r <= runs; r++)
		for (s = 0; s < subjects; s++) {
			run_effect = 2 * normal()
			for (i = 0; i < n; i++) {
				shared = common(i)
				if (blocks) row(run r, "a", s, i, value(shared))
				row(run r, blocks ? "b" : side, s, i, factor * value(shared))
			}
		}
}
