/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The energy statistic of every division; see e_divisive.h. Values are taken from left to
 * right. A Fenwick tree (P. M. Fenwick, "A new data structure for cumulative frequency
 * tables", Software: Practice and Experience 24 (1994)) keeps the number and the sum of the
 * values taken so far by rank, so the distance from a value to all earlier values takes
 * O(log n). The distance to all later values is the distance to all values, which follows
 * from the ranks, minus that. A permutation of the values is a permutation of the ranks.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/e_divisive.h"
#include "stats/stats.h"

struct node {
	double count, sum;
};

struct e_divisive {
	size_t n, least;
	double *value;    /* ascending, minus the least value */
	double *distance; /* by rank: to all values */
	uint32_t *rank;   /* by place, 0 .. n - 1 */
	uint32_t *shuffled;
	double *before; /* by place: the distance to all values before it */
	struct node *tree;
	struct place {
		double x;
		uint32_t at;
	} * place;
};

struct e_divisive *e_divisive_open(size_t most)
{
	struct e_divisive *d = mem_zero(1, sizeof(*d));

	d->value = mem_zero(most + 1, sizeof(*d->value));
	d->distance = mem_zero(most + 1, sizeof(*d->distance));
	d->rank = mem_zero(most + 1, sizeof(*d->rank));
	d->shuffled = mem_zero(most + 1, sizeof(*d->shuffled));
	d->before = mem_zero(most + 1, sizeof(*d->before));
	d->tree = mem_zero(most + 1, sizeof(*d->tree));
	d->place = mem_zero(most + 1, sizeof(*d->place));
	return d;
}

void e_divisive_close(struct e_divisive *d)
{
	if (!d)
		return;
	free(d->value);
	free(d->distance);
	free(d->rank);
	free(d->shuffled);
	free(d->before);
	free(d->tree);
	free(d->place);
	free(d);
}

/* Returns the number of sorted values below a value. */
static size_t values_below(const double *sorted, size_t n, double x)
{
	size_t from = 0;

	/* Without a branch that depends on the values, this is faster than sorting pairs.
	 */
	while (n > 1) {
		size_t half = n / 2;

		from += sorted[from + half - 1] < x ? half : 0;
		n -= half;
	}
	return from + (n == 1 && sorted[from] < x);
}

/* Ranks the values; equal ones by place. */
static void rank_values(struct e_divisive *d, const double *x, size_t n)
{
	memcpy(d->value, x, n * sizeof(*x));
	stats_sort(d->value, n);
	/* of equal values, the number that have a rank */
	memset(d->shuffled, 0, n * sizeof(*d->shuffled));
	for (size_t i = 0; i < n; i++) {
		size_t first = values_below(d->value, n, x[i]);
		uint32_t rank = (uint32_t)first + d->shuffled[first]++;

		d->rank[i] = rank;
		d->place[rank] = (struct place){ x[i], (uint32_t)i };
	}
}

static void load_series(struct e_divisive *d, const double *x, size_t n)
{
	double sum = 0, below = 0;

	rank_values(d, x, n);
	for (size_t i = 0; i < n; i++) {
		d->value[i] = d->place[i].x - d->place[0].x;
		sum += d->value[i];
	}
	for (size_t i = 0; i < n; i++) {
		double v = d->value[i];

		d->distance[i] =
		    v * (double)i - below + (sum - below) - v * (double)(n - i);
		below += v;
	}
	d->n = n;
}

/* Computes the distance of each value to all values before it. Returns the sum of all
 * distances. */
static double meet(struct e_divisive *d, const uint32_t *rank)
{
	double sum = 0, total = 0;
	size_t n = d->n;

	memset(d->tree, 0, (n + 1) * sizeof(*d->tree));
	for (size_t i = 0; i < n; i++) {
		size_t r = rank[i];
		double v = d->value[r];
		struct node below = { 0, 0 };

		for (size_t k = r; k; k &= k - 1) {
			below.count += d->tree[k].count;
			below.sum += d->tree[k].sum;
		}
		for (size_t k = r + 1; k <= n; k += k & (0 - k)) {
			d->tree[k].count++;
			d->tree[k].sum += v;
		}
		d->before[i] = v * (2 * below.count - (double)i) + sum - 2 * below.sum;
		total += d->before[i];
		sum += v;
	}
	return total;
}

/* Returns the statistic of m values before and k after a place, from the sums of the
 * distances of all pairs within and between the sides. */
static double statistic(double m, double k, double left, double right, double between)
{
	double energy =
	    2 * between / (m * k) - 2 * left / (m * (m - 1)) - 2 * right / (k * (k - 1));

	return energy * m * k / (m + k);
}

static struct division greatest(struct e_divisive *d, const uint32_t *rank)
{
	double total = meet(d, rank), left = 0, right = total;
	struct division best = { 0, -HUGE_VAL };

	for (size_t at = 1; at + 1 < d->n; at++) {
		double q;

		left += d->before[at - 1];
		right -= d->distance[rank[at - 1]] - d->before[at - 1];
		if (at < d->least || d->n - at < d->least)
			continue;
		q = statistic(
		    (double)at, (double)(d->n - at), left, right, total - left - right);
		if (q > best.statistic)
			best = (struct division){ at, q };
	}
	return best;
}

bool e_divisive_find(
    struct e_divisive *d, const double *x, size_t n, size_t least, struct division *out)
{
	d->least = least;
	if (n < 2 * least)
		return false;
	load_series(d, x, n);
	if (d->value[n - 1] <= 0)
		return false;
	*out = greatest(d, d->rank);
	return true;
}

double e_divisive_permute(struct e_divisive *d, const struct division *found,
    size_t permutations, size_t enough, struct rng *rng)
{
	/* the same sums in another order may differ by rounding */
	double seen = found->statistic * (1 - 1e-9);
	size_t exceeded = 0, done = 0;

	memcpy(d->shuffled, d->rank, d->n * sizeof(*d->rank));
	while (done < permutations && exceeded < enough) {
		for (size_t i = d->n - 1; i > 0; i--) {
			size_t k = rng_below(rng, i + 1);
			uint32_t t = d->shuffled[i];

			d->shuffled[i] = d->shuffled[k];
			d->shuffled[k] = t;
		}
		exceeded += greatest(d, d->shuffled).statistic >= seen;
		done++;
	}
	if (exceeded == enough)
		return (double)exceeded / (double)done;
	return (double)(exceeded + 1) / (double)(done + 1);
}

double e_divisive_ranks(const struct e_divisive *d, const struct division *found)
{
	double m = (double)found->at, n = (double)d->n, k = n - m;
	double sum = 0, ties = 0, spread, off;

	for (size_t i = 0, next; i < d->n; i = next) {
		size_t before = 0;

		for (next = i; next < d->n && d->value[next] == d->value[i]; next++)
			before += d->place[next].at < found->at;
		sum += (double)before * ((double)(i + next - 1) / 2 + 1);
		ties += pow((double)(next - i), 3) - (double)(next - i);
	}
	spread = sqrt(m * k / 12 * (n + 1 - ties / (n * (n - 1))));
	off = fabs(sum - m * (n + 1) / 2) - 0.5;
	return off > 0 ? fmin(1, 2 * dist_normal_above(off / spread)) : 1;
}
