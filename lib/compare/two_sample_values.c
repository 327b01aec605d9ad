/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of a comparison; see two_sample_priv.h.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "compare/two_sample_priv.h"
#include "stats/hierarchy.h"

static int by_identity(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return sample_id_order(&x->id, &y->id);
}

void two_sample_side_init(struct sample_side *s, const struct collected *from)
{
	bool sorted = true;

	*s = (struct sample_side){ .unique = true };
	s->samples = from ? from->count + from->missing->limits : 0;
	s->sample = mem_resize(NULL, s->samples + 1, sizeof(*s->sample));
	s->value = mem_resize(NULL, s->samples + 1, sizeof(*s->value));
	s->above = mem_resize(NULL, s->samples + 1, sizeof(*s->above));
	s->identity = mem_resize(NULL, s->samples + 1, sizeof(*s->identity));
	for (size_t i = 0; i < s->samples; i++) {
		bool above = i >= from->count;
		size_t k = above ? i - from->count : i;

		s->sample[i] =
		    above ? (struct sample){ from->missing->limit_identity[k],
			    from->missing->limit[k], true }
		          : (struct sample){ from->identity[k], from->value[k], false };
		sorted &= i == 0 || by_identity(&s->sample[i - 1], &s->sample[i]) <= 0;
	}
	if (!sorted)
		qsort(s->sample, s->samples, sizeof(*s->sample), by_identity);
	for (size_t i = 1; i < s->samples; i++)
		s->unique &= by_identity(&s->sample[i - 1], &s->sample[i]) != 0;
}

void two_sample_side_free(struct sample_side *s)
{
	free(s->sample);
	free(s->identity);
	free(s->value);
	free(s->above);
	free(s->unit);
	free(s->unit_above);
	free((void *)s->sorted.value);
	free((void *)s->sorted.limit);
}

/* Returns the index after the last sample of the run that begins at `from`. */
static size_t run_end(const struct sample_side *s, size_t from)
{
	size_t end = from;

	while (end < s->samples && s->sample[end].id.run == s->sample[from].id.run)
		end++;
	return end;
}

static bool same_runs(const struct sample_side *a, const struct sample_side *b)
{
	size_t i = 0, j = 0;

	for (; i < a->samples && j < b->samples; i = run_end(a, i), j = run_end(b, j))
		if (a->sample[i].id.run != b->sample[j].id.run)
			return false;
	return i == a->samples && j == b->samples && i;
}

static void side_add(struct sample_side *s, size_t i)
{
	s->identity[s->n] = s->sample[i].id;
	s->above[s->n] = s->sample[i].above;
	s->value[s->n++] = s->sample[i].value;
}

/* Takes the samples of both sides that are in the same blocks. Returns their number. */
static size_t take_blocks(struct sample_side *a, struct sample_side *b)
{
	for (size_t i = 0, j = 0; i < a->samples && j < b->samples;) {
		int order = by_identity(&a->sample[i], &b->sample[j]);

		if (order == 0) {
			side_add(a, i);
			side_add(b, j);
		}
		i += order <= 0;
		j += order >= 0;
	}
	return a->n;
}

static void take_all(struct sample_side *s)
{
	while (s->n < s->samples)
		side_add(s, s->n);
}

/* Returns the highest tier with several units among the samples taken. */
static enum tier tier_of(const struct sample_side *s)
{
	enum tier tier = TIER_SAMPLE;

	for (size_t i = 1; i < s->n; i++) {
		if (s->identity[i].run != s->identity[i - 1].run)
			return TIER_RUN;
		if (s->identity[i].process != s->identity[i - 1].process)
			tier = TIER_PROCESS;
	}
	return tier;
}

/* Returns the values of the units of these values; allocated. */
static double *units_of(struct sample_side *s, enum location location, enum tier tier)
{
	struct hierarchy h;
	double *unit = mem_resize(NULL, s->n + 1, sizeof(*unit));

	hierarchy_init(&h, location, tier, s->identity, s->value, s->n);
	hierarchy_units(&h, unit);
	s->units = h.units;
	hierarchy_free(&h);
	return unit;
}

/* Forms the units. A unit that depends on a censored value is above the one that it has
 * with the limits. */
static void form_units(struct sample_side *s, enum location location, enum tier tier)
{
	double *greatest;
	bool any = false;

	s->unit = units_of(s, location, tier);
	s->unit_above = mem_zero(s->units + 1, sizeof(*s->unit_above));
	for (size_t i = 0; i < s->n; i++)
		if (s->above[i]) {
			s->value[i] = DBL_MAX;
			any = true;
		}
	if (!any)
		return;
	greatest = units_of(s, location, tier);
	for (size_t i = 0; i < s->units; i++)
		s->unit_above[i] = greatest[i] > s->unit[i];
	free(greatest);
}

void two_sample_sort(struct sample_side *s)
{
	double *value = mem_resize(NULL, s->units + 1, sizeof(*value));
	double *limit = mem_resize(NULL, s->units + 1, sizeof(*limit));

	s->sorted = (struct censored){ value, 0, limit, 0 };
	for (size_t i = 0; i < s->units; i++)
		if (s->unit_above[i])
			limit[s->sorted.limits++] = s->unit[i];
		else
			value[s->sorted.values++] = s->unit[i];
	stats_sort(value, s->sorted.values);
	stats_sort(limit, s->sorted.limits);
}

/* Lets pairs take the place of runs in the identities of samples, and the processes of all
 * runs of a pair that of the processes of a run. */
static void identify_pairs(struct sample_side *s, const uint32_t *pair_of_run)
{
	struct sample_id last = { 0 };
	int64_t process = 0;

	for (size_t i = 0; i < s->samples; i++) {
		struct sample_id *id = &s->sample[i].id;

		process +=
		    i && (id->run != last.run || id->process != last.process) ? 1 : 0;
		last = *id;
		id->run = pair_of_run[id->run];
		id->process = process;
	}
	qsort(s->sample, s->samples, sizeof(*s->sample), by_identity);
}

static void note_unpaired(struct unpaired *u, uint32_t pair)
{
	if (u->count < UNPAIRED_NAMED)
		u->pair[u->count] = pair;
	u->count++;
}

/* Takes the samples of the pairs that have samples on both sides. */
static void take_pairs(struct sample_side *a, struct sample_side *b, struct two_sample *out)
{
	for (size_t i = 0, j = 0; i < a->samples || j < b->samples;) {
		const uint32_t none = UINT32_MAX,
		               x = i < a->samples ? a->sample[i].id.run : none,
		               y = j < b->samples ? b->sample[j].id.run : none;
		const size_t a_end = x <= y ? run_end(a, i) : i,
		             b_end = y <= x ? run_end(b, j) : j;

		if (x < y)
			note_unpaired(&out->unpaired_old, x);
		else if (y < x)
			note_unpaired(&out->unpaired_new, y);
		else
			out->reduced += a_end - i > 1 || b_end - j > 1;
		for (; i < a_end; i++)
			if (x == y)
				side_add(a, i);
		for (; j < b_end; j++)
			if (x == y)
				side_add(b, j);
	}
}

/* Forms the units of pairs that the caller knows. If only one side has samples, each of its
 * pairs is a unit. */
static void take_known_pairs(struct sample_side *old, struct sample_side *new,
    const struct two_sample_opts *opts, struct two_sample *out)
{
	identify_pairs(old, opts->pair_of_run);
	identify_pairs(new, opts->pair_of_run);
	if (old->samples && new->samples)
		take_pairs(old, new, out);
	else {
		take_all(old);
		take_all(new);
	}
	form_units(old, opts->location, TIER_RUN);
	form_units(new, opts->location, TIER_RUN);
	out->basis = old->n && new->n ? BASIS_PAIR : BASIS_NONE;
}

/* Forms the units of runs, processes or samples, or of pairs of them. */
static enum basis take_units(
    struct sample_side *old, struct sample_side *new, enum location location)
{
	static const enum basis bases[][2] = {
		[TIER_SAMPLE] = { BASIS_SAMPLE, BASIS_BLOCK },
		[TIER_PROCESS] = { BASIS_PROCESS, BASIS_PROCESS_PAIR },
		[TIER_RUN] = { BASIS_RUN, BASIS_RUN_PAIR },
	};
	bool paired =
	    old->unique && new->unique &&same_runs(old, new) && take_blocks(old, new);
	enum tier tier, other;

	if (!paired) {
		take_all(old);
		take_all(new);
	}
	tier = tier_of(old);
	other = tier_of(new);
	tier = other > tier ? other : tier;
	if (!old->n || !new->n)
		tier = TIER_SAMPLE;
	form_units(old, location, tier);
	form_units(new, location, tier);
	return old->n && new->n ? bases[tier][paired] : BASIS_NONE;
}

void two_sample_take(struct sample_side *old, struct sample_side *new,
    const struct two_sample_opts *opts, struct two_sample *out)
{
	if (opts->pair_of_run)
		take_known_pairs(old, new, opts, out);
	else
		out->basis = take_units(old, new, opts->location);
}
