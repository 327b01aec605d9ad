/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Order statistics of combinations; see pair_select.h. The doubles are mapped to integers
 * of the same order, so that halving them ends after at most 64 steps.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/pair_select.h"
#include "stats/stats.h"

enum { FEW_LEAST = 64, FEW_SHARE = 1, STEPS_SMOOTH = 6, SKETCH = 512 };

static uint64_t key_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits ^ (-(bits >> 63) | (uint64_t)1 << 63);
}

static double of_key(uint64_t key)
{
	uint64_t bits = key >> 63 ? key ^ (uint64_t)1 << 63 : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static inline double combine_inline(enum combination kind, double old, double new)
{
	return kind == COMBINE_RATIO        ? new / old
	       : kind == COMBINE_DIFFERENCE ? new - old
	                                    : old / 2 + new / 2;
}

double combine(enum combination kind, double old, double new)
{
	return combine_inline(kind, old, new);
}

double pair_count(const struct combinations *c)
{
	double n = (double)c->news;

	return c->kind == COMBINE_MEAN ? n * (n + 1) / 2 : (double)c->olds * n;
}

/* Counts the combinations up to x of two arrays. */
static inline double sides_upto(
    const struct combinations *c, enum combination kind, double x)
{
	double count = 0;

	for (size_t i = 0, j = 0; i < c->olds; i++) {
		while (j < c->news && combine_inline(kind, c->old[i], c->new[j]) <= x)
			j++;
		count += (double)j;
	}
	return count;
}

static double means_upto(const struct combinations *c, double x)
{
	double count = 0;

	for (size_t i = 0, j = c->news; i < c->news; i++) {
		while (j > 0 && combine_inline(COMBINE_MEAN, c->new[i], c->new[j - 1]) > x)
			j--;
		if (j > i)
			count += (double)(j - i);
	}
	return count;
}

static double upto(const struct combinations *c, double x)
{
	switch (c->kind) {
	case COMBINE_RATIO:
		return sides_upto(c, COMBINE_RATIO, x);
	case COMBINE_DIFFERENCE:
		return sides_upto(c, COMBINE_DIFFERENCE, x);
	case COMBINE_MEAN:
		break;
	}
	return means_upto(c, x);
}

/* The k-th combination is above lo, up to which `below` combinations are, and at most hi,
 * up to which `to` are. */
struct bounds {
	double lo, hi;
	double below, to;
};

static double halfway(const struct bounds *b)
{
	uint64_t lo = key_of(b->lo), hi = key_of(b->hi);

	return of_key(lo + (hi - lo) / 2);
}

/* Returns a point between the bounds, which is expected to be a little below the k-th
 * combination in even steps, a little above it in odd ones, so that both bounds move. */
static double between(const struct bounds *b, double k, int step)
{
	double many = b->to - b->below, aside = (step % 2 ? 1 : -1) * many / 256;
	double share = (k - b->below + aside) / many, x;

	if (step % STEPS_SMOOTH == STEPS_SMOOTH - 1)
		return halfway(b);
	share = fmin(fmax(share, 1.0 / 256), 255.0 / 256);
	x = b->lo + (b->hi - b->lo) * share;
	return x > b->lo && x < b->hi ? x : halfway(b);
}

/* Appends the combinations of one element, `first`, with the elements from `from` on, that
 * are up to hi. Returns the number appended. */
static size_t gather_row(const struct combinations *c, const struct bounds *b, double first,
    size_t from, double *out)
{
	size_t n = 0;

	for (size_t j = from; j < c->news; j++) {
		double x = combine(c->kind, first, c->new[j]);

		if (x > b->hi)
			break;
		out[n++] = x;
	}
	return n;
}

/* Returns the first element from `from` on whose combination is above the lower bound. */
static size_t first_above(
    const struct combinations *c, const struct bounds *b, double first, size_t from)
{
	size_t end = c->news;

	while (from < end) {
		size_t middle = from + (end - from) / 2;

		if (combine(c->kind, first, c->new[middle]) > b->lo)
			end = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* Returns the k-th combination from the few that are between the bounds, and the next one,
 * or NAN if it is not between them. */
static double select_between(
    const struct combinations *c, const struct bounds *b, double k, double *next)
{
	bool means = c->kind == COMBINE_MEAN;
	double *x = mem_resize(NULL, (size_t)(b->to - b->below) + 1, sizeof(*x)), found;
	size_t n = 0, rows = means ? c->news : c->olds, j = 0, at = (size_t)(k - b->below);

	for (size_t i = 0; i < rows; i++) {
		double first = means ? c->new[i] : c->old[i];

		if (means)
			j = first_above(c, b, first, i);
		else
			while (j < c->news && combine(c->kind, first, c->new[j]) <= b->lo)
				j++;
		n += gather_row(c, b, first, j, x + n);
	}
	stats_sort(x, n);
	found = x[at - 1];
	*next = at < n ? x[at] : (double)NAN;
	free(x);
	return found;
}

/* Moves a bound to a point between the bounds. */
static void move_bound(const struct combinations *c, struct bounds *b, double k, double x)
{
	double count;

	if (!(key_of(x) > key_of(b->lo) && key_of(x) < key_of(b->hi)))
		return;
	count = upto(c, x);
	if (count >= k) {
		b->hi = x;
		b->to = count;
	} else {
		b->lo = x;
		b->below = count;
	}
}

static double select_next(const struct combinations *c, double k, double *next);

/* Fills an array with SKETCH elements of a longer one, evenly spaced. */
static void sketch(double *out, const double *x, size_t n)
{
	for (size_t i = 0; i < SKETCH; i++)
		out[i] = x[(2 * i + 1) * n / (2 * SKETCH)];
}

/* Moves the bounds of long arrays to about where they are in a sketch of the arrays. */
static void begin_with_sketch(const struct combinations *c, struct bounds *b, double k)
{
	double old[SKETCH], new[SKETCH], next;
	struct combinations few = { c->kind, old, SKETCH, new, SKETCH };
	double all = pair_count(&few), at = k / pair_count(c) * all;

	sketch(new, c->new, c->news);
	if (c->kind != COMBINE_MEAN)
		sketch(old, c->old, c->olds);
	for (int side = -1; side <= 1; side += 2) {
		double of = ceil(at + side * all / SKETCH / 4);

		if (of >= 1 && of <= all)
			move_bound(c, b, k, select_next(&few, of, &next));
	}
}

/* Returns the k-th combination, and the next one, or NAN if that is not known. */
static double select_next(const struct combinations *c, double k, double *next)
{
	bool means = c->kind == COMBINE_MEAN;
	const double *old = means ? c->new : c->old;
	size_t olds = means ? c->news : c->olds, last = c->news - 1;
	double least = combine(c->kind, old[means ? 0 : olds - 1], c->new[0]);
	double few = FEW_LEAST + (double)(olds + c->news) / FEW_SHARE;
	/* two steps, since the double before 0 is -0 */
	struct bounds b = { .lo = of_key(key_of(least) - 2),
		.hi = combine(c->kind, old[means ? last : 0], c->new[last]),
		.to = pair_count(c) };

	if (olds > 4 * SKETCH && c->news > 4 * SKETCH)
		begin_with_sketch(c, &b, k);
	else if (b.to > few)
		move_bound(c, &b, k, combine(c->kind, old[olds / 2], c->new[c->news / 2]));
	for (int step = 0; b.to - b.below > few && key_of(b.hi) - key_of(b.lo) > 1; step++)
		move_bound(c, &b, k, between(&b, k, step));
	/* All combinations between adjacent doubles are equal to the upper one. */
	*next = NAN;
	return b.to - b.below > few ? b.hi : select_between(c, &b, k, next);
}

double pair_select(const struct combinations *c, double k)
{
	double next;

	return select_next(c, k, &next) + 0.0; /* not -0 */
}

double pair_median(const struct combinations *c)
{
	double count = pair_count(c), half = floor((count + 1) / 2), high;
	double low = select_next(c, half, &high);

	if (fmod(count, 2) != 0)
		return low + 0.0;
	if (isnan(high))
		high = pair_select(c, half + 1);
	if (low == high)
		return low + 0.0;
	return c->kind == COMBINE_RATIO ? sqrt(low) * sqrt(high) : low / 2 + high / 2;
}
