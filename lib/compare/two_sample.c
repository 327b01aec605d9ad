/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One comparison; see two_sample.h. Samples of one run share the state of the machine, and
 * samples of one process share its memory layout, so they are not independent. So if a side
 * has several runs, a run is one value; if it has one run of several processes, a process
 * is one value. If both sides come from the same runs, values are compared in pairs, which
 * cancels disturbances that affect a whole block. Pairs by columns, such as inputs, may be
 * of different runs; they differ from each other, so signed ranks compare them.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "compare/two_sample_priv.h"
#include "stats/censored_pairs.h"
#include "stats/gehan.h"
#include "stats/hodges_lehmann.h"
#include "stats/rate_interval.h"

const char *const basis_names[] = { [BASIS_NONE] = "",
	[BASIS_BLOCK] = "block",
	[BASIS_RUN] = "run",
	[BASIS_PROCESS] = "process",
	[BASIS_SAMPLE] = "sample",
	[BASIS_RUN_PAIR] = "run-pair",
	[BASIS_PROCESS_PAIR] = "process-pair",
	[BASIS_PAIR] = "pair" };

bool basis_is_paired(enum basis basis)
{
	return basis == BASIS_BLOCK || basis == BASIS_PROCESS_PAIR ||
	       basis == BASIS_RUN_PAIR || basis == BASIS_PAIR;
}

const struct infer_test *two_sample_test(
    const struct two_sample *c, const struct two_sample_opts *opts)
{
	const struct infer_test *chosen = opts->inference.test;

	if (chosen && chosen != &infer_tests[0] && !c->censored_old && !c->censored_new)
		return chosen;
	return c->basis == BASIS_PAIR ? &infer_signed_ranks : &infer_tests[0];
}

/* Returns the location of the values of a side. If this is only known to exceed a number,
 * returns NAN and sets *above to that. */
static double location_bounded(
    const struct censored *side, enum location location, double *above)
{
	struct bounded b;

	*above = NAN;
	if (!side->limits)
		return location_of(location, side->value, side->values);
	b = censored_quantile(side, 0.5);
	if (b.above)
		*above = b.at;
	return b.above ? (double)NAN : b.at;
}

/* Returns whether values of both sides may differ: not all are equal or censored. */
static bool can_differ(const struct censored *old, const struct censored *new)
{
	size_t m = old->values, n = new->values;

	if (old->limits || new->limits)
		return m + n > 0;
	return m && n &&
	       (old->value[0] != new->value[n - 1] || new->value[0] != old->value[m - 1]);
}

/* Fills the fields that need sorted units. */
static void measure_sorted(struct two_sample *c, const struct censored *old,
    const struct censored *new, enum location location)
{
	c->n_old = old->values + old->limits;
	c->n_new = new->values + new->limits;
	c->censored_old = old->limits;
	c->censored_new = new->limits;
	c->old = location_bounded(old, location, &c->old_above);
	c->new = location_bounded(new, location, &c->new_above);
	c->can_differ = c->n_old && c->n_new && can_differ(old, new);
	if (old->limits || new->limits)
		gehan_sides(old, new, &c->effect);
	else
		c->effect =
		    infer_cliff_delta(old->value, old->values, new->value, new->values);
}

/* The smallest and the largest of values. */
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

/* Returns whether the values are positive and doubles hold all their ratios with full
 * precision. */
static bool have_ratios(struct extent old, struct extent new)
{
	return old.least > 0 && new.least > 0 && isfinite(new.most / old.least) &&
	       new.least / old.most >= DBL_MIN;
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

	out->ratio = have_ratios(old, new);
	if (u->paired) {
		if (out->ratio || finite)
			t->contrast_pairs(u->old, u->new, u->news, alpha, out);
		return t->pairs(u->old, u->new, u->news);
	}
	if (out->ratio || finite)
		t->contrast_sides(u->old, u->olds, u->new, u->news, alpha, out);
	return t->sides(u->old, u->olds, u->new, u->news);
}

/* Returns a number, or NAN if it is too large for a double. */
static double held(double x)
{
	return isfinite(x) ? x : (double)NAN;
}

static void set_contrast(struct two_sample *c, const struct contrast *contrast)
{
	double at = held(contrast->at), lo = held(contrast->lo), hi = held(contrast->hi);

	if (contrast->ratio) {
		c->ratio = at;
		c->ratio_lo = lo;
		c->ratio_hi = hi;
	} else {
		c->diff = at;
		c->diff_lo = lo;
		c->diff_hi = hi;
	}
}

static void measure_contrast(
    struct two_sample *c, const struct unit_sides *u, const struct two_sample_opts *opts)
{
	struct contrast contrast = { .at = NAN, .lo = NAN, .hi = NAN };
	double alpha = inference_alpha(&opts->inference);
	bool rates = opts->location == LOCATION_MEAN &&
	             (u->test == &infer_tests[0] || u->test == &infer_signed_ranks) &&
	             rate_values(u->old, u->olds) && rate_values(u->new, u->news);

	c->test = rates ? infer_tests[0].name : u->test->name;
	c->p = rates ? measure_rates(u, alpha, &contrast)
	             : measure_values(u, alpha, &contrast);
	set_contrast(c, &contrast);
	if (opts->shift)
		c->shift = u->paired
		               ? hodges_lehmann_pairs(u->old, u->new, u->news)
		               : hodges_lehmann_sides(u->old, u->olds, u->new, u->news);
}

/* Returns p and fills the contrast of units, some of which are censored, by ranks. */
static double measure_limits(const struct sample_side *old, const struct sample_side *new,
    enum basis basis, double alpha, struct contrast *out)
{
	double delta;

	if (basis_is_paired(basis)) {
		struct censored_pairs pairs = { old->unit, new->unit, old->unit_above,
			new->unit_above, new->units,
			basis == BASIS_PAIR ? PAIR_SCORE_SIGNED : PAIR_SCORE_BOTH };

		return censored_pairs_measure(&pairs, alpha, out);
	}
	gehan_contrast_sides(&old->sorted, &new->sorted, alpha, out);
	return gehan_sides(&old->sorted, &new->sorted, &delta);
}

static void measure_censored(struct two_sample *c, const struct sample_side *old,
    const struct sample_side *new, const struct two_sample_opts *opts)
{
	double alpha = inference_alpha(&opts->inference);
	struct contrast contrast = { .ratio = have_ratios(extent_of(old->unit, old->units),
		                         extent_of(new->unit, new->units)) };
	struct contrast shift = { .ratio = false };

	c->test = two_sample_test(c, opts)->name;
	c->p = measure_limits(old, new, c->basis, alpha, &contrast);
	set_contrast(c, &contrast);
	if (!opts->shift)
		return;
	measure_limits(old, new, c->basis, alpha, &shift);
	c->shift = shift.at;
}

/* Tests the units, which are sorted unless they are pairs. */
static void measure_units(struct two_sample *c, const struct sample_side *old,
    const struct sample_side *new, const struct two_sample_opts *opts)
{
	bool paired = basis_is_paired(c->basis);
	struct unit_sides u = { paired ? old->unit : old->sorted.value,
		paired ? new->unit : new->sorted.value, old->units, new->units, paired,
		two_sample_test(c, opts) };

	if (c->basis == BASIS_NONE)
		return;
	if (old->sorted.limits || new->sorted.limits)
		measure_censored(c, old, new, opts);
	else
		measure_contrast(c, &u, opts);
}

void two_sample_measure(const struct collected *from_old, const struct collected *from_new,
    const struct two_sample_opts *opts, struct two_sample *out)
{
	struct sample_side old, new;

	*out = (struct two_sample)TWO_SAMPLE_NONE;
	two_sample_side_init(&old, from_old);
	two_sample_side_init(&new, from_new);
	two_sample_take(&old, &new, opts, out);
	two_sample_sort(&old);
	two_sample_sort(&new);
	measure_sorted(out, &old.sorted, &new.sorted, opts->location);
	measure_units(out, &old, &new, opts);
	two_sample_side_free(&old);
	two_sample_side_free(&new);
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
