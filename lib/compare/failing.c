/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the failed samples of each subject; see failing.h. A failed sample has a row for
 * each of its metrics, so each metric is compared, and the one that decides counts.
 */
#include <math.h>
#include <stdlib.h>

#include "compare/compare_priv.h"
#include "stats/fisher.h"

struct failing_samples compare_samples(struct compare *c, size_t side, size_t group)
{
	const struct collected *values = compare_values(c, side, group);
	struct failing_samples s = { 0 };

	if (!values)
		return s;
	s.failed = values->missing->failings;
	s.all = values->count + values->missing->failings;
	/* A sample that failed has a row of the metric ok, with the value 0. */
	if (text_is(groups_cell(c->groups, group, COL_METRIC), "ok"))
		for (size_t i = 0; i < values->count; i++)
			s.failed += values->value[i] == 0;
	return s;
}

/* Fills the samples of all subjects on a side. */
static void count_side(struct compare *c, size_t side, struct failing_samples *of)
{
	memset(of, 0, groups_count(c->subjects) * sizeof(*of));
	for (size_t g = 0; g < c->topics; g++) {
		struct failing_samples s = compare_samples(c, side, g), *most;

		most = &of[c->topic[g].subject];
		if (s.failed > most->failed ||
		    (s.failed == most->failed && s.all > most->all))
			*most = s;
	}
}

/* Returns whether any sample failed on any side. */
static bool any_failed(struct compare *c)
{
	for (size_t g = 0; g < c->topics; g++)
		for (size_t i = 0; i < c->topic[g].count; i++) {
			size_t side = c->topic[g].side[i].side;

			if (side != ANY_SIDE && compare_samples(c, side, g).failed)
				return true;
		}
	return false;
}

bool failing_all(const struct failing_samples *s)
{
	return s->all && s->failed == s->all;
}

/* Returns whether a p is significant. As doubles, 1 - 0.95 is more than 0.05; this sum is
 * exact. */
static bool is_significant(const struct compare *c, double p)
{
	return p + c->opts.inference.confidence < 1;
}

static struct failing_subject judge_samples(
    const struct failing_samples *old, const struct failing_samples *new)
{
	struct failing_subject f = { .old = *old, .new = *new, .p = NAN };

	if (old->failed && new->failed && old->failed + new->failed < old->all + new->all)
		f.p = fisher_test_above((double)new->failed, (double)new->all,
		    (double)old->failed, (double)old->all);
	f.is_worse =
	    new->failed && (!old->failed || (failing_all(new) && !failing_all(old)));
	return f;
}

/* Returns 0 for the result that decides before all others of its subject. */
static int order_of(const struct compare *c, const struct failing_subject *f)
{
	if (f->is_worse)
		return 0;
	if (is_significant(c, f->p))
		return 1;
	return failing_all(&f->old) && failing_all(&f->new) ? 2 : 3;
}

static bool decides_before(const struct compare *c, const struct failing_subject *a,
    const struct failing_subject *b)
{
	int x = order_of(c, a), y = order_of(c, b);

	if (x != y)
		return x < y;
	if (isnan(a->p) || isnan(b->p))
		return isnan(a->p) < isnan(b->p);
	return a->p < b->p;
}

/* Sets the results of subjects with failed samples of a metric that both sides have, each
 * for the metric that decides; without one, old.all is 0. */
static void judge_metrics(struct compare *c, size_t side, struct failing_subject *of)
{
	memset(of, 0, groups_count(c->subjects) * sizeof(*of));
	for (size_t g = 0; g < c->topics; g++) {
		struct failing_samples old = compare_samples(c, c->reference, g),
		                       new = compare_samples(c, side, g);
		struct failing_subject f, *best = &of[c->topic[g].subject];

		if (!old.all || !new.all || !(old.failed || new.failed))
			continue;
		f = judge_samples(&old, &new);
		if (!best->old.all || decides_before(c, &f, best))
			*best = f;
	}
}

/* Adds the results of a side. A subject without failures in a metric of both sides, or
 * whose first failures are new, is judged by the metric of each side with the most
 * failures. */
static void add_side(struct compare *c, size_t side, const struct failing_samples *old,
    struct failing_samples *new, struct failing_subject *of)
{
	count_side(c, side, new);
	judge_metrics(c, side, of);
	for (size_t s = 0; s < groups_count(c->subjects); s++) {
		struct failing_subject *f = &of[s];

		if (!old[s].failed && !new[s].failed)
			continue;
		if (!f->old.all || !old[s].failed)
			*f = judge_samples(&old[s], &new[s]);
		f->group = s;
		f->side = side;
		*VEC_ADD(c->failing, c->failing_count, c->failing_cap) = *f;
	}
}

static void correct_p(struct compare *c)
{
	double *p = mem_resize(NULL, c->failing_count + 1, sizeof(*p));

	for (size_t i = 0; i < c->failing_count; i++)
		p[i] = c->failing[i].p;
	adjust_p(c->opts.adjust, p, c->failing_count);
	for (size_t i = 0; i < c->failing_count; i++) {
		c->failing[i].p = p[i];
		if (is_significant(c, p[i]))
			c->failing[i].is_worse = true;
	}
	free(p);
}

void compare_find_failing(struct compare *c)
{
	size_t subjects = groups_count(c->subjects);
	struct failing_samples *old, *new;
	struct failing_subject *of;

	if (!any_failed(c))
		return;
	old = mem_zero(subjects + 1, sizeof(*old));
	new = mem_zero(subjects + 1, sizeof(*new));
	of = mem_zero(subjects + 1, sizeof(*of));
	count_side(c, c->reference, old);
	for (size_t side = 0; side < c->sides.count; side++)
		if (side != c->reference)
			add_side(c, side, old, new, of);
	correct_p(c);
	free(old);
	free(new);
	free(of);
}

const struct failing_subject *compare_failing(const struct compare *c, size_t *count)
{
	*count = c->failing_count;
	return c->failing;
}
