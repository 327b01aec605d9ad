/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dip statistic; see dip.h. The mode is between `low` and `high`. The greatest convex
 * minorant and the least concave majorant of the empirical distribution are followed from
 * corner to corner. The interval is narrowed to the place where they are farthest apart,
 * until the dips outside of it are not less. Distances are in steps of the empirical
 * distribution.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dip.h"

struct hull {
	const double *x;
	size_t *before;        /* by point: the corner of the minorant to its left */
	size_t *behind;        /* by point: the corner of the majorant to its right */
	size_t *minor, *major; /* corners from high down to low, and from low up to high */
	size_t minors, majors;
};

static double gap(const double *x, size_t from, size_t to)
{
	return x[to] - x[from];
}

static double steps(size_t from, size_t to)
{
	return (double)to - (double)from;
}

static void find_corners(struct hull *h, size_t n)
{
	for (size_t j = 1; j < n; j++) {
		size_t a = j - 1, b = h->before[a];

		while (a != 0 &&
		       gap(h->x, a, j) * steps(b, a) >= gap(h->x, b, a) * steps(a, j)) {
			a = b;
			b = h->before[a];
		}
		h->before[j] = a;
	}
	h->behind[n - 1] = n - 1;
	for (size_t k = n - 1; k-- > 0;) {
		size_t a = k + 1, b = h->behind[a];

		while (a != n - 1 &&
		       gap(h->x, k, a) * steps(a, b) >= gap(h->x, a, b) * steps(k, a)) {
			a = b;
			b = h->behind[a];
		}
		h->behind[k] = a;
	}
}

static void walk(struct hull *h, size_t low, size_t high)
{
	h->minors = h->majors = 0;
	for (size_t at = high;; at = h->before[at]) {
		h->minor[h->minors++] = at;
		if (at <= low)
			break;
	}
	for (size_t at = low;; at = h->behind[at]) {
		h->major[h->majors++] = at;
		if (at >= high)
			break;
	}
}

/*
 * Returns the largest distance of minorant and majorant, at least 1 if both are one line,
 * and the corners at which it occurs, as indices into minor and major.
 */
static double farthest(const struct hull *h, size_t *minor_at, size_t *major_at)
{
	size_t i = h->minors - 2, v = 1;
	double most = 0;

	*minor_at = h->minors - 1;
	*major_at = h->majors - 1;
	if (h->minors == 2 && h->majors == 2)
		return 1;
	do {
		size_t g = h->minor[i], l = h->major[v];
		double d;

		if (g > l) {
			size_t g1 = h->minor[i + 1];

			d = steps(g1, l) + 1 -
			    gap(h->x, g1, l) * steps(g1, g) / gap(h->x, g1, g);
			v++;
			if (d >= most) {
				most = d;
				*minor_at = i + 1;
				*major_at = v - 1;
			}
		} else {
			size_t l1 = h->major[v - 1];

			d = gap(h->x, l1, g) * steps(l1, l) / gap(h->x, l1, l) -
			    steps(l1, g) + 1;
			if (d >= most) {
				most = d;
				*minor_at = i;
				*major_at = v;
			}
			i -= i > 0;
		}
		if (v == h->majors)
			v--;
	} while (h->minor[i] != h->major[v]);
	return most;
}

/* Returns the largest distance of the distribution above (side 1) or below (side -1) a
 * line of the hull. */
static double dip_between(const double *x, size_t from, size_t to, int side)
{
	double most = 1;

	if (to - from <= 1 || x[to] == x[from])
		return most;
	for (size_t i = from; i <= to; i++)
		most =
		    fmax(most, side * (steps(from, i) - gap(x, from, i) * steps(from, to) /
		                                            gap(x, from, to)) +
		                   1);
	return most;
}

static double dip_outside(const struct hull *h, size_t minor_at, size_t major_at)
{
	double most = 0;

	for (size_t j = minor_at; j + 1 < h->minors; j++)
		most = fmax(most, dip_between(h->x, h->minor[j + 1], h->minor[j], 1));
	for (size_t j = major_at; j + 1 < h->majors; j++)
		most = fmax(most, dip_between(h->x, h->major[j], h->major[j + 1], -1));
	return most;
}

double dip_of(const double *sorted, size_t n)
{
	struct hull h = { .x = sorted };
	size_t low = 0, high = n - 1, *room, minor_at, major_at;
	double dip = 1;

	if (n < 2 || sorted[0] == sorted[n - 1])
		return 0;
	room = mem_zero(4 * n, sizeof(*room));
	h.before = room;
	h.behind = room + n;
	h.minor = room + 2 * n;
	h.major = room + 3 * n;
	find_corners(&h, n);
	for (;;) {
		walk(&h, low, high);
		if (farthest(&h, &minor_at, &major_at) < dip)
			break;
		dip = fmax(dip, dip_outside(&h, minor_at, major_at));
		if (low == h.minor[minor_at] && high == h.major[major_at])
			break;
		low = h.minor[minor_at];
		high = h.major[major_at];
	}
	free(room);
	return dip / (2 * (double)n);
}

enum { PROBS = 13 };
static const double prob[PROBS] = { 0.9, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002,
	0.001, 0.0005, 0.0002, 0.0001 };

/* sqrt(n) times the dips that are exceeded with these probabilities. */
static const struct size {
	double n, dip[PROBS];
} sizes[] = {
	{ 10, { 0.24663, 0.30916, 0.37561, 0.41263, 0.44150, 0.47674, 0.50424, 0.52757,
	          0.55400, 0.57075, 0.58675, 0.60564, 0.62162 } },
	{ 12, { 0.25070, 0.31551, 0.38119, 0.41595, 0.45024, 0.48934, 0.51432, 0.53672,
	          0.56434, 0.58540, 0.60474, 0.62636, 0.64176 } },
	{ 15, { 0.24891, 0.32379, 0.38586, 0.42610, 0.45958, 0.49848, 0.52597, 0.55068,
	          0.58060, 0.60171, 0.62171, 0.64583, 0.66166 } },
	{ 20, { 0.25412, 0.32801, 0.39523, 0.43488, 0.47032, 0.51131, 0.53987, 0.56595,
	          0.59725, 0.61920, 0.63997, 0.66577, 0.68429 } },
	{ 30, { 0.25980, 0.33680, 0.40524, 0.44665, 0.48329, 0.52648, 0.55620, 0.58351,
	          0.61710, 0.64069, 0.66359, 0.69121, 0.71145 } },
	{ 50, { 0.26676, 0.34548, 0.41594, 0.45879, 0.49676, 0.54219, 0.57320, 0.60218,
	          0.63814, 0.66291, 0.68777, 0.71765, 0.73978 } },
	{ 100, { 0.27409, 0.35482, 0.42712, 0.47127, 0.51072, 0.55789, 0.59051, 0.62102,
	           0.65880, 0.68587, 0.71199, 0.74402, 0.76568 } },
	{ 200, { 0.27963, 0.36165, 0.43547, 0.48065, 0.52108, 0.56938, 0.60280, 0.63455,
	           0.67416, 0.70204, 0.72873, 0.76156, 0.78547 } },
	{ 500, { 0.28498, 0.36810, 0.44308, 0.48869, 0.53007, 0.57946, 0.61403, 0.64615,
	           0.68569, 0.71440, 0.74115, 0.77662, 0.80417 } },
	{ 2000, { 0.28963, 0.37385, 0.44968, 0.49645, 0.53811, 0.58831, 0.62354, 0.65710,
	            0.69828, 0.72674, 0.75597, 0.79515, 0.81937 } },
	{ 5000, { 0.29146, 0.37580, 0.45191, 0.49870, 0.54082, 0.59145, 0.62723, 0.66015,
	            0.70127, 0.73034, 0.75965, 0.79684, 0.82491 } },
};

/* Returns log p at a size of the table. */
static double log_p(const struct size *size, double scaled)
{
	size_t i = 1;
	double a, b;

	if (scaled <= size->dip[0])
		return log(prob[0]) * fmax(0, scaled / size->dip[0]);
	while (i < PROBS - 1 && scaled > size->dip[i])
		i++;
	a = size->dip[i - 1];
	b = size->dip[i];
	return log(prob[i - 1]) + (log(prob[i]) - log(prob[i - 1])) *
	                              (scaled * scaled - a * a) / (b * b - a * a);
}

double dip_p(double dip, size_t n)
{
	double scaled = sqrt((double)n) * dip, part;
	size_t i = 1;

	while (i < COUNT(sizes) - 1 && sizes[i].n < (double)n)
		i++;
	part = log((double)n / sizes[i - 1].n) / log(sizes[i].n / sizes[i - 1].n);
	part = fmin(1, fmax(0, part));
	return exp(
	    (1 - part) * log_p(&sizes[i - 1], scaled) + part * log_p(&sizes[i], scaled));
}
