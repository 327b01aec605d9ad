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
#include "stats/dist.h"
#include "stats/hodges_lehmann.h"
#include "stats/infer.h"
#include "stats/least_p.h"
#include "stats/stats.h"

const char *const basis_names[] = { [BASIS_NONE] = "",
	[BASIS_BLOCK] = "block",
	[BASIS_RUN] = "run",
	[BASIS_PROCESS] = "process",
	[BASIS_SAMPLE] = "sample",
	[BASIS_RUN_PAIR] = "run-pair",
	[BASIS_PROCESS_PAIR] = "process-pair" };

const char *const verdict_names[] = { [VERDICT_UNSURE] = "unsure",
	[VERDICT_SAME] = "same",
	[VERDICT_BETTER] = "better",
	[VERDICT_WORSE] = "worse",
	[VERDICT_DIFFERS] = "differs" };

enum { RUNS_NEEDED_MAX = 1000000, CHANCE_PERCENT = 80 };

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
	if (c->old > 0 && c->new >= 0 && isfinite(c->new / c->old))
		c->ratio = c->new / c->old;
	c->effect = infer_cliff_delta(old->unit, m, new->unit, n);
	c->can_differ =
	    m && n &&
	    (old->unit[0] != new->unit[n - 1] || new->unit[0] != old->unit[m - 1]);
}

static const struct infer_test *test_of(const struct two_sample_opts *opts)
{
	return opts->inference.test ? opts->inference.test : &infer_tests[0];
}

/* Fills the fields that need the units in pairs, sorts the units, and tests sides. */
static void measure_units(struct two_sample *c, struct sample_side *old,
    struct sample_side *new, const struct two_sample_opts *opts)
{
	const struct infer_test *test = test_of(opts);
	size_t m = old->hierarchy.units, n = new->hierarchy.units;

	c->test = c->basis == BASIS_NONE ? NULL : test->name;
	if (basis_is_paired(c->basis)) {
		c->p = test->pairs(old->unit, new->unit, n, &c->lean);
		if (opts->shift)
			c->shift = hodges_lehmann_pairs(old->unit, new->unit, n);
	}
	stats_sort(old->unit, m);
	stats_sort(new->unit, n);
	if (basis_is_paired(c->basis) || c->basis == BASIS_NONE)
		return;
	c->p = test->sides(old->unit, m, new->unit, n, &c->lean);
	if (opts->shift)
		c->shift = hodges_lehmann_sides(old->unit, m, new->unit, n);
}

static void measure_interval(struct two_sample *c, const struct sample_side *old,
    const struct sample_side *new, const struct two_sample_opts *opts,
    struct bootstrap *bootstrap)
{
	const struct inference_opts *inference = &opts->inference;
	struct interval interval = { NAN, NAN };

	if (basis_is_paired(c->basis))
		bootstrap_pairs(
		    bootstrap, &old->hierarchy, &new->hierarchy, inference, &interval);
	else if (c->basis != BASIS_NONE)
		bootstrap_sides(
		    bootstrap, &old->hierarchy, &new->hierarchy, inference, &interval);
	if (!isfinite(interval.hi))
		interval = (struct interval){ NAN, NAN };
	c->ratio_lo = interval.lo;
	c->ratio_hi = interval.hi;
}

void two_sample_measure(const struct collected *from_old, const struct collected *from_new,
    const struct two_sample_opts *opts, struct bootstrap *bootstrap, struct two_sample *out)
{
	struct sample_side old, new;

	*out = (struct two_sample){
		.ratio = NAN, .p = NAN, .p_adj = NAN, .runs_needed = NAN, .shift = NAN
	};
	side_init(&old, from_old);
	side_init(&new, from_new);
	out->basis = take_values(&old, &new, opts->location);
	measure_units(out, &old, &new, opts);
	measure_sorted(out, &old, &new, opts->location);
	measure_interval(out, &old, &new, opts, bootstrap);
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

static double margin_top(const struct two_sample_opts *opts)
{
	return 1 + opts->threshold;
}

static double margin_bottom(const struct two_sample_opts *opts)
{
	return 1 / (1 + opts->threshold);
}

/*
 * Returns 1 if the ratio is above the margin, -1 if it is below, otherwise 0. Without a
 * ratio, as when the old value is 0 and the new one is not, any difference is beyond the
 * margin.
 */
static int beyond(const struct two_sample *c, const struct two_sample_opts *opts)
{
	if (isnan(c->ratio))
		return (c->new > c->old) - (c->new < c->old);
	return (c->ratio > margin_top(opts)) - (c->ratio < margin_bottom(opts));
}

/* Returns the verdict. A small p supports the ratio only if both have the same direction,
 * because the median may fall while most values rise. */
static enum verdict verdict_of(
    const struct two_sample *c, const struct two_sample_opts *opts)
{
	int side = beyond(c, opts);
	size_t least = bootstrap_least(opts->inference.confidence);
	bool enough = c->n_old >= least && c->n_new >= least;
	/* As doubles, 1 - 0.95 is more than 0.05; this sum is exact. */
	bool small = c->p_adj + opts->inference.confidence < 1;

	if (side && side == c->lean && small) {
		if (opts->better == BETTER_NEITHER)
			return VERDICT_DIFFERS;
		return (side > 0) == (opts->better == BETTER_LOWER) ? VERDICT_WORSE
		                                                    : VERDICT_BETTER;
	}
	if (c->ratio_lo >= margin_bottom(opts) && c->ratio_hi <= margin_top(opts))
		return VERDICT_SAME;
	return enough && !c->can_differ ? VERDICT_SAME : VERDICT_UNSURE;
}

/*
 * Predicts the effect of more values. With x more on each side, errors shrink by
 * k = sqrt((1/m + 1/n) / (1/(m + x) + 1/(n + x))).
 */
struct prospect {
	const struct two_sample *c;
	double z, z_needed; /* normal deviates of p and of the level */
	double log_ratio;   /* absolute value */
	double error,
	    z_ends;    /* error of log_ratio (or NAN); the ends are z_ends errors away */
	double margin; /* as a logarithm */
	size_t least;  /* values that an interval needs */
	bool beyond;
};

static double below(double z)
{
	return dist_normal_above(-z);
}

/*
 * Returns the probability of a verdict with more values, if the ratio and its spread are as
 * measured. Beyond the margin, p must be small enough and the ratio must stay there. Within
 * it, both ends of the interval must be within it.
 */
static double chance_with(const struct prospect *p, double more)
{
	double m = (double)p->c->n_old, n = (double)p->c->n_new;
	double k = sqrt((1 / m + 1 / n) / (1 / (m + more) + 1 / (n + more)));
	double sooner = (p->margin - p->log_ratio) * k / p->error - p->z_ends;
	double later = (p->margin + p->log_ratio) * k / p->error - p->z_ends;

	if (p->beyond)
		return below(fmin(p->z * k - p->z_needed,
		    isnan(p->error) ? INFINITY
		                    : (p->log_ratio - p->margin) * k / p->error));
	return below(sooner) + below(later) - 1;
}

static bool can_tell(const struct prospect *p, double more)
{
	bool few = fmin((double)p->c->n_old, (double)p->c->n_new) + more < (double)p->least;

	return !few && chance_with(p, more) >= CHANCE_PERCENT / 100.0;
}

static double more_needed(const struct prospect *p)
{
	double low = 0, high = 1;

	while (high < RUNS_NEEDED_MAX && !can_tell(p, high))
		high *= 2;
	if (!can_tell(p, high))
		return NAN;
	while (high - low > 1) {
		double middle = floor((low + high) / 2);

		if (can_tell(p, middle))
			high = middle;
		else
			low = middle;
	}
	return high <= RUNS_NEEDED_MAX ? high : NAN;
}

static double runs_needed(
    const struct two_sample *c, const struct two_sample_opts *opts, size_t tests)
{
	double alpha = (1 - opts->inference.confidence) / (double)(tests ? tests : 1);
	double least = fmin((double)c->n_old, (double)c->n_new);
	struct prospect p = {
		.c = c,
		.z = dist_normal_quantile_above(c->p / 2),
		.z_needed = dist_normal_quantile_above(alpha / 2),
		.log_ratio = fabs(log(c->ratio)),
		.z_ends = dist_normal_quantile_above((1 - opts->inference.confidence) / 2),
		.margin = log(margin_top(opts)),
		.least = bootstrap_least(opts->inference.confidence),
		.beyond = beyond(c, opts) != 0,
	};

	if (least == 0 || !isfinite(p.log_ratio) ||
	    (p.beyond && beyond(c, opts) != c->lean))
		return NAN;
	p.error = log(c->ratio_hi / c->ratio_lo) / 2 / p.z_ends;
	if (!p.beyond && isnan(p.error))
		return (double)p.least > least ? (double)p.least - least : NAN;
	return more_needed(&p);
}

/* Many rows of a table have the same numbers of values, so the last result is cached. */
static size_t values_least(
    const struct two_sample *c, const struct two_sample_opts *opts, size_t tests)
{
	static _Thread_local struct {
		bool paired;
		size_t m, n, tests, least;
		double confidence;
		const struct infer_test *test;
	} kept;
	bool paired = basis_is_paired(c->basis);
	const struct infer_test *test = test_of(opts);

	if (kept.test != test || kept.paired != paired || kept.m != c->n_old ||
	    kept.n != c->n_new || kept.tests != tests ||
	    kept.confidence != opts->inference.confidence) {
		kept.test = test;
		kept.paired = paired;
		kept.m = c->n_old;
		kept.n = c->n_new;
		kept.tests = tests;
		kept.confidence = opts->inference.confidence;
		kept.least = least_p_values(
		    test, paired, c->n_old, c->n_new, tests, kept.confidence);
	}
	return kept.least;
}

void two_sample_judge(
    struct two_sample *c, const struct two_sample_opts *opts, size_t tests)
{
	c->verdict = verdict_of(c, opts);
	c->runs_needed = c->verdict == VERDICT_UNSURE ? runs_needed(c, opts, tests) : NAN;
	c->values_least = c->verdict == VERDICT_UNSURE && c->basis != BASIS_NONE
	                      ? values_least(c, opts, tests ? tests : 1)
	                      : 0;
}
