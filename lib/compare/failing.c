/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the failed samples of each subject; see failing.h. A failed sample has a row for
 * each of its metrics, so the metric with the most failures counts.
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
	s.failed = values->failings;
	s.all = values->count + values->failings;
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
			size_t side = c->gathering[c->topic[g].gathering[i]].side;

			if (side != ANY_SIDE && compare_samples(c, side, g).failed)
				return true;
		}
	return false;
}

bool failing_all(const struct failing_samples *s)
{
	return s->all && s->failed == s->all;
}

static void add_failing(
    struct compare *c, size_t subject, size_t side, const struct failing_samples of[2])
{
	const struct failing_samples *old = &of[0], *new = &of[1];
	struct failing_subject f = {
		.group = subject, .side = side, .old = *old, .new = *new, .p = NAN
	};

	if (!old->failed && !new->failed)
		return;
	if (old->failed && new->failed && old->failed + new->failed < old->all + new->all)
		f.p = fisher_test_above((double)new->failed, (double)new->all,
		    (double)old->failed, (double)old->all);
	f.is_worse =
	    new->failed && (!old->failed || (failing_all(new) && !failing_all(old)));
	*VEC_ADD(c->failing, c->failing_count, c->failing_cap) = f;
}

static void correct_p(struct compare *c)
{
	double *p = mem_resize(NULL, c->failing_count + 1, sizeof(*p));

	for (size_t i = 0; i < c->failing_count; i++)
		p[i] = c->failing[i].p;
	adjust_p(c->opts.adjust, p, c->failing_count);
	for (size_t i = 0; i < c->failing_count; i++) {
		c->failing[i].p = p[i];
		/* As doubles, 1 - 0.95 is more than 0.05; this sum is exact. */
		if (p[i] + c->opts.inference.confidence < 1)
			c->failing[i].is_worse = true;
	}
	free(p);
}

void compare_find_failing(struct compare *c)
{
	size_t subjects = groups_count(c->subjects);
	struct failing_samples *old, *new;

	if (!any_failed(c))
		return;
	old = mem_zero(subjects + 1, sizeof(*old));
	new = mem_zero(subjects + 1, sizeof(*new));
	count_side(c, c->reference, old);
	for (size_t side = 0; side < c->sides.count; side++) {
		if (side == c->reference)
			continue;
		count_side(c, side, new);
		for (size_t s = 0; s < subjects; s++)
			add_failing(
			    c, s, side, (const struct failing_samples[]){ old[s], new[s] });
	}
	correct_p(c);
	free(old);
	free(new);
}

const struct failing_subject *compare_failing(const struct compare *c, size_t *count)
{
	*count = c->failing_count;
	return c->failing;
}
