/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the statistics of series; see store_summary.h.
 */
#include <math.h>

#include "stats/inference.h"
#include "stats/stats.h"
#include "store/store_summary.h"

const struct store_statistic store_statistics[STORE_STATISTICS] = {
	{ "n", true },
	{ "failed", true },
	{ "mean", false },
	{ "sd", false },
	{ "min", false },
	{ "p5", false },
	{ "median", false },
	{ "p95", false },
	{ "max", false },
	{ "mad", false },
	{ "ci_lo", false },
	{ "ci_hi", false },
	{ "n_censored", true },
	{ "p90", false },
	{ "p99", false },
	{ "p999", false },
	{ "p9999", false },
};

int store_summary_begin(struct store_summary *s, struct text metric, struct fault *f)
{
	const int each = each_metrics_has(&s->metrics, metric, f);

	if (s->collect)
		collect_reset(s->collect);
	else
		s->collect = collect_open(NULL, 0);
	s->each = each > 0;
	s->rows = 0;
	return each < 0 ? -1 : 0;
}

void store_summary_count(struct store_summary *s, const struct intern *texts,
    const struct pack_row *rows, size_t count)
{
	struct text cell[COL_FACTORS] = { 0 };

	s->rows += count;
	for (size_t i = 0; i < count; i++) {
		struct row row = { .cell = cell,
			.process = rows[i].process,
			.sample = rows[i].sample,
			.t = rows[i].t,
			.each = s->each,
			.value = rows[i].value,
			.has_value = !isnan(rows[i].value) };

		cell[COL_STATUS] = intern_text(texts, rows[i].status);
		row.ok = !cell[COL_STATUS].len || text_is(cell[COL_STATUS], "ok");
		collect_into(s->collect, 0, &row);
	}
}

void store_summary_finish(struct store_summary *s, double value[STORE_STATISTICS])
{
	struct collected *c;
	struct summary summary;

	collect_finish(s->collect);
	c = collect_group(s->collect, 0);
	stats_summarize(c->value, c->count, DEFAULT_CONFIDENCE, &summary);
	summary.failed = (double)c->missing->failed;
	for (size_t i = s->found[0] ? 0 : STORE_STATISTICS; i-- > 0;)
		s->found[i] = statistic_find(text_of(store_statistics[i].name));
	for (size_t i = 0; i < STORE_STATISTICS; i++)
		/* bench-stat has all of them except n_censored. */
		value[i] = s->found[i] ? statistic_get(s->found[i], &summary)
		                       : (double)c->missing->censored;
}

void store_summary_free(struct store_summary *s)
{
	collect_close(s->collect);
	s->collect = NULL;
	each_metrics_free(&s->metrics);
}
