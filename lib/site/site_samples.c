/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the samples of the newest run of each series; see site_model.h.
 */
#include <stdlib.h>

#include "site/site_model.h"
#include "stats/stats.h"

enum { SAMPLES_LEAST = 5 };

struct samples_reading {
	struct site_model *model;
	struct site_series **by_number; /* in the cache */
	uint32_t visit;
};

/* Adds samples to a series, which has several results in a run that measured it twice. */
static void add_samples(
    void *ctx, const struct store_point *p, const double *value, size_t count)
{
	struct samples_reading *r = ctx;
	long number = site_cache_find(&r->model->cache, p);
	struct site_series *s = number < 0 ? NULL : r->by_number[number];

	if (!s || site_last(s)->visit != r->visit)
		return;
	s->sample = mem_resize(s->sample, s->samples + count + 1, sizeof(*s->sample));
	memcpy(s->sample + s->samples, value, count * sizeof(*value));
	s->samples += count;
}

int site_model_samples(struct site_model *m, struct store *store, struct fault *f)
{
	struct samples_reading r = { .model = m };
	bool *newest = mem_zero(m->cache.visits + 1, sizeof(*newest));
	int status = 0;

	r.by_number = mem_zero(m->cache.series.count + 1, sizeof(struct site_series *));
	for (size_t i = 0; i < m->count; i++) {
		const struct site_point *last = site_last(&m->series[i]);

		r.by_number[m->series[i].number] = &m->series[i];
		if (last->runs == 1 && last->n >= SAMPLES_LEAST)
			newest[last->visit] = true;
	}
	for (size_t i = 0; i < m->cache.visits && status == 0; i++) {
		r.visit = (uint32_t)i;
		if (newest[i])
			status = store_points_samples(store, text_of(m->cache.visit[i].run),
			    SAMPLES_LEAST, add_samples, &r, f);
	}
	for (size_t i = 0; i < m->count; i++)
		if (m->series[i].samples)
			stats_sort(m->series[i].sample, m->series[i].samples);
	free(r.by_number);
	free(newest);
	return status;
}
