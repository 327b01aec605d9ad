/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the changes and drifts of all series, several series at a time; see history.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "history/history_priv.h"

enum { PERMUTATIONS = 999, SERIES_A_THREAD = 8 };

/* Derives the seed from the names of a series, so that it does not depend on other series.
 */
static uint64_t seed_of(const struct history *h, size_t group)
{
	const struct schema *schema = groups_schema(h->groups);
	struct text *cell = mem_zero(schema->count, sizeof(*cell));
	uint64_t hash = h->opts.inference.seed;

	groups_cells(h->groups, group, cell);
	for (size_t i = 0; i < schema->count; i++)
		if (cell[i].len)
			hash += text_hash(cell[i], text_hash(text_of(schema->name[i]), 0));
	free(cell);
	return hash;
}

/*
 * Replaces steps that only approximate a drift. A drift within the margin is ignored; steps
 * within the margin that remain in addition to a drift are removed.
 */
static void find_drift(
    struct history *h, struct history_series *s, const double *x, size_t n)
{
	struct change *step = mem_zero(s->changes + 1, sizeof(*step));
	double margin = log1p(s->threshold), moved;
	size_t kept = 0;

	memcpy(step, s->change, s->changes * sizeof(*step));
	if (!drift_find(x, n, h->opts.least, h->opts.inference.confidence, step, s->changes,
	        &s->drift)) {
		free(step);
		return;
	}
	moved = fabs(log(change_ratio(s->drift.first, s->drift.last)));
	s->drifts = isnan(moved) || moved > margin;
	for (size_t i = 0; s->drifts && i < s->drift.steps; i++) {
		moved = fabs(log(change_ratio(step[i].before, step[i].after)));
		if (isnan(moved) || moved > margin)
			s->change[kept++] = step[i];
	}
	if (s->drifts) {
		s->changes = kept;
		s->whole = (struct change){ .at = n - 1,
			.p = s->drift.p,
			.before = s->drift.first,
			.after = s->drift.last };
	}
	free(step);
}

static void find_series(
    struct history *h, struct history_series *s, bool but_last, double tests)
{
	size_t count = s->count - but_last;
	double *x = mem_zero(count + 1, sizeof(*x));
	struct change_opts opts = {
		.alpha = (1 - h->opts.inference.confidence) / tests,
		.threshold = s->threshold,
		.least = h->opts.least,
		.window = h->opts.window,
		.permutations = PERMUTATIONS,
		.seed = seed_of(h, s->group),
	};

	for (size_t i = 0; i < count; i++)
		x[i] = h->point[s->first + i].value;
	s->change = mem_zero(count / opts.least + 1, sizeof(*s->change));
	s->changes = change_find(x, count, &opts, s->change);
	find_drift(h, s, x, count);
	for (size_t i = 0; i < s->changes; i++)
		s->change[i].p = fmin(1, s->change[i].p * tests);
	s->whole.p = fmin(1, s->whole.p * tests);
	free(x);
}

struct finding {
	struct history *history;
	bool but_last;
	double tests[2]; /* by whether the series decide */
};

static void find_one(void *ctx, size_t thread, size_t i)
{
	struct finding *f = ctx;
	struct history_series *s = &f->history->series[i];

	(void)thread;
	if (s->tested)
		find_series(f->history, s, f->but_last, f->tests[s->decides]);
}

size_t history_tests(const struct history *h, bool decides)
{
	size_t tests = 0;

	for (size_t i = 0; i < h->count; i++)
		tests += h->series[i].tested && h->series[i].decides == decides;
	return h->opts.tests ? h->opts.tests : tests;
}

void history_find(struct history *h, bool but_last)
{
	struct finding finding = { .history = h, .but_last = but_last };

	for (size_t i = 0; i < h->count; i++) {
		h->series[i].tested = h->series[i].count - but_last >= 2 * h->opts.least;
	}
	for (int decides = 0; decides < 2; decides++)
		finding.tests[decides] = (double)history_tests(h, decides);
	parallel_each(
	    parallel_threads(h->count, SERIES_A_THREAD), h->count, find_one, &finding);
}
