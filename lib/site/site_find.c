/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the changes of all series as bench-compare --history does, with its defaults, and
 * what follows from them; see site_model.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "site/site_model.h"
#include "stats/dist.h"
#include "stats/inference.h"
#include "stats/rank_interval.h"
#include "stats/stats.h"
#include "store/store_points.h"

enum { LEAST = 4, SERIES_A_THREAD = 8, COMMIT_LEAST = 4 };
#define THRESHOLD 0.02
/* Fewer degrees of freedom give no useful noise floor. */
#define FREEDOM_LEAST 4

const char *const site_verdict_names[SITE_VERDICTS] = {
	[SITE_SHORT] = "too short",
	[SITE_SAME] = "same",
	[SITE_BETTER] = "better",
	[SITE_WORSE] = "worse",
	[SITE_DIFFERS] = "differs",
};

/* Sets which series decide, as record/primary.h does. */
static void choose_deciding(struct site_model *m)
{
	struct intern benchmarks = { 0 };
	struct buf key = { 0 };

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < m->count; i++) {
			struct site_series *s = &m->series[i];
			struct text metric = s->name[SITE_METRIC];
			bool primary =
			    metrics_primary(m->metrics, metric, s->name[SITE_KIND]);

			key.len = 0;
			buf_text(&key, s->name[SITE_KIND]);
			buf_byte(&key, '\0');
			buf_text(&key, s->name[SITE_BENCH]);
			if (round)
				s->decides =
				    primary || intern_find(&benchmarks,
				                   text_in(&key)) < 0;
			else if (primary && !text_is(metric, "ok"))
				intern_add(&benchmarks, text_in(&key));
		}
	}
	intern_free(&benchmarks);
	buf_free(&key);
}

static void seed_factor(void *ctx, struct factor f)
{
	uint64_t *seed = ctx;

	*seed = series_change_seed(*seed, f.name, f.value);
}

/* Returns the seed of the names of a series, as lib/history does. */
static uint64_t seed_of(const struct site_series *s)
{
	static const char *const column[SITE_NAMES] = { [SITE_HOST] = "host",
		[SITE_KIND] = "kind",
		[SITE_BENCH] = "bench",
		[SITE_METRIC] = "metric",
		[SITE_UNIT] = "unit" };
	const struct inference_opts usual = INFERENCE_DEFAULTS;
	uint64_t seed = usual.seed;

	for (size_t i = 0; i < SITE_NAMES; i++)
		if (column[i])
			seed = series_change_seed(seed, text_of(column[i]), s->name[i]);
	site_factors(s, seed_factor, &seed);
	return seed;
}

static enum site_verdict verdict_of(const struct site_series *s, const struct change *c)
{
	if (s->better == BETTER_NEITHER)
		return SITE_DIFFERS;
	return (c->after > c->before) == (s->better == BETTER_LOWER) ? SITE_WORSE
	                                                             : SITE_BETTER;
}

/* Sets the ratio of a change, and its interval from the values up to its neighbors. */
static void measure_change(
    struct site_change *c, const double *x, size_t from, size_t to, double *sides)
{
	size_t at = c->change.at;
	struct contrast contrast = { .ratio = true };

	c->ratio = change_ratio(c->change.before, c->change.after);
	c->lo = c->hi = NAN;
	memcpy(sides, x + from, (to - from) * sizeof(*x));
	stats_sort(sides, at - from);
	stats_sort(sides + at - from, to - at);
	if (!(sides[0] > 0) || !(sides[at - from] > 0))
		return;
	rank_interval_sides(sides, at - from, sides + at - from, to - at,
	    1 - DEFAULT_CONFIDENCE, &contrast);
	c->lo = contrast.lo;
	c->hi = contrast.hi;
}

/* Converts what was found. The interval of a drift is that of its slope. */
static void take_changes(
    struct site_series *s, const struct series_changes *found, const double *x)
{
	double *sides = mem_zero(s->points + 1, sizeof(*sides));

	s->change = mem_zero(found->count + 1, sizeof(*s->change));
	if (found->drifts) {
		struct site_change *c = &s->change[s->changes++];
		double steps = (double)s->points - 1, first = found->drift.first;

		*c = (struct site_change){ .change = found->whole,
			.verdict = verdict_of(s, &found->whole),
			.drift = true };
		c->ratio = change_ratio(found->whole.before, found->whole.after);
		c->lo = c->hi = NAN;
		if (found->count == 0 && first > 0) {
			c->lo = 1 + found->drift.slope_lo * steps / first;
			c->hi = 1 + found->drift.slope_hi * steps / first;
		}
	}
	for (size_t i = 0; i < found->count; i++) {
		struct site_change *c = &s->change[s->changes++];
		size_t from = i ? found->change[i - 1].at : 0;
		size_t to = i + 1 < found->count ? found->change[i + 1].at : s->points;

		*c = (struct site_change){ .change = found->change[i],
			.verdict = verdict_of(s, &found->change[i]) };
		measure_change(c, x, from, to, sides);
		if (found->drifts) /* the sides are not at one level */
			c->lo = c->hi = NAN;
	}
	free(sides);
}

/* Returns the variance of the logarithms about the mean of their level. */
static double variance_of_levels(
    const double *logs, size_t n, const struct site_series *s, double *freedom)
{
	double squares = 0;

	*freedom = (double)n;
	for (size_t i = 0; i <= s->changes; i++) {
		size_t from = i ? s->change[i - 1].change.at : 0;
		size_t to = i < s->changes ? s->change[i].change.at : n;
		double mean = stats_mean(logs + from, to - from);

		for (size_t k = from; k < to; k++)
			squares += (logs[k] - mean) * (logs[k] - mean);
		*freedom -= 1;
	}
	return squares / *freedom;
}

/* Returns half of the mean square of the differences of adjacent values, which a drift
 * does not change. */
static double variance_of_steps(const double *logs, size_t n, double *freedom)
{
	double squares = 0;

	for (size_t i = 1; i < n; i++)
		squares += (logs[i] - logs[i - 1]) * (logs[i] - logs[i - 1]);
	*freedom = (double)(n - 1);
	return squares / 2 / *freedom;
}

/*
 * Sets the noise floor: the prediction bound of the difference of two points at one level,
 * t s sqrt(2) as in compare/noise_floor.h, from the points instead of the runs of a commit.
 */
static void find_floor(struct site_series *s, const double *x)
{
	size_t n = s->points;
	double *logs = mem_zero(n + 1, sizeof(*logs)), freedom, variance;
	bool positive = true;

	s->floor = NAN;
	for (size_t i = 0; i < n; i++) {
		positive = positive && x[i] > 0;
		logs[i] = log(x[i]);
	}
	if (positive && n > FREEDOM_LEAST) {
		variance = s->changes && s->change[0].drift
		               ? variance_of_steps(logs, n, &freedom)
		               : variance_of_levels(logs, n, s, &freedom);
		if (freedom >= FREEDOM_LEAST)
			s->floor = expm1(dist_student_quantile_above(
			                     (1 - DEFAULT_CONFIDENCE) / 2, freedom) *
			                 sqrt(2 * variance));
	}
	free(logs);
}

/* Finds the point of --since: the last one at a named place. */
static void find_base(const struct site_model *m, struct site_series *s)
{
	s->base = SIZE_MAX;
	for (size_t i = 0; m->since && i < s->points; i++)
		if (m->since[s->point[i].place])
			s->base = i;
}

static void find_verdict(struct site_series *s)
{
	s->verdict = s->tested ? SITE_SAME : SITE_SHORT;
	for (size_t i = 0; i < s->changes; i++) {
		const struct site_change *c = &s->change[i];
		bool after = s->base == SIZE_MAX || c->change.at > s->base;

		if (after && (!s->latest || c->change.at >= s->latest->change.at))
			s->latest = c;
	}
	/* A step at the last points counts more than a drift, which ends there always. */
	if (s->latest && s->latest->drift && s->changes > 1 &&
	    (s->base == SIZE_MAX || s->change[s->changes - 1].change.at > s->base))
		s->latest = &s->change[s->changes - 1];
	if (s->latest)
		s->verdict = s->latest->verdict;
}

static void find_series(void *ctx, size_t thread, size_t i)
{
	struct site_model *m = ctx;
	struct site_series *s = &m->series[i];
	double *x = mem_zero(s->points + 1, sizeof(*x));

	(void)thread;
	for (size_t k = 0; k < s->points; k++)
		x[k] = s->point[k].value;
	if (s->tested) {
		struct series_change_opts opts = { .confidence = DEFAULT_CONFIDENCE,
			.threshold = THRESHOLD,
			.least = LEAST,
			.tests = m->tests[s->decides],
			.seed = seed_of(s) };
		struct series_changes found;

		series_changes_find(x, s->points, &opts, &found);
		take_changes(s, &found, x);
		free(found.change);
	}
	find_floor(s, x);
	find_base(m, s);
	find_verdict(s);
	free(x);
}

void site_model_find(struct site_model *m)
{
	for (size_t i = 0; i < m->count; i++)
		m->series[i].better = metrics_better(m->metrics,
		    m->series[i].name[SITE_METRIC], m->series[i].name[SITE_UNIT]);
	choose_deciding(m);
	for (size_t i = 0; i < m->count; i++) {
		struct site_series *s = &m->series[i];

		s->tested = s->points >= 2 * LEAST;
		m->tests[s->decides] += s->tested;
	}
	parallel_each(
	    parallel_threads(m->count, SERIES_A_THREAD), m->count, find_series, m);
}

double site_since_ratio(const struct site_series *s)
{
	return s->base == SIZE_MAX
	           ? (double)NAN
	           : change_ratio(s->point[s->base].value, site_last(s)->value);
}

/* Marks the commits of a tag, if it is the one of --since. */
struct tag_search {
	struct site_model *model;
	bool found;
};

static void mark_tagged(void *ctx, struct text tag, struct text commit)
{
	struct tag_search *t = ctx;

	if (!text_is(tag, t->model->opts->since))
		return;
	t->found = true;
	for (size_t i = 0; i < t->model->places; i++)
		if (commit.len && text_equal(t->model->place[i].commit, commit))
			t->model->since[i] = true;
}

/* Marks the commit that a string names or abbreviates. 0 or -1. */
static int mark_commit(struct site_model *m, struct text name, struct fault *f)
{
	size_t found = 0;

	for (size_t i = 0; i < m->places && name.len >= COMMIT_LEAST; i++) {
		struct text commit = m->place[i].commit;

		if (commit.len >= name.len && memcmp(commit.ptr, name.ptr, name.len) == 0) {
			m->since[i] = true;
			found++;
		}
	}
	if (found > 1)
		return fault_set(
		    f, "--since %s: %zu commits begin with it", name.ptr, found);
	return found ? 0
	             : fault_set(f,
	                   "--since %s: the store has neither such a tag nor such "
	                   "a commit",
	                   name.ptr);
}

int site_model_since(struct site_model *m, struct store *store, struct fault *f)
{
	struct tag_search t = { .model = m };

	if (!m->opts->since)
		return 0;
	m->since = mem_zero(m->places + 1, sizeof(*m->since));
	if (store_points_tags(store, mark_tagged, &t, f) < 0)
		return -1;
	return t.found ? 0 : mark_commit(m, text_of(m->opts->since), f);
}
