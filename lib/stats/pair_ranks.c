/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See pair_ranks.h. As the contrast grows, the score of each pair falls. An exchange of
 * some pairs lowers the sum by twice the scores of these pairs, and they fall. So the
 * exact p of one direction grows and that of the other falls: the contrasts with a p of at
 * least alpha are one interval. Scores only change at a point: a combination of two values,
 * or a mean of two changes. So the exact p is needed in the gaps between points; gap k is
 * above k of them. Ranks are doubled, so that they are whole numbers.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/dist.h"
#include "stats/exact.h"
#include "stats/gallop.h"
#include "stats/pair_ranks.h"
#include "stats/pair_select.h"
#include "stats/stats.h"

/* A value and its pair. */
struct pair_value {
	double value;
	size_t pair;
};

struct pair_test {
	enum pair_score scores;
	enum combination kind;
	size_t n;
	double alpha;
	bool exact;
	struct pair_value *old, *new,
	    *change;     /* ascending; changes of ratios: logarithms */
	int64_t *within; /* by pair: twice the rank of new in its side minus that of old */
	int64_t *score;  /* by pair, at the contrast computed last */
	size_t *flips;   /* scratch space */
	double *point;   /* distinct, ascending */
	size_t points;
};

/* The values of a contrast: new is greater than old if their combination is greater than
 * `below`, and less if it is less than `above`. `change` is subtracted from changes. */
struct pair_position {
	double below, above, change;
};

static int by_pair_value(const void *a, const void *b)
{
	double x = ((const struct pair_value *)a)->value,
	       y = ((const struct pair_value *)b)->value;

	return (x > y) - (x < y);
}

/* Returns the change of a pair; for ratios, its logarithm, which is exactly the negative
 * one if the pair is exchanged. */
static double change_of(bool ratio, double old, double new)
{
	if (!ratio)
		return new - old;
	return new > old ? log(new / old) : -log(old / new);
}

/* Adds twice the ranks of the values of a side among themselves, times `sign`. */
static void add_ranks(struct pair_test *t, const struct pair_value *x, int sign)
{
	for (size_t i = 0, next; i < t->n; i = next) {
		for (next = i; next < t->n && x[next].value == x[i].value;)
			next++;
		for (size_t k = i; k < next; k++)
			t->within[x[k].pair] += sign * (int64_t)(i + next + 1);
	}
}

/* Returns whether the changes are numbers, which have ranks, and at most `most` in size. */
static bool changes_upto(const struct pair_test *t, double most)
{
	for (size_t i = 0; i < t->n; i++)
		if (!(fabs(t->change[i].value) <= most))
			return false;
	return true;
}

/* Opens a test, which has ranks only if all changes are numbers. */
static void pair_test_open(struct pair_test *t, const double *old, const double *new,
    size_t n, enum pair_score scores, bool ratio, double alpha)
{
	*t = (struct pair_test){ .scores = scores,
		.kind = ratio ? COMBINE_RATIO : COMBINE_DIFFERENCE,
		.n = n,
		.alpha = alpha,
		.exact = n <= EXACT_FLIPS_MOST };
	t->old = mem_zero(n + 1, sizeof(*t->old));
	t->new = mem_zero(n + 1, sizeof(*t->new));
	t->change = mem_zero(n + 1, sizeof(*t->change));
	t->within = mem_zero(n + 1, sizeof(*t->within));
	t->score = mem_zero(n + 1, sizeof(*t->score));
	t->flips = mem_zero(n + 1, sizeof(*t->flips));
	for (size_t i = 0; i < n; i++) {
		t->old[i] = (struct pair_value){ old[i], i };
		t->new[i] = (struct pair_value){ new[i], i };
		t->change[i] = (struct pair_value){ change_of(ratio, old[i], new[i]), i };
	}
	if (!changes_upto(t, INFINITY))
		return;
	qsort(t->old, n, sizeof(*t->old), by_pair_value);
	qsort(t->new, n, sizeof(*t->new), by_pair_value);
	qsort(t->change, n, sizeof(*t->change), by_pair_value);
	add_ranks(t, t->old, -1);
	add_ranks(t, t->new, 1);
}

static void pair_test_close(struct pair_test *t)
{
	free(t->old);
	free(t->new);
	free(t->change);
	free(t->within);
	free(t->score);
	free(t->flips);
	free(t->point);
}

/* Adds the differences of the ranks of the values of the pairs among all values. */
static void add_pooled(struct pair_test *t, const struct pair_position *at)
{
	size_t n = t->n;

	for (size_t i = 0; i < n; i++)
		t->score[i] = t->within[i];
	for (size_t i = 0, less = 0, upto = 0; i < n; i++) {
		double x = t->new[i].value;

		while (less < n && combine(t->kind, t->old[less].value, x) > at->below)
			less++;
		while (upto < n && combine(t->kind, t->old[upto].value, x) >= at->above)
			upto++;
		t->score[t->new[i].pair] += (int64_t)(less + upto);
	}
	for (size_t i = 0, less = 0, upto = 0; i < n; i++) {
		double x = t->old[i].value;

		while (less < n && combine(t->kind, x, t->new[less].value) < at->above)
			less++;
		while (upto < n && combine(t->kind, x, t->new[upto].value) <= at->below)
			upto++;
		t->score[t->old[i].pair] -= (int64_t)(less + upto);
	}
	for (size_t i = 0; i < n; i++)
		t->score[i] *= PAIR_POOLED_WEIGHT;
}

/* Adds the signed ranks of the changes. Takes changes of the least size first, from the
 * ones up to `at` downward and from those above it upward. */
static void add_signed(struct pair_test *t, double at)
{
	size_t n = t->n, up = 0, down;

	while (up < n && t->change[up].value <= at)
		up++;
	down = up;
	for (size_t used = 0; used < n;) {
		size_t lower = down, upper = up;
		double size = fmin(down ? at - t->change[down - 1].value : INFINITY,
		    up < n ? t->change[up].value - at : INFINITY);
		int64_t rank;

		while (lower && at - t->change[lower - 1].value <= size)
			lower--;
		while (upper < n && t->change[upper].value - at <= size)
			upper++;
		rank = (int64_t)(2 * used + (down - lower) + (upper - up) + 1) *
		       PAIR_SIGNED_WEIGHT;
		used += down - lower + (upper - up);
		for (; up < upper; up++)
			t->score[t->change[up].pair] += rank;
		for (; down > lower; down--)
			if (size > 0)
				t->score[t->change[down - 1].pair] -= rank;
	}
}

/* Computes the scores. Returns their sum. */
static double total_at(struct pair_test *t, const struct pair_position *at)
{
	double sum = 0;

	if (t->scores == PAIR_SCORE_BOTH)
		add_pooled(t, at);
	else
		memset(t->score, 0, t->n * sizeof(*t->score));
	add_signed(t, at->change);
	for (size_t i = 0; i < t->n; i++)
		sum += (double)t->score[i];
	return sum;
}

/* Returns the exact p of the scores. */
static double flips_p(struct pair_test *t)
{
	size_t unit = 0, up = 0, down = 0;

	for (size_t i = 0; i < t->n; i++) {
		t->flips[i] = (size_t)llabs(t->score[i]);
		*(t->score[i] > 0 ? &up : &down) += t->flips[i];
		unit = common_divisor(t->flips[i], unit);
	}
	if (!unit)
		return 1;
	for (size_t i = 0; i < t->n; i++)
		t->flips[i] /= unit;
	return fmin(1, 2 * exact_flips(t->flips, t->n, (up < down ? up : down) / unit));
}

static double flips_normal_p(const struct pair_test *t, double total)
{
	double square = 0;

	for (size_t i = 0; i < t->n; i++)
		square += (double)t->score[i] * (double)t->score[i];
	return square > 0 ? fmin(1, 2 * dist_normal_above(fabs(total) / sqrt(square))) : 1;
}

static double p_at(
    struct pair_test *t, const struct pair_position *at, bool exact, bool *greater)
{
	double total = total_at(t, at);

	*greater = total > 0;
	return exact ? flips_p(t) : flips_normal_p(t, total);
}

/* Returns the position of no change. */
static struct pair_position no_change(const struct pair_test *t)
{
	double same = t->kind == COMBINE_RATIO ? 1 : 0;

	return (struct pair_position){ same, same, 0 };
}

double pair_ranks_test(const double *old, const double *new, size_t n,
    enum pair_score score, bool ratio, double *total)
{
	struct pair_position none;
	struct pair_test t;
	double p = NAN;

	*total = NAN;
	pair_test_open(&t, old, new, n, score, ratio, NAN);
	if (changes_upto(&t, INFINITY)) {
		none = no_change(&t);
		*total = total_at(&t, &none);
		p = t.exact ? flips_p(&t) : flips_normal_p(&t, *total);
	}
	pair_test_close(&t);
	return p;
}

static double p_of_pairs(
    const double *old, const double *new, size_t n, enum pair_score score)
{
	bool ratio = true;
	double total;

	for (size_t i = 0; i < n; i++)
		ratio &= old[i] > 0 && new[i] > 0;
	return pair_ranks_test(old, new, n, score, ratio, &total);
}

double pair_ranks_p(const double *old, const double *new, size_t n)
{
	return p_of_pairs(old, new, n, PAIR_SCORE_BOTH);
}

double signed_ranks_p(const double *old, const double *new, size_t n)
{
	return p_of_pairs(old, new, n, PAIR_SCORE_SIGNED);
}

static double to_change(const struct pair_test *t, double contrast)
{
	return t->kind == COMBINE_RATIO ? log(contrast) : contrast;
}

static double to_contrast(const struct pair_test *t, double change)
{
	return t->kind == COMBINE_RATIO ? exp(change) : change;
}

static void list_points(struct pair_test *t)
{
	size_t n = t->n, count = 0;
	double *x = mem_resize(NULL, n * n + n * (n + 1) / 2, sizeof(*x));

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n && t->scores == PAIR_SCORE_BOTH; j++)
			x[count++] = combine(t->kind, t->old[i].value, t->new[j].value);
	for (size_t i = 0; i < n; i++)
		for (size_t j = t->scores == PAIR_SCORE_BOTH ? i + 1 : i; j < n; j++)
			x[count++] =
			    to_contrast(t, t->change[i].value / 2 + t->change[j].value / 2);
	stats_sort(x, count);
	for (size_t i = 0; i < count; i++)
		if (!t->points || x[i] != x[t->points - 1])
			x[t->points++] = x[i];
	t->point = x;
}

static struct pair_position gap_position(const struct pair_test *t, size_t gap)
{
	struct pair_position at = { -INFINITY, INFINITY, 0 };

	if (gap)
		at.below = t->point[gap - 1];
	if (gap < t->points)
		at.above = t->point[gap];
	at.change = gap == 0 ? -INFINITY
	            : gap < t->points
	                ? to_change(t, at.below) / 2 + to_change(t, at.above) / 2
	                : INFINITY;
	return at;
}

/* An end of the interval. */
struct pair_end {
	struct pair_test *of;
	bool lower, exact;
};

/* Returns whether a gap is below the end: outside of the interval at the lower end, or not
 * above the interval at the upper end. */
static bool is_below_end(void *ctx, size_t gap)
{
	const struct pair_end *end = ctx;
	struct pair_position at = gap_position(end->of, gap);
	bool greater, outside = p_at(end->of, &at, end->exact, &greater) < end->of->alpha;

	return (outside && greater == end->lower) == end->lower;
}

/* Returns the number of gaps below an end, which the approximate p finds nearly. */
static size_t gaps_below(struct pair_test *t, bool lower)
{
	struct pair_end end = { t, lower, false };
	size_t guess = gallop_count(t->points + 1, t->points / 2, is_below_end, &end);

	end.exact = true;
	return gallop_count(t->points + 1, guess, is_below_end, &end);
}

/* Returns the mean of two points; of ratios, the geometric one. */
static double between_points(const struct pair_test *t, double low, double high)
{
	if (low == high)
		return low;
	return t->kind == COMBINE_RATIO ? sqrt(low) * sqrt(high) : low / 2 + high / 2;
}

/* Returns the contrast at which the sum of the scores changes its sign. */
static double middle_point(struct pair_test *t)
{
	size_t low = 0, high = t->points;
	struct pair_position at;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		at = gap_position(t, middle);
		if (total_at(t, &at) > 0)
			low = middle;
		else
			high = middle;
	}
	at = gap_position(t, high);
	if (high == t->points || total_at(t, &at) < 0)
		return t->point[high - 1];
	return between_points(t, at.below, at.above);
}

static void invert_exact(struct pair_test *t, struct contrast *out)
{
	list_points(t);
	out->at = middle_point(t);
	if (ldexp(2, -(int)t->n) < t->alpha) {
		out->lo = t->point[gaps_below(t, true) - 1];
		out->hi = t->point[gaps_below(t, false) - 1];
	}
}

/* Returns the sum of the scores in standard deviations. It falls as the contrast grows. */
static double deviation_at(struct pair_test *t, double contrast)
{
	struct pair_position at = { contrast, contrast, to_change(t, contrast) };
	double total = total_at(t, &at), square = 0;

	for (size_t i = 0; i < t->n; i++)
		square += (double)t->score[i] * (double)t->score[i];
	return square > 0 ? total / sqrt(square) : 0;
}

/* Contrasts with a deviation above the wanted one, and at most that. */
struct pair_bounds {
	double low, high, of_low, of_high; /* of_: less the wanted one */
};

/* Returns a contrast between the bounds, by interpolation, and in every third step by
 * halves. Returns one of the bounds if there is none. */
static double pair_between(const struct pair_bounds *b, int step)
{
	double share = step % 3 ? b->of_low / (b->of_low - b->of_high) : 0.5;
	double middle;

	share = fmin(fmax(share, 0.01), 0.99);
	/* no difference of the bounds, which may be too large for a double */
	middle = b->low * (1 - share) + b->high * share;
	return fmin(fmax(middle, nextafter(b->low, b->high)), nextafter(b->high, b->low));
}

/* Returns the point at which the deviation falls to the wanted one, or through it. */
static double contrast_at(struct pair_test *t, double wanted)
{
	double first = t->change[0].value, last = t->change[t->n - 1].value;
	double reach = last - first + 1e-9 * fabs(first) + 1e-9 * fabs(last);
	struct pair_bounds b;

	reach = reach > 0 ? fmin(reach, DBL_MAX) : 1;
	b.low = fmax(to_contrast(t, first - reach), -DBL_MAX);
	b.high = fmin(to_contrast(t, last + reach), DBL_MAX);
	b.of_low = deviation_at(t, b.low) - wanted;
	b.of_high = deviation_at(t, b.high) - wanted;
	for (int step = 1; nextafter(b.low, b.high) < b.high; step++) {
		double middle = pair_between(&b, step), of;

		/* differences next to 0, which many doubles separate */
		if (b.low <= 0 && b.high >= 0 && b.high - b.low < 1e-15 * reach)
			return 0;
		of = deviation_at(t, middle) - wanted;
		*(of > 0 ? &b.low : &b.high) = middle;
		*(of > 0 ? &b.of_low : &b.of_high) = of;
	}
	/* The deviation is another one at a point than on both sides of it. */
	return deviation_at(t, nextafter(b.low, -INFINITY)) - wanted == b.of_low ? b.high
	                                                                         : b.low;
}

static void invert_normal(struct pair_test *t, struct contrast *out)
{
	double z = dist_normal_quantile_above(t->alpha / 2);

	out->at = between_points(t, contrast_at(t, 0), contrast_at(t, -DBL_MIN));
	out->lo = contrast_at(t, z);
	out->hi = contrast_at(t, -z);
}

static void interval_of_pairs(const double *old, const double *new, size_t n,
    enum pair_score score, double alpha, struct contrast *out)
{
	struct pair_test t;

	out->at = out->lo = out->hi = NAN;
	if (!n)
		return;
	pair_test_open(&t, old, new, n, score, out->ratio, alpha);
	if (changes_upto(&t, DBL_MAX))
		(t.exact ? invert_exact : invert_normal)(&t, out);
	pair_test_close(&t);
}

void pair_ranks_interval(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out)
{
	interval_of_pairs(old, new, n, PAIR_SCORE_BOTH, alpha, out);
}

void signed_ranks_interval(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out)
{
	interval_of_pairs(old, new, n, PAIR_SCORE_SIGNED, alpha, out);
}
