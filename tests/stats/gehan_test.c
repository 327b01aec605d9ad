/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of censored values and their intervals against published values and against all
 * permutations; tests/stats/censored.t compares p with R.
 */
#include <math.h>

#include "base/rng.h"
#include "stats/censored_pairs.h"
#include "stats/gehan.h"
#include "stats/infer.h"
#include "stats/pair_ranks.h"
#include "tests/lib/tap.h"

enum { MOST = 200, FEW = 6 };

static struct rng rng;

/* Values and limits in any order. */
struct made {
	double at[MOST];
	bool above[MOST];
	size_t n;
	double value[MOST], limit[MOST];
};

static struct censored sorted_of(struct made *m)
{
	struct censored c = { m->value, 0, m->limit, 0 };

	for (size_t i = 0; i < m->n; i++)
		if (m->above[i])
			m->limit[c.limits++] = m->at[i];
		else
			m->value[c.values++] = m->at[i];
	stats_sort(m->value, c.values);
	stats_sort(m->limit, c.limits);
	return c;
}

/* Makes values with one limit (mixed = 0) or a limit of each value, of which `share` are
 * beyond about. Values are rounded if steps > 0. */
static void make(
    struct made *m, size_t n, double level, bool mixed, double share, double steps)
{
	double limit = level * (0.4 + share);

	m->n = n;
	for (size_t i = 0; i < n; i++) {
		double x = level * (0.5 + rng_uniform(&rng));

		if (mixed)
			limit = level * (0.4 + 1.2 * rng_uniform(&rng));
		m->above[i] = x > limit;
		m->at[i] = x > limit ? limit : x;
		if (steps > 0)
			m->at[i] = (floor(m->at[i] * steps) + 1) / steps;
	}
}

static double end_of(const struct made *m)
{
	double most = 0, limit = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->above[i])
			limit = fmax(limit, m->at[i]);
		else
			most = fmax(most, m->at[i]);
	return limit >= most ? limit : INFINITY;
}

/* Returns p of new / r against old over all permutations, and the difference of the number
 * of pairs. */
static double p_of_all(
    const struct made *old, const struct made *new, double r, double *sum)
{
	size_t n = old->n + new->n;
	double at[2 * FEW], score[2 * FEW] = { 0 },
	                              cut = fmin(end_of(old), end_of(new) / r);
	double all = 0, upto = 0, from = 0;
	bool above[2 * FEW];

	*sum = 0;
	for (size_t i = 0; i < n; i++) {
		bool is_new = i >= old->n;

		at[i] = is_new ? new->at[i - old->n] / r : old->at[i];
		above[i] = (is_new ? new->above[i - old->n] : old->above[i]) || at[i] > cut;
		at[i] = fmin(at[i], cut);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			score[i] +=
			    !above[j] && (above[i] ? at[i] >= at[j] : at[i] > at[j]);
			score[i] -=
			    !above[i] && (above[j] ? at[j] >= at[i] : at[j] > at[i]);
		}
	for (size_t i = old->n; i < n; i++)
		*sum += score[i];
	for (unsigned set = 0; set < 1U << n; set++) {
		double own = 0;

		if ((size_t)__builtin_popcount(set) != new->n)
			continue;
		for (size_t i = 0; i < n; i++)
			own += set >> i & 1 ? score[i] : 0;
		all++;
		upto += own <= *sum;
		from += own >= *sum;
	}
	return fmin(1, 2 * fmin(upto, from) / all);
}

/* The interval and the estimate from all gaps between ratios. */
static void invert_all(
    const struct made *old, const struct made *new, double alpha, struct contrast *out)
{
	double q[FEW * FEW], sum, low = NAN, high = NAN, last_up = NAN, first_down = NAN;
	size_t k = 0;
	bool open_low = false, open_high = false;

	for (size_t i = 0; i < old->n; i++)
		for (size_t j = 0; j < new->n; j++)
			q[k++] = new->at[j] / old->at[i];
	stats_sort(q, k);
	for (size_t gap = 0; gap <= k; gap++) {
		double below = gap ? q[gap - 1] : q[0] / 4,
		       above = gap < k ? q[gap] : 4 * q[k - 1];

		if (below == above)
			continue;
		if (p_of_all(old, new, sqrt(below * above), &sum) >= alpha) {
			open_low |= gap == 0;
			open_high |= gap == k;
			if (isnan(low))
				low = below;
			high = above;
		}
		if (sum > 0)
			last_up = above;
		if (sum < 0 && isnan(first_down))
			first_down = below;
	}
	out->at = sqrt(last_up * first_down);
	out->lo = open_low ? open_high ? (double)NAN : 0 : low;
	out->hi = open_high ? (double)NAN : high;
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(b);
}

static bool same_contrast(const struct contrast *a, const struct contrast *b)
{
	return same(a->at, b->at) && same(a->lo, b->lo) && same(a->hi, b->hi);
}

static void test_all_permutations(bool mixed)
{
	enum { ROUNDS = TAP_ROUNDS(150) };
	int wrong = 0, wrong_p = 0, open = 0;

	rng_seed(&rng, 21);
	for (int round = 0; round < ROUNDS; round++) {
		struct made old, new;
		struct contrast got = { .ratio = true }, want = { .ratio = true };
		double delta, sum, p, alpha = round % 3 ? 0.3 : 0.1;
		struct censored a, b;

		make(&old, 3 + rng_below(&rng, 4), 10, mixed, rng_uniform(&rng),
		    round % 4 == 0 ? 0.5 : 0);
		make(&new, 3 + rng_below(&rng, 4), round % 2 ? 10 : 20, mixed,
		    rng_uniform(&rng), round % 4 == 0 ? 0.5 : 0);
		a = sorted_of(&old);
		b = sorted_of(&new);
		p = p_of_all(&old, &new, 1, &sum);
		wrong_p += !(fabs(gehan_sides(&a, &b, &delta) - p) < 1e-12);
		wrong_p += delta != sum / (double)(old.n * new.n);
		gehan_contrast_sides(&a, &b, alpha, &got);
		invert_all(&old, &new, alpha, &want);
		if (p >= alpha) {
			want.lo = fmin(want.lo, 1);
			want.hi = fmax(want.hi, 1);
			if (isnan(got.lo))
				want.lo = NAN;
			if (isnan(got.hi))
				want.hi = NAN;
		}
		wrong += !same_contrast(&got, &want);
		open += isnan(got.hi) || got.lo == 0;
	}
	tap_ok(wrong_p == 0, "p with %s is that of all permutations (%d of %d differ)",
	    mixed ? "different limits" : "a limit of each side", wrong_p, 2 * ROUNDS);
	tap_ok(wrong == 0,
	    "the interval with %s is that of all ratios (%d of %d differ, %d are open)",
	    mixed ? "different limits" : "a limit of each side", wrong, ROUNDS, open);
}

/* Gehan (1965): remission times of leukemia, 6-MP and placebo. W = 271. */
static void test_published(void)
{
	static const double value[] = { 6, 6, 6, 7, 10, 13, 16, 22, 23 };
	static const double limit[] = { 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35 };
	static const double placebo[] = { 1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12,
		12, 15, 17, 22, 23 };
	const struct censored treated = { value, COUNT(value), limit, COUNT(limit) };
	const struct censored control = { placebo, COUNT(placebo), NULL, 0 };
	double delta;

	gehan_sides(&control, &treated, &delta);
	tap_ok(delta == 271 / 441.0, "the statistic of the example of Gehan is 271");
}

/* With one limit for both sides, the test is that of Mann and Whitney with infinities. */
static void test_one_limit(void)
{
	int wrong = 0;

	rng_seed(&rng, 22);
	for (int round = 0; round < TAP_ROUNDS(200); round++) {
		struct made old, new;
		struct censored a, b;
		double delta, share = rng_uniform(&rng);

		make(&old, 1 + rng_below(&rng, 80), 10, false, share, round % 2);
		make(&new, 1 + rng_below(&rng, 80), 10, false, share, round % 2);
		a = sorted_of(&old);
		b = sorted_of(&new);
		for (size_t i = 0; i < old.n; i++)
			old.at[i] = old.above[i] ? 1e9 : old.at[i];
		for (size_t i = 0; i < new.n; i++)
			new.at[i] = new.above[i] ? 1e9 : new.at[i];
		stats_sort(old.at, old.n);
		stats_sort(new.at, new.n);
		wrong += a.limits && b.limits &&
		         !(fabs(gehan_sides(&a, &b, &delta) -
		                infer_rank_sum(old.at, old.n, new.at, new.n)) < 1e-12);
		wrong += a.limits && b.limits &&
		         !(fabs(delta - infer_cliff_delta(old.at, old.n, new.at, new.n)) <
		             1e-12);
	}
	tap_ok(wrong == 0,
	    "p and delta with one limit are those of infinite values (%d differ)", wrong);
}

/* Exchanges the sides. */
static void test_exchange(void)
{
	enum { ROUNDS = TAP_ROUNDS(200) };
	int wrong = 0, disagree = 0, tested = 0;

	rng_seed(&rng, 23);
	for (int round = 0; round < ROUNDS; round++) {
		struct made old, new;
		struct contrast there = { .ratio = true }, back = { .ratio = true };
		struct censored a, b;
		double delta, p;

		make(&old, 4 + rng_below(&rng, 20), 10, round % 2, 0.8, 0);
		make(&new, 4 + rng_below(&rng, 20), 10 + 5 * rng_uniform(&rng), round % 2,
		    0.8, 0);
		a = sorted_of(&old);
		b = sorted_of(&new);
		p = gehan_sides(&a, &b, &delta);
		gehan_contrast_sides(&a, &b, 0.05, &there);
		gehan_contrast_sides(&b, &a, 0.05, &back);
		wrong += !same(there.at, 1 / back.at);
		wrong += there.lo > 0 && !same(there.lo, 1 / back.hi);
		wrong += there.lo == 0 && !isnan(back.hi);
		if (isnan(there.lo))
			continue;
		tested++;
		disagree += (there.lo > 1 || there.hi < 1) != (p < 0.05);
	}
	tap_ok(wrong == 0, "exchanged sides have inverse ratios (%d do not)", wrong);
	tap_ok(tested > ROUNDS * 3 / 4 && disagree == 0,
	    "the interval contains 1 if p is not significant (%d of %d do not agree)",
	    disagree, tested);
}

static void test_ends(void)
{
	static const double low[] = { 9, 9.5, 10, 10.5, 11 },
	                    limit[] = { 60, 60, 60, 60, 60 };
	const struct censored values = { low, 5, NULL, 0 }, none = { NULL, 0, limit, 5 },
	                      one = { low, 1, limit, 4 };
	struct contrast c = { .ratio = true };

	gehan_contrast_sides(&values, &none, 0.05, &c);
	tap_ok(isnan(c.at) && c.lo > 5 && c.lo < 6 && isnan(c.hi),
	    "if all new values are censored, the ratio has only a lower end");
	gehan_contrast_sides(&none, &values, 0.05, &c);
	tap_ok(isnan(c.at) && c.lo == 0 && c.hi > 1 / 6.0 && c.hi < 1 / 5.0,
	    "if all old values are censored, the ratio has only an upper end");
	gehan_contrast_sides(&none, &none, 0.05, &c);
	tap_ok(isnan(c.at) && isnan(c.lo) && isnan(c.hi),
	    "if all values are censored, the ratio is unknown");
	gehan_contrast_sides(&values, &one, 0.05, &c);
	tap_ok(c.at > 1 && isfinite(c.at) && isnan(c.hi),
	    "if most new values are censored, the ratio has an estimate but no upper end");
	c.ratio = false;
	gehan_contrast_sides(&none, &values, 0.05, &c);
	tap_ok(isnan(c.at) && isnan(c.lo) && c.hi < -49 && c.hi > -52,
	    "if all old values are censored, the difference has only an upper end");
}

/* More values than the exact test takes: p and the interval hardly change. */
static void test_approximation(void)
{
	struct made old, new;
	struct censored a, b;
	double delta, exact, normal;
	struct contrast few = { .ratio = true }, many = { .ratio = true };

	rng_seed(&rng, 24);
	make(&old, 50, 10, true, 0, 0);
	make(&new, 51, 11, true, 0, 0);
	b = sorted_of(&new);
	a = sorted_of(&old);
	normal = gehan_sides(&a, &b, &delta);
	gehan_contrast_sides(&a, &b, 0.05, &many);
	new.n--;
	b = sorted_of(&new);
	exact = gehan_sides(&a, &b, &delta);
	gehan_contrast_sides(&a, &b, 0.05, &few);
	tap_ok(fabs(log(normal / exact)) < 0.3 && fabs(log(many.at / few.at)) < 0.03 &&
	           fabs(log(many.lo / few.lo)) < 0.03 && fabs(log(many.hi / few.hi)) < 0.03,
	    "the approximation for many values is near the exact test "
	    "(p %.4f and %.4f, ratio %.3f [%.3f, %.3f] and %.3f [%.3f, %.3f])",
	    normal, exact, many.at, many.lo, many.hi, few.at, few.lo, few.hi);
}

/* p of pairs that were cut at the smaller limit. */
static double p_of_cut(
    const struct made *old, const struct made *new, enum pair_score score, double r)
{
	double a[MOST], b[MOST];

	for (size_t i = 0; i < old->n; i++) {
		double x = old->above[i] ? old->at[i] : end_of(old);
		double y = (new->above[i] ? new->at[i] : end_of(new)) / r, cut = fmin(x, y);

		a[i] = fmin(old->at[i], cut);
		b[i] = fmin(new->at[i] / r, cut);
	}
	return score == PAIR_SCORE_SIGNED ? signed_ranks_p(a, b, old->n)
	                                  : pair_ranks_p(a, b, old->n);
}

static void test_pairs(void)
{
	int wrong = 0, beyond = 0, disagree = 0, open = 0;

	rng_seed(&rng, 25);
	for (int round = 0; round < TAP_ROUNDS(100); round++) {
		struct made old, new;
		struct contrast c = { .ratio = true };
		enum pair_score score = round % 3 ? PAIR_SCORE_BOTH : PAIR_SCORE_SIGNED;
		struct censored_pairs pairs = { old.at, new.at, old.above, new.above, 0,
			score };
		double p;

		pairs.n = 6 + rng_below(&rng, 30);
		make(&old, pairs.n, 10, round % 2, 0.8, 0);
		make(&new, pairs.n, 10 + 5 * rng_uniform(&rng), round % 2, 0.8, 0);
		p = censored_pairs_measure(&pairs, 0.05, &c);
		wrong += !(fabs(p - p_of_cut(&old, &new, score, 1)) < 1e-12);
		open += isnan(c.hi) || c.lo == 0;
		if (!isnan(c.lo))
			disagree += (c.lo > 1 || c.hi < 1) != (p < 0.05);
		if (c.lo > 0)
			beyond += p_of_cut(&old, &new, score, c.lo * (1 - 1e-9)) >= 0.05 ||
			          p_of_cut(&old, &new, score, c.lo * (1 + 1e-9)) < 0.05;
		if (!isnan(c.hi))
			beyond += p_of_cut(&old, &new, score, c.hi * (1 + 1e-9)) >= 0.05 ||
			          p_of_cut(&old, &new, score, c.hi * (1 - 1e-9)) < 0.05;
		beyond += !(c.at >= c.lo) && !isnan(c.at) && !isnan(c.lo);
	}
	tap_ok(wrong == 0, "p of pairs is that of cut pairs (%d differ)", wrong);
	tap_ok(beyond == 0 && disagree == 0,
	    "the interval of pairs ends where p crosses the level, and contains 1 if p is "
	    "not "
	    "significant (%d and %d do not, %d are open)",
	    beyond, disagree, open);
}

int main(void)
{
	test_published();
	test_one_limit();
	test_all_permutations(false);
	test_all_permutations(true);
	test_exchange();
	test_ends();
	test_approximation();
	test_pairs();
	return tap_end();
}
