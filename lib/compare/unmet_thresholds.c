/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the lines of the thresholds that demand a decision about a metric without values;
 * see compare_is_unmet(). The metrics are listed once for each benchmark, so that a line
 * does not have to look at all rows. A pattern without special characters is looked up.
 */
#include <stdlib.h>

#include "compare/compare_priv.h"

/* The metrics of a benchmark that have values. */
struct bench_metrics {
	size_t *metric; /* numbers of metrics, perhaps several times */
	size_t count;
};

struct unmet {
	struct intern benches, metrics;
	struct bench_metrics *of; /* by bench */
	size_t count, cap;
};

static void add_comparison(
    struct unmet *u, const struct compare *c, const struct comparison *row)
{
	size_t bench = intern_add(&u->benches, compare_bench(c, row->group, row->side));
	struct bench_metrics *of;

	if (bench == u->count)
		*VEC_ADD(u->of, u->count, u->cap) = (struct bench_metrics){ 0 };
	of = &u->of[bench];
	if (row->result.n_old || row->result.n_new)
		*VEC_ADD_MANY(of->metric, of->count) =
		    intern_add(&u->metrics, groups_cell(c->groups, row->group, COL_METRIC));
}

struct unmet *unmet_open(const struct compare *c)
{
	struct unmet *u = mem_zero(1, sizeof(*u));

	for (size_t i = 0; i < c->count; i++)
		add_comparison(u, c, &c->list[i]);
	return u;
}

/* Returns whether any metric of a benchmark fits a line. */
static bool has_metric(
    const struct unmet *u, const struct bench_metrics *of, const struct threshold *rule)
{
	for (size_t i = 0; i < of->count; i++)
		if (threshold_fits_metric(rule, intern_text(&u->metrics, of->metric[i])))
			return true;
	return false;
}

static bool is_unmet(const struct unmet *u, const struct threshold *rule)
{
	struct text only = threshold_only_bench(rule);
	long bench = only.len ? intern_find(&u->benches, only) : -1;
	bool any = false;

	if (only.len)
		return bench >= 0 && !has_metric(u, &u->of[bench], rule);
	for (size_t i = 0; i < u->count; i++) {
		if (!threshold_fits_bench(rule, intern_text(&u->benches, i)))
			continue;
		any = true;
		if (has_metric(u, &u->of[i], rule))
			return false;
	}
	return any;
}

void unmet_close(struct unmet *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->count; i++)
		free(u->of[i].metric);
	free(u->of);
	intern_free(&u->benches);
	intern_free(&u->metrics);
	free(u);
}

bool compare_is_unmet(const struct compare *c, const struct threshold *rule)
{
	return !c->opts.all_decides && threshold_demands(rule) && is_unmet(c->unmet, rule);
}
