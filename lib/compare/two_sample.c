/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One comparison; see two_sample.h. Samples of one run share the state of the machine, and
 * samples of one process share its memory layout, so they are not independent. So if a side
 * has several runs, a run is one value; if it has one run of several processes, a process
 * is one value. If both sides come from the same runs, values are compared in pairs, which
 * cancels disturbances that affect a whole block.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/two_sample.h"
#include "stats/hodges_lehmann.h"
#include "stats/rate_interval.h"
#include "stats/stats.h"

const char *const basis_names[] = { [BASIS_NONE] = "",
	[BASIS_BLOCK] = "block",
	[BASIS_RUN] = "run",
	[BASIS_PROCESS] = "process",
	[BASIS_SAMPLE] = "sample",
	[BASIS_RUN_PAIR] = "run-pair",
	[BASIS_PROCESS_PAIR] = "process-pair" };

struct sample {
	struct sample_id id;
	double value;
};

/* One side: its samples by identity, the samples that count, and the values compared. */
struct sample_side {
	struct sample *sample;
	size_t samples;
	bool unique; /* all identities are different */
	struct sample_id *identity;
	double *value;
	size_t n;
	struct hierarchy hierarchy;
	double *unit; /* values of the units */
};

static int by_identity(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return sample_id_order(&x->id, &y->id);
}

static void side_init(struct sample_side *s, const struct collected *from)
{
	bool sorted = true;

	*s = (struct sample_side){ .samples = from ? from->count : 0, .unique = true };
	s->sample = mem_resize(NULL, s->samples + 1, sizeof(*s->sample));
	s->value = mem_resize(NULL, s->samples + 1, sizeof(*s->value));
	s->identity = mem_resize(NULL, s->samples + 1, sizeof(*s->identity));
	for (size_t i = 0; i < s->samples; i++) {
		s->sample[i] = (struct sample){ from->identity[i], from->value[i] };
		sorted &= i == 0 || by_identity(&s->sample[i - 1], &s->sample[i]) <= 0;
	}
	if (!sorted)
		qsort(s->sample, s->samples, sizeof(*s->sample), by_identity);
	for (size_t i = 1; i < s->samples; i++)
		s->unique &= by_identity(&s->sample[i - 1], &s->sample[i]) != 0;
}

static void side_free(struct sample_side *s)
{
	free(s->sample);
	free(s->identity);
	free(s->value);
	hierarchy_free(&s->hierarchy);
	free(s->unit);
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

static void form_units(struct sample_side *s, enum location location, enum tier tier)
{
	hierarchy_init(&s->hierarchy, location, tier, s->identity, s->value, s->n);
	s->unit = mem_resize(NULL, s->n + 1, sizeof(*s->unit));
	hierarchy_units(&s->hierarchy, s->unit);
}

static enum basis take_values(
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

bool basis_is_paired(enum basis basis)
{
	return basis == BASIS_BLOCK || basis == BASIS_PROCESS_PAIR ||
	       basis == BASIS_RUN_PAIR;
}

/* Fills the fields that need sorted units. */
static void measure_sorted(struct two_sample *c, const struct sample_side *old,
    const struct sample_side *new, enum location location)
{
	size_t m = old->hierarchy.units, n = new->hierarchy.units;

	c->n_old = m;
	c->n_new = n;
	c->old = location_of(location, old->unit, m);
	c->new = location_of(location, new->unit, n);
	c->effect = infer_cliff_delta(old->unit, m, new->unit, n);
	c->can_differ =
	    m && n &&
	    (old->unit[0] != new->unit[n - 1] || new->unit[0] != old->unit[m - 1]);
}

/* The least and the greatest of values. */
struct extent {
	double least, most;
};

static struct extent extent_of(const double *value, size_t n)
{
	struct extent e = { INFINITY, -INFINITY };

	for (size_t i = 0; i < n; i++) {
		e.least = fmin(e.least, value[i]);
		e.most = fmax(e.most, value[i]);
	}
	return e;
}

/* Two sides of units, in pairs or not. */
struct unit_sides {
	const double *old, *new;
	size_t olds, news;
	bool paired;
	const struct infer_test *test;
};

/* Returns p and fills the contrast of success rates. There is a ratio if the old rate is
 * not 0. */
static double measure_rates(const struct unit_sides *u, double alpha, struct contrast *out)
{
	out->ratio = extent_of(u->old, u->olds).most > 0;
	return u->paired ? rate_pairs(u->old, u->new, u->news, alpha, out)
	                 : rate_sides(u->old, u->olds, u->new, u->news, alpha, out);
}

/* Returns p and fills the contrast: ratios if doubles can hold all of them, otherwise
 * differences. */
static double measure_values(const struct unit_sides *u, double alpha, struct contrast *out)
{
	const struct infer_test *t = u->test;
	struct extent old = extent_of(u->old, u->olds), new = extent_of(u->new, u->news);
	bool finite = isfinite(new.most - old.least) && isfinite(new.least - old.most);

	out->ratio = old.least > 0 && new.least > 0 && isfinite(new.most / old.least) &&
	             new.least / old.most > 0;
	if (u->paired) {
		if (out->ratio || finite)
			t->contrast_pairs(u->old, u->new, u->news, alpha, out);
		return t->pairs(u->old, u->new, u->news);
	}
	if (out->ratio || finite)
		t->contrast_sides(u->old, u->olds, u->new, u->news, alpha, out);
	return t->sides(u->old, u->olds, u->new, u->news);
}

static void measure_contrast(
    struct two_sample *c, const struct unit_sides *u, const struct two_sample_opts *opts)
{
	struct contrast contrast = { .at = NAN, .lo = NAN, .hi = NAN };
	double alpha = inference_alpha(&opts->inference);
	bool rates = opts->location == LOCATION_MEAN && u->test == &infer_tests[0] &&
	             rate_values(u->old, u->olds) && rate_values(u->new, u->news);

	c->test = u->test->name;
	c->p = rates ? measure_rates(u, alpha, &contrast)
	             : measure_values(u, alpha, &contrast);
	if (contrast.ratio) {
		c->ratio = contrast.at;
		c->ratio_lo = contrast.lo;
		c->ratio_hi = contrast.hi;
	} else {
		c->diff = contrast.at;
		c->diff_lo = contrast.lo;
		c->diff_hi = contrast.hi;
	}
}

/* Fills the fields that need the units in pairs, sorts the units, and tests sides. */
static void measure_units(struct two_sample *c, struct sample_side *old,
    struct sample_side *new, const struct two_sample_opts *opts)
{
	const struct infer_test *chosen = opts->inference.test;
	struct unit_sides u = { old->unit, new->unit, old->hierarchy.units,
		new->hierarchy.units, basis_is_paired(c->basis),
		chosen ? chosen : &infer_tests[0] };

	if (u.paired) {
		measure_contrast(c, &u, opts);
		if (opts->shift)
			c->shift = hodges_lehmann_pairs(old->unit, new->unit, u.news);
	}
	stats_sort(old->unit, u.olds);
	stats_sort(new->unit, u.news);
	if (u.paired || c->basis == BASIS_NONE)
		return;
	measure_contrast(c, &u, opts);
	if (opts->shift)
		c->shift = hodges_lehmann_sides(old->unit, u.olds, new->unit, u.news);
}

void two_sample_measure(const struct collected *from_old, const struct collected *from_new,
    const struct two_sample_opts *opts, struct two_sample *out)
{
	struct sample_side old, new;

	*out = (struct two_sample)TWO_SAMPLE_NONE;
	side_init(&old, from_old);
	side_init(&new, from_new);
	out->basis = take_values(&old, &new, opts->location);
	measure_units(out, &old, &new, opts);
	measure_sorted(out, &old, &new, opts->location);
	side_free(&old);
	side_free(&new);
}

size_t two_sample_adjust(struct two_sample *const *result, size_t count, enum adjust adjust)
{
	double *p = mem_resize(NULL, count + 1, sizeof(*p));
	size_t tests = 0;

	for (size_t i = 0; i < count; i++) {
		p[i] = result[i]->can_differ ? result[i]->p : NAN;
		tests += isnan(p[i]) ? 0 : 1;
	}
	adjust_p(adjust, p, count);
	for (size_t i = 0; i < count; i++)
		result[i]->p_adj = result[i]->can_differ ? p[i] : result[i]->p;
	free(p);
	return adjust == ADJUST_NONE ? 1 : tests;
}
