/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gehan's test and its inversion; see gehan.h.
 *
 * The test only changes at a ratio, or difference, of a new and an old value or limit. So
 * it is needed in the gaps between these combinations. Gap k is above k of them. As the
 * contrast grows, each pair changes only from "new is greater" toward "new is less". The
 * sum of the scores therefore falls, and the ends of the interval are found by halving.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/exact.h"
#include "stats/gehan.h"
#include "stats/infer.h"
#include "stats/pair_select.h"

/* Because other values are cut in each gap, p may cross the level more than once. So the
 * search continues for this many gaps, and until p is half of the level. */
enum { GAPS_SEARCHED = 32 };

/* Values and limits in ascending order. Of equal ones, values are first. */
struct gehan_side {
	double *at;
	bool *above; /* a limit */
	size_t n;
	size_t next; /* not yet walked */
};

/* Values of both sides that have the same score. */
struct score_group {
	double score;
	size_t all, news;
	bool above;
};

struct gehan {
	struct gehan_side old, new;
	enum combination kind;
	bool is_gap; /* between combinations; otherwise the values as they are */
	double gap;  /* the combination below; -INFINITY: none */
	struct score_group *group;
	size_t groups, cap;
	double values;  /* without the limits, walked so far */
	double balance; /* sum of the scores of the new side */
	double alpha;
};

static void side_open(struct gehan_side *s, const struct censored *from)
{
	*s = (struct gehan_side){ .n = from->values + from->limits };
	s->at = mem_resize(NULL, s->n + 1, sizeof(*s->at));
	s->above = mem_resize(NULL, s->n + 1, sizeof(*s->above));
	for (size_t i = 0, v = 0, l = 0; i < s->n; i++) {
		s->above[i] = v == from->values ||
		              (l < from->limits && from->limit[l] < from->value[v]);
		s->at[i] = s->above[i] ? from->limit[l++] : from->value[v++];
	}
}

static void gehan_open(
    struct gehan *g, const struct censored *old, const struct censored *new, double alpha)
{
	*g = (struct gehan){ .alpha = alpha };
	side_open(&g->old, old);
	side_open(&g->new, new);
}

static void gehan_close(struct gehan *g)
{
	free(g->old.at);
	free(g->old.above);
	free(g->new.at);
	free(g->new.above);
	free(g->group);
}

/* Returns whether the next old value is before the next new one (negative), after it, or
 * equal (0). */
static int next_order(const struct gehan *g)
{
	double old, new;

	if (g->old.next == g->old.n || g->new.next == g->new.n)
		return g->old.next == g->old.n ? 1 : -1;
	old = g->old.at[g->old.next];
	new = g->new.at[g->new.next];
	if (g->is_gap)
		return combine(g->kind, old, new) <= g->gap ? 1 : -1;
	return (old > new) - (old < new);
}

/* Walks over the values, or limits, of a side that are equal to `at`. */
static size_t take_equal(struct gehan_side *s, double at, bool above)
{
	size_t from = s->next;

	while (s->next < s->n && s->at[s->next] == at && s->above[s->next] == above)
		s->next++;
	return s->next - from;
}

static bool at_end_of(const struct gehan_side *s)
{
	return s->n && s->next == s->n && s->above[s->n - 1];
}

static void add_scores(struct gehan *g, size_t olds, size_t news, bool above)
{
	double all = (double)(g->old.n + g->new.n);
	double score = g->values, n = (double)(olds + news);

	if (!above) {
		double walked = (double)(g->old.next + g->new.next);

		score -= all - walked;
		g->values += n;
	}
	g->balance += score * (double)news;
	*VEC_ADD(g->group, g->groups, g->cap) =
	    (struct score_group){ score, olds + news, news, above };
}

/* Adds one group: equal values, or equal limits, or all that is beyond the last limit of a
 * side. */
static void walk_group(struct gehan *g)
{
	int order = next_order(g);
	bool old_first = order <= 0, new_first = order >= 0;
	bool above = (!old_first || g->old.above[g->old.next]) &&
	             (!new_first || g->new.above[g->new.next]);
	double old = old_first ? g->old.at[g->old.next] : 0;
	double new = new_first ? g->new.at[g->new.next] : 0;
	size_t olds = old_first ? take_equal(&g->old, old, above) : 0;
	size_t news = new_first ? take_equal(&g->new, new, above) : 0;

	if (above && ((olds && at_end_of(&g->old)) || (news && at_end_of(&g->new)))) {
		olds += g->old.n - g->old.next;
		news += g->new.n - g->new.next;
		g->old.next = g->old.n;
		g->new.next = g->new.n;
	}
	add_scores(g, olds, news, above);
}

/* Computes the scores. */
static void walk(struct gehan *g)
{
	g->old.next = g->new.next = g->groups = 0;
	g->values = g->balance = 0;
	while (g->old.next < g->old.n || g->new.next < g->new.n)
		walk_group(g);
}

/* Returns whether the scores are those of midranks: only the last group is censored. */
static bool has_midranks(const struct gehan *g)
{
	for (size_t i = 0; i + 1 < g->groups; i++)
		if (g->group[i].above)
			return false;
	return true;
}

static double exact_p(const struct gehan *g)
{
	size_t *tied = mem_resize(NULL, g->groups, sizeof(*tied));
	double *score = mem_resize(NULL, g->groups, sizeof(*score)), p;
	double pairs = (double)g->old.n * (double)g->new.n;

	for (size_t i = 0; i < g->groups; i++) {
		tied[i] = g->group[i].all;
		score[i] = g->group[i].score;
	}
	p = has_midranks(g)
	        ? exact_rank_sum(tied, g->groups, g->new.n, g->old.n, g->balance + pairs)
	        : exact_score_sum(score, tied, g->groups, g->new.n, g->balance);
	free(tied);
	free(score);
	return p;
}

static double approximate_p(const struct gehan *g)
{
	double m = (double)g->old.n, n = (double)g->new.n, squares = 0;

	for (size_t i = 0; i < g->groups; i++)
		squares += (double)g->group[i].all * g->group[i].score * g->group[i].score;
	/* half of the balance is a number of pairs, as in the test of Mann and Whitney */
	return infer_normal_p(
	    g->balance / 2, m * n / ((m + n) * (m + n - 1)) * squares / 4);
}

static bool is_exact(const struct gehan *g)
{
	return (double)g->old.n * (double)g->new.n <= EXACT_PAIRS_MOST;
}

static double test_scores(struct gehan *g)
{
	walk(g);
	if (g->groups == 1)
		return 1;
	return is_exact(g) ? exact_p(g) : approximate_p(g);
}

double gehan_sides(const struct censored *old, const struct censored *new, double *delta)
{
	struct gehan g;
	double p = 1;

	gehan_open(&g, old, new, 0);
	*delta = NAN;
	if (g.old.n && g.new.n) {
		p = test_scores(&g);
		*delta = g.balance / ((double)g.old.n * (double)g.new.n);
	}
	gehan_close(&g);
	return p;
}

static struct combinations combinations_of(const struct gehan *g)
{
	return (struct combinations){ g->kind, g->old.at, g->old.n, g->new.at, g->new.n };
}

/* Returns the k-th combination from below, from 1. */
static double combination_at(const struct gehan *g, size_t k)
{
	struct combinations of = combinations_of(g);

	return pair_select(&of, (double)k);
}

static void enter_gap(struct gehan *g, size_t k)
{
	g->is_gap = true;
	g->gap = k ? combination_at(g, k) : -INFINITY;
}

static double balance_in(struct gehan *g, size_t k)
{
	enter_gap(g, k);
	walk(g);
	return g->balance;
}

/* Returns the first gap, up to `last`, whose balance is below the limit, or last + 1. */
static size_t first_below(struct gehan *g, size_t last, double limit)
{
	size_t low = 0, high = last + 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (balance_in(g, middle) < limit)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Returns the contrast for which the balance is 0, or NAN if this has no end. */
static double estimate(struct gehan *g, size_t last)
{
	size_t low = first_below(g, last, 0.5), high = first_below(g, last, -0.5);
	double from, to;

	if (low == 0 || high > last)
		return NAN;
	from = combination_at(g, low);
	to = combination_at(g, high);
	if (from == to)
		return from;
	return g->kind == COMBINE_RATIO ? sqrt(from) * sqrt(to) : from / 2 + to / 2;
}

/* Returns p of a gap, and whether it is below the interval (1) or above it (-1). */
static double place_gap(struct gehan *g, size_t k, int *place)
{
	double p;

	enter_gap(g, k);
	p = test_scores(g);
	*place = p >= g->alpha ? 0 : g->balance > 0 ? 1 : -1;
	return p;
}

/* Returns the first gap, up to last + 1, that is not below the interval. */
static size_t lower_gap(struct gehan *g, size_t last)
{
	size_t low = 0, high = last + 1;
	int place;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		place_gap(g, middle, &place);
		if (place > 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t k = low; is_exact(g) && k-- > 0;) {
		double p = place_gap(g, k, &place);

		if (place <= 0)
			low = k;
		else if (p < g->alpha / 2 && low - k > GAPS_SEARCHED)
			break;
	}
	return low;
}

/* Returns the first gap after the interval, or last + 1. */
static size_t upper_gap(struct gehan *g, size_t last)
{
	size_t low = 0, high = last + 1;
	int place;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		place_gap(g, middle, &place);
		if (place < 0)
			high = middle;
		else
			low = middle + 1;
	}
	for (size_t k = low; is_exact(g) && k <= last; k++) {
		double p = place_gap(g, k, &place);

		if (place >= 0)
			low = k + 1;
		else if (p < g->alpha / 2 && k - low > GAPS_SEARCHED)
			break;
	}
	return low;
}

void gehan_contrast_sides(const struct censored *old, const struct censored *new,
    double alpha, struct contrast *out)
{
	struct gehan g;
	double none = out->ratio ? 1 : 0, p;
	size_t last, low, high;

	out->at = out->lo = out->hi = NAN;
	gehan_open(&g, old, new, alpha);
	last = g.old.n * g.new.n;
	if (last) {
		p = test_scores(&g);
		g.kind = out->ratio ? COMBINE_RATIO : COMBINE_DIFFERENCE;
		out->at = estimate(&g, last);
		low = lower_gap(&g, last);
		high = upper_gap(&g, last);
		if (low > 0)
			out->lo = combination_at(&g, low);
		if (high <= last)
			out->hi = combination_at(&g, high);
		/* p of no difference itself may be greater than in the gaps around it. */
		if (p >= alpha && out->lo > none)
			out->lo = none;
		if (p >= alpha && out->hi < none)
			out->hi = none;
		if (out->ratio && low == 0 && high <= last)
			out->lo = 0;
	}
	gehan_close(&g);
}
