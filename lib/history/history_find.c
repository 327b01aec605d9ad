/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the changes and drifts of all series, several series at a time; see history.h.
 */
#include <stdlib.h>

#include "base/parallel.h"
#include "history/history_priv.h"
#include "history/series_change.h"

enum { SERIES_A_THREAD = 8 };

/* Derives the seed from the names of a series, so that it does not depend on other series.
 */
static uint64_t seed_of(const struct history *h, size_t group)
{
	const struct schema *schema = groups_schema(h->groups);
	struct text *cell = mem_zero(schema->count, sizeof(*cell));
	uint64_t seed = h->opts.inference.seed;

	groups_cells(h->groups, group, cell);
	for (size_t i = 0; i < schema->count; i++)
		seed = series_change_seed(seed, text_of(schema->name[i]), cell[i]);
	free(cell);
	return seed;
}

static void find_series(
    struct history *h, struct history_series *s, bool but_last, double tests)
{
	size_t count = s->count - but_last;
	double *x = mem_zero(count + 1, sizeof(*x));
	struct series_change_opts opts = {
		.confidence = h->opts.inference.confidence,
		.threshold = s->threshold,
		.least = h->opts.least,
		.window = h->opts.window,
		.tests = tests,
		.seed = seed_of(h, s->group),
	};
	struct series_changes found;

	for (size_t i = 0; i < count; i++)
		x[i] = h->point[s->first + i].value;
	series_changes_find(x, count, &opts, &found);
	s->change = found.change;
	s->changes = found.count;
	s->drifts = found.drifts;
	s->drift = found.drift;
	s->whole = found.whole;
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

bool history_worse(const struct history_series *s, const struct change *c)
{
	return s->better == BETTER_LOWER
	           ? c->after > c->before
		   : s->better == BETTER_HIGHER && c->after < c->before;
}
