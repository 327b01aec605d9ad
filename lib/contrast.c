/*
 * One comparison; see contrast.h. Samples of one run are not independent of each other
 * (they share the machine's mood), so where a side has several runs, a run is one value;
 * and where both sides went through the same run, block by block, what a block does to both
 * cancels out in pairs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrast.h"
#include "dist.h"
#include "infer.h"
#include "stats.h"

const char *const basis_names[] = { [BASIS_NONE] = "",
	[BASIS_BLOCK] = "block",
	[BASIS_RUN] = "run",
	[BASIS_SAMPLE] = "sample" };

const char *const verdict_names[] = { [VERDICT_UNSURE] = "unsure",
	[VERDICT_SAME] = "same",
	[VERDICT_BETTER] = "better",
	[VERDICT_WORSE] = "worse",
	[VERDICT_DIFFERS] = "differs" };

enum { RUNS_NEEDED_MAX = 1000000 };

struct sample {
	struct identity id;
	double value;
};

/* One side: its samples by identity, then the values that are compared. */
struct side {
	struct sample *sample;
	size_t samples, runs;
	bool unique; /* no identity stands twice */
	double *value;
	size_t n;
};

static int by_identity(const void *a, const void *b)
{
	const struct identity *x = &((const struct sample *)a)->id,
	                      *y = &((const struct sample *)b)->id;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->sample > y->sample) - (x->sample < y->sample);
}

static void side_init(struct side *s, const struct collected *from)
{
	*s = (struct side){ .samples = from ? from->count : 0, .unique = true };
	s->sample = mem_resize(NULL, s->samples + 1, sizeof(*s->sample));
	s->value = mem_resize(NULL, s->samples + 1, sizeof(*s->value));
	for (size_t i = 0; i < s->samples; i++)
		s->sample[i] = (struct sample){ from->identity[i], from->value[i] };
	qsort(s->sample, s->samples, sizeof(*s->sample), by_identity);
	for (size_t i = 0; i < s->samples; i++) {
		s->runs += i == 0 || s->sample[i].id.run != s->sample[i - 1].id.run;
		s->unique &= i == 0 || by_identity(&s->sample[i - 1], &s->sample[i]) != 0;
	}
}

static void side_free(struct side *s)
{
	free(s->sample);
	free(s->value);
}

/* The index behind the run that begins at `from`. */
static size_t run_end(const struct side *s, size_t from)
{
	size_t end = from;

	while (end < s->samples && s->sample[end].id.run == s->sample[from].id.run)
		end++;
	return end;
}

static bool same_runs(const struct side *a, const struct side *b)
{
	if (a->runs != b->runs || !a->runs)
		return false;
	for (size_t i = 0, j = 0; i < a->samples; i = run_end(a, i), j = run_end(b, j))
		if (a->sample[i].id.run != b->sample[j].id.run)
			return false;
	return true;
}

/* The values of both sides that stand in the same block, in the same order. */
static size_t take_blocks(struct side *a, struct side *b)
{
	for (size_t i = 0, j = 0; i < a->samples && j < b->samples;) {
		int order = by_identity(&a->sample[i], &b->sample[j]);

		if (order == 0) {
			a->value[a->n++] = a->sample[i].value;
			b->value[b->n++] = b->sample[j].value;
		}
		i += order <= 0;
		j += order >= 0;
	}
	return a->n;
}

static void take_runs(struct side *s, enum location location)
{
	double *of_run = mem_resize(NULL, s->samples + 1, sizeof(*of_run));

	for (size_t i = 0, end; i < s->samples; i = end) {
		end = run_end(s, i);
		for (size_t k = i; k < end; k++)
			of_run[k - i] = s->sample[k].value;
		stats_sort(of_run, end - i);
		s->value[s->n++] = location_of(location, of_run, end - i);
	}
	free(of_run);
}

static void take_samples(struct side *s)
{
	for (; s->n < s->samples; s->n++)
		s->value[s->n] = s->sample[s->n].value;
}

static enum basis take_values(struct side *old, struct side *new, enum location location)
{
	if (!old->samples || !new->samples) {
		take_samples(old);
		take_samples(new);
		return BASIS_NONE;
	}
	if (same_runs(old, new) && old->unique && new->unique && take_blocks(old, new))
		return BASIS_BLOCK;
	if (old->runs > 1 || new->runs > 1) {
		take_runs(old, location);
		take_runs(new, location);
		return BASIS_RUN;
	}
	take_samples(old);
	take_samples(new);
	return BASIS_SAMPLE;
}

/* Both sides are sorted. */
static void measure_sorted(struct contrast *c, const struct side *old,
    const struct side *new, enum location location)
{
	c->n_old = old->n;
	c->n_new = new->n;
	c->old = location_of(location, old->value, old->n);
	c->new = location_of(location, new->value, new->n);
	if (c->old > 0 && c->new >= 0)
		c->ratio = c->new / c->old;
	c->effect = infer_cliff_delta(old->value, old->n, new->value, new->n);
	c->can_differ = old->n && new->n &&
	                (old->value[0] != new->value[new->n - 1] ||
	                    new->value[0] != old->value[old->n - 1]);
}

void contrast_measure(const struct collected *from_old, const struct collected *from_new,
    const struct contrast_how *how, struct contrast *out)
{
	struct interval interval = { NAN, NAN };
	struct side old, new;

	*out =
	    (struct contrast){ .ratio = NAN, .p = NAN, .p_adj = NAN, .runs_needed = NAN };
	side_init(&old, from_old);
	side_init(&new, from_new);
	out->basis = take_values(&old, &new, how->location);
	if (out->basis == BASIS_BLOCK) {
		out->p = infer_signed_rank(old.value, new.value, old.n, &out->lean);
		bootstrap_pairs(how->location, old.value, new.value, old.n, how->confidence,
		    how->seed, &interval);
	}
	stats_sort(old.value, old.n);
	stats_sort(new.value, new.n);
	if (out->basis == BASIS_RUN || out->basis == BASIS_SAMPLE) {
		out->p = infer_rank_sum(old.value, old.n, new.value, new.n);
		bootstrap_sides(how->location, old.value, old.n, new.value, new.n,
		    how->confidence, how->seed, &interval);
	}
	measure_sorted(out, &old, &new, how->location);
	if (out->basis != BASIS_BLOCK)
		out->lean = (out->effect > 0) - (out->effect < 0);
	out->ratio_lo = interval.lo;
	out->ratio_hi = interval.hi;
	side_free(&old);
	side_free(&new);
}

size_t contrast_adjust(struct contrast *const *contrast, size_t count, enum adjust adjust)
{
	double *p = mem_resize(NULL, count + 1, sizeof(*p));
	size_t tests = 0;

	for (size_t i = 0; i < count; i++) {
		p[i] = contrast[i]->can_differ ? contrast[i]->p : NAN;
		tests += isnan(p[i]) ? 0 : 1;
	}
	adjust_p(adjust, p, count);
	for (size_t i = 0; i < count; i++)
		contrast[i]->p_adj = contrast[i]->can_differ ? p[i] : contrast[i]->p;
	free(p);
	return adjust == ADJUST_NONE ? 1 : tests;
}

static double margin_top(const struct contrast_how *how)
{
	return 1 + how->threshold;
}

static double margin_bottom(const struct contrast_how *how)
{
	return 1 / (1 + how->threshold);
}

/* 1 above the margin, -1 below it, 0 inside or unknown. */
static int beyond(const struct contrast *c, const struct contrast_how *how)
{
	return (c->ratio > margin_top(how)) - (c->ratio < margin_bottom(how));
}

/* A small p speaks for the ratio only where both lean to the same side: medians may fall
 * while most values rise. */
static enum verdict verdict_of(const struct contrast *c, const struct contrast_how *how)
{
	int side = beyond(c, how);
	bool enough = c->n_old >= BOOTSTRAP_LEAST && c->n_new >= BOOTSTRAP_LEAST;
	/* Of doubles, 1 - 0.95 is more than 0.05; the sum is exact there. */
	bool small = c->p_adj + how->confidence < 1;

	if (side && side == c->lean && small) {
		if (how->better == BETTER_NEITHER)
			return VERDICT_DIFFERS;
		return (side > 0) == (how->better == BETTER_LOWER) ? VERDICT_WORSE
		                                                   : VERDICT_BETTER;
	}
	if (c->ratio_lo >= margin_bottom(how) && c->ratio_hi <= margin_top(how))
		return VERDICT_SAME;
	return enough && !c->can_differ ? VERDICT_SAME : VERDICT_UNSURE;
}

/*
 * Errors shrink as the square root of n. Beyond the margin p must become small enough, even
 * under Bonferroni's correction: n (z needed / z now)^2. Inside it the interval's two arms
 * must shrink to reach no farther than the margin: n (longest arm / its room)^2.
 */
static double values_needed(
    const struct contrast *c, const struct contrast_how *how, size_t tests)
{
	double n = fmin((double)c->n_old, (double)c->n_new), factor;
	int side = beyond(c, how);

	if (side && side != c->lean)
		return NAN;
	if (side) {
		double alpha = (1 - how->confidence) / (double)(tests ? tests : 1);

		factor = dist_normal_quantile_above(alpha / 2) /
		         dist_normal_quantile_above(c->p / 2);
	} else {
		factor = fmax((c->ratio - c->ratio_lo) / (c->ratio - margin_bottom(how)),
		    (c->ratio_hi - c->ratio) / (margin_top(how) - c->ratio));
	}
	return n * factor * factor;
}

static double runs_needed(
    const struct contrast *c, const struct contrast_how *how, size_t tests)
{
	double n = fmin((double)c->n_old, (double)c->n_new), needed;
	bool few = n < BOOTSTRAP_LEAST; /* for an interval */

	if (n == 0 || isnan(c->ratio))
		return NAN;
	needed = values_needed(c, how, tests);
	if (few && !(needed >= BOOTSTRAP_LEAST && isfinite(needed)))
		needed = BOOTSTRAP_LEAST;
	if (isnan(needed))
		return NAN;
	needed = fmax(1, ceil(needed - n));
	return needed <= RUNS_NEEDED_MAX ? needed : NAN;
}

void contrast_judge(struct contrast *c, const struct contrast_how *how, size_t tests)
{
	c->verdict = verdict_of(c, how);
	c->runs_needed = c->verdict == VERDICT_UNSURE ? runs_needed(c, how, tests) : NAN;
}
