/*
 * The dip statistic; see dip.h. Between `low` and `high`, where the mode may lie, the
 * greatest convex minorant and the least concave majorant of the empirical distribution are
 * followed from corner to corner; where they are farthest apart the interval narrows, until
 * the dips outside of it are no less. Distances are in steps of the empirical distribution.
 */
#include <math.h>
#include <stdlib.h>

#include "dip.h"

struct hull {
	const double *x;
	size_t *before;        /* of each point: the corner of the minorant to its left */
	size_t *behind;        /* and of the majorant to its right */
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
 * The greatest distance of the two, at least 1 where both are one line, and the corners at
 * which it stands: indices into minor and major.
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

/* The farthest that the distribution is above (side 1) or below (-1) a line of the hull. */
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

enum { LEVELS = 13 };
static const double level[LEVELS] = { 0.9, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002,
	0.001, 0.0005, 0.0002, 0.0001 };

/* sqrt(n) times the dips that are exceeded with these probabilities. */
static const struct size {
	double n, dip[LEVELS];
} sizes[] = {
	{ 10, { 0.24665, 0.30922, 0.37557, 0.41291, 0.44164, 0.47702, 0.50432, 0.52793,
	          0.55441, 0.57131, 0.58610, 0.60500, 0.62122 } },
	{ 12, { 0.25065, 0.31539, 0.38124, 0.41586, 0.45028, 0.48955, 0.51407, 0.53707,
	          0.56542, 0.58610, 0.60514, 0.62752, 0.64326 } },
	{ 15, { 0.24889, 0.32384, 0.38583, 0.42617, 0.45943, 0.49848, 0.52600, 0.55117,
	          0.58060, 0.60049, 0.62045, 0.64263, 0.65883 } },
	{ 20, { 0.25393, 0.32794, 0.39500, 0.43458, 0.47027, 0.51134, 0.54019, 0.56690,
	          0.59802, 0.62081, 0.64155, 0.66689, 0.68181 } },
	{ 30, { 0.25975, 0.33686, 0.40526, 0.44683, 0.48323, 0.52637, 0.55597, 0.58361,
	          0.61801, 0.64155, 0.66365, 0.69035, 0.71099 } },
	{ 50, { 0.26665, 0.34555, 0.41580, 0.45870, 0.49682, 0.54209, 0.57307, 0.60150,
	          0.63682, 0.66047, 0.68210, 0.71067, 0.73334 } },
	{ 100, { 0.27398, 0.35493, 0.42724, 0.47141, 0.51094, 0.55806, 0.59036, 0.62121,
	           0.65911, 0.68550, 0.71165, 0.74190, 0.76342 } },
	{ 200, { 0.27965, 0.36180, 0.43549, 0.48062, 0.52110, 0.56945, 0.60356, 0.63408,
	           0.67360, 0.70241, 0.72914, 0.76084, 0.78895 } },
	{ 500, { 0.28498, 0.36810, 0.44308, 0.48869, 0.53007, 0.57946, 0.61403, 0.64615,
	           0.68569, 0.71440, 0.74115, 0.77662, 0.80417 } },
	{ 2000, { 0.28963, 0.37385, 0.44968, 0.49645, 0.53811, 0.58831, 0.62354, 0.65710,
	            0.69828, 0.72674, 0.75597, 0.79515, 0.81937 } },
};

/* At a size of the table. */
static double log_p(const struct size *size, double scaled)
{
	size_t i = 1;
	double a, b;

	if (scaled <= size->dip[0])
		return log(level[0]) * fmax(0, scaled / size->dip[0]);
	while (i < LEVELS - 1 && scaled > size->dip[i])
		i++;
	a = size->dip[i - 1];
	b = size->dip[i];
	return log(level[i - 1]) + (log(level[i]) - log(level[i - 1])) *
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
