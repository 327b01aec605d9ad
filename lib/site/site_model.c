/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See site_model.h. The results of all runs are distributed to their series, run by run in
 * the order of time, and then the results of a series at one commit are pooled.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "record/metric_filter.h"
#include "site/site_model.h"
#include "stats/stats.h"

enum { PAGE_SERIES_MOST = 32, SLUG_MOST = 40, SERIES_A_THREAD = 8 };

/* Numbers the places in the order of the visits. */
static void make_places(struct site_model *m)
{
	const struct site_cache *c = &m->cache;
	struct intern known = { 0 };
	struct buf key = { 0 };

	m->place = mem_zero(c->visits + 1, sizeof(*m->place));
	m->place_of = mem_zero(c->visits + 1, sizeof(*m->place_of));
	for (size_t i = 0; i < c->visits; i++) {
		const struct site_visit *v = &c->visit[i];
		size_t number;

		key.len = 0;
		buf_printf(
		    &key, "%c%s", *v->commit ? 'c' : 'r', *v->commit ? v->commit : v->run);
		number = intern_add(&known, text_in(&key));
		m->place_of[i] = (uint32_t)number;
		if (number == m->places)
			m->place[m->places++] = (struct site_place){ text_of(v->commit),
				text_of(v->run), text_of(v->at) };
	}
	intern_free(&known);
	buf_free(&key);
}

/* Counts the results of each series of the cache. Returns an array, allocated. */
static size_t *count_entries(const struct site_cache *c)
{
	size_t *count = mem_zero(c->series.count + 1, sizeof(*count));

	for (size_t i = 0; i < c->visits; i++) {
		const struct site_entry *e = site_cache_entries(c, &c->visit[i]);

		for (size_t k = 0; k < c->visit[i].entries; k++)
			count[e[k].series]++;
	}
	return count;
}

/* Makes the series that have results and a selected metric. count: of the results. */
static void make_series(
    struct site_model *m, struct metric_filter *filter, const size_t *count)
{
	const struct site_cache *c = &m->cache;

	m->series = mem_zero(c->series.count + 1, sizeof(*m->series));
	for (size_t i = 0; i < c->series.count; i++) {
		struct site_series *s = &m->series[m->count];

		if (!count[i])
			continue;
		site_cache_names(c, i, s->name);
		if (!metric_filter_selects(filter, s->name[SITE_METRIC]) ||
		    site_profile_take(m, i, s->name))
			continue;
		s->number = i;
		site_id(s->id, intern_text(&c->series, i), 0);
		m->count++;
	}
	qsort(m->series, m->count, sizeof(*m->series), site_series_order);
}

/* Distributes the results to the series, which keeps the order of time. */
static void distribute(struct site_model *m, const size_t *count)
{
	const struct site_cache *c = &m->cache;
	struct site_series **by_number =
	    mem_zero(c->series.count + 1, sizeof(struct site_series *));
	size_t total = 0;

	for (size_t i = 0; i < m->count; i++) {
		by_number[m->series[i].number] = &m->series[i];
		total += count[m->series[i].number];
	}
	m->points = mem_resize(NULL, total + 1, sizeof(*m->points));
	total = 0;
	for (size_t i = 0; i < m->count; i++) {
		m->series[i].point = m->points + total;
		total += count[m->series[i].number];
	}
	for (size_t i = 0; i < c->visits; i++) {
		const struct site_entry *e = site_cache_entries(c, &c->visit[i]);

		for (size_t k = 0; k < c->visit[i].entries; k++) {
			struct site_series *s = by_number[e[k].series];

			if (s)
				s->point[s->points++] =
				    (struct site_point){ e[k].value, e[k].lo, e[k].hi,
					    e[k].n, (uint32_t)i, m->place_of[i], 1 };
		}
	}
	free(by_number);
}

static int by_place(const void *a, const void *b)
{
	const struct site_point *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->visit > y->visit) - (x->visit < y->visit);
}

static int by_visit(const void *a, const void *b)
{
	const struct site_point *x = a, *y = b;

	return (x->visit > y->visit) - (x->visit < y->visit);
}

/* Pools `count` results at one place into the first. */
static void pool_place(struct site_point *p, size_t count)
{
	double *value = mem_zero(count, sizeof(*value));

	for (size_t i = 0; i < count; i++) {
		value[i] = p[i].value;
		p->n += i ? p[i].n : 0;
	}
	stats_sort(value, count);
	p->value = stats_quantile(value, count, 0.5);
	p->lo = p->hi = (float)NAN;
	p->runs = (uint32_t)count;
	free(value);
}

/* Returns whether each point is at a later place than the one before it, as usual. */
static bool in_order_of_places(const struct site_series *s)
{
	for (size_t i = 1; i < s->points; i++)
		if (s->point[i].place <= s->point[i - 1].place)
			return false;
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Returns the places that have values, in ascending order, allocated. */
static uint32_t *places_of(const struct site_series *s)
{
	uint32_t *place = mem_zero(s->points + 1, sizeof(*place));

	for (size_t i = 0; i < s->points; i++)
		place[i] = s->point[i].place;
	qsort(place, s->points, sizeof(*place), by_number);
	return place;
}

/* Moves results without a value after the others, in their order. Returns the number of
 * the others. */
static size_t part_valueless(struct site_series *s)
{
	struct site_point *without = mem_zero(s->points, sizeof(*without));
	size_t kept = 0, gaps = 0;

	for (size_t i = 0; i < s->points; i++)
		if (isfinite(s->point[i].value))
			s->point[kept++] = s->point[i];
		else
			without[gaps++] = s->point[i];
	for (size_t i = 0; i < gaps; i++)
		s->point[kept + i] = without[i];
	free(without);
	return kept;
}

/* Keeps, of results without a value, one at each place that has no value, after the points.
 */
static void keep_gaps(struct site_series *s, struct site_point *from, size_t count)
{
	struct site_point *gap = s->point + s->points;
	uint32_t *valued = count ? places_of(s) : NULL;
	size_t at = 0;

	qsort(from, count, sizeof(*from), by_place);
	for (size_t i = 0; i < count; i++) {
		if (i && from[i].place == from[i - 1].place)
			continue;
		while (at < s->points && valued[at] < from[i].place)
			at++;
		if (at == s->points || valued[at] != from[i].place)
			gap[s->gaps++] = from[i];
	}
	free(valued);
}

/* Pools results at one place, and separates those without a value. */
static void pool_series(struct site_series *s)
{
	size_t all = s->points, valued, kept = 0;

	if (s->points && isnan(site_last(s)->value)) {
		s->failed = true;
		s->failed_place = site_last(s)->place;
	}
	s->points = valued = part_valueless(s);
	if (!in_order_of_places(s)) {
		qsort(s->point, s->points, sizeof(*s->point), by_place);
		for (size_t i = 0, end; i < s->points; i = end) {
			for (end = i + 1;
			     end < s->points && s->point[end].place == s->point[i].place;)
				end++;
			if (end - i > 1)
				pool_place(&s->point[i], end - i);
			s->point[kept++] = s->point[i];
		}
		s->points = kept;
		qsort(s->point, s->points, sizeof(*s->point), by_visit);
	}
	keep_gaps(s, s->point + valued, all - valued);
}

static void pool_one(void *ctx, size_t thread, size_t i)
{
	struct site_model *m = ctx;

	(void)thread;
	pool_series(&m->series[i]);
}

static bool same_page(const struct site_series *a, const struct site_series *b)
{
	return text_equal(a->name[SITE_BENCH], b->name[SITE_BENCH]) &&
	       text_equal(a->name[SITE_KIND], b->name[SITE_KIND]) &&
	       text_equal(a->name[SITE_METRIC], b->name[SITE_METRIC]) &&
	       text_equal(a->name[SITE_UNIT], b->name[SITE_UNIT]);
}

/* Appends the letters and digits of a string, in lower case. */
static void put_slug(struct buf *b, struct text t)
{
	size_t from = b->len;

	for (size_t i = 0; i < t.len && b->len - from < SLUG_MOST; i++) {
		char c = t.ptr[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			buf_byte(b, c);
		else if (b->len && b->ptr[b->len - 1] != '-')
			buf_byte(b, '-');
	}
}

/* Names a page after its benchmark and metric; the id makes the name unique. */
static void name_page(struct site_model *m, struct site_page *p)
{
	const struct site_series *s = &m->series[p->first];
	static const enum site_name of[] = { SITE_BENCH, SITE_KIND, SITE_METRIC,
		SITE_UNIT };
	struct buf key = { 0 }, path = { 0 };

	for (size_t i = 0; i < COUNT(of); i++) {
		buf_text(&key, s->name[of[i]]);
		buf_byte(&key, '\0');
	}
	site_id(p->id, text_in(&key), p->part);
	put_slug(&path, s->name[SITE_BENCH]);
	buf_byte(&path, '-');
	put_slug(&path, s->name[SITE_METRIC]);
	buf_printf(&path, "-%s", p->id);
	p->path = str_format("b/%s", path.ptr);
	buf_free(&key);
	buf_free(&path);
}

static void make_pages(struct site_model *m)
{
	m->page = mem_zero(m->count + 1, sizeof(*m->page));
	for (size_t i = 0, end; i < m->count; i = end) {
		size_t parts;

		for (end = i + 1;
		     end < m->count && same_page(&m->series[i], &m->series[end]);)
			end++;
		parts = (end - i + PAGE_SERIES_MOST - 1) / PAGE_SERIES_MOST;
		for (size_t part = 0; part < parts; part++) {
			struct site_page *p = &m->page[m->pages];
			size_t first = i + part * PAGE_SERIES_MOST;

			*p = (struct site_page){ .part = part,
				.parts = parts,
				.first = first,
				.count =
				    part + 1 < parts ? PAGE_SERIES_MOST : end - first };
			name_page(m, p);
			for (size_t k = first; k < first + p->count; k++)
				m->series[k].page = m->pages;
			m->pages++;
		}
	}
}

/* Moves series without any value after the others. */
static void drop_empty(struct site_model *m)
{
	struct site_series *empty = mem_zero(m->count + 1, sizeof(*empty));
	size_t kept = 0;

	for (size_t i = 0; i < m->count; i++)
		if (m->series[i].points)
			m->series[kept++] = m->series[i];
		else
			empty[m->valueless++] = m->series[i];
	memcpy(&m->series[kept], empty, m->valueless * sizeof(*empty));
	free(empty);
	m->count = kept;
	for (size_t i = 0; i < m->count; i++)
		m->total += m->series[i].points;
}

int site_model_build(struct site_model *m, struct fault *f)
{
	struct metric_filter *filter =
	    metric_filter_open(m->opts->metric, m->opts->metrics, f);
	size_t *count;
	int status;

	if (!filter)
		return -1;
	make_places(m);
	count = count_entries(&m->cache);
	make_series(m, filter, count);
	distribute(m, count);
	site_profile_finish(m);
	free(count);
	status = metric_filter_check(filter, f);
	metric_filter_close(filter);
	if (status < 0)
		return -1;
	parallel_each(parallel_threads(m->count, SERIES_A_THREAD), m->count, pool_one, m);
	drop_empty(m);
	site_model_label(m);
	make_pages(m);
	return 0;
}

void site_model_free(struct site_model *m)
{
	for (size_t i = 0; i < m->count + m->valueless; i++)
		free(m->series[i].label);
	for (size_t i = 0; i < m->profiles; i++)
		free(m->profile[i].subject.label);
	for (size_t i = 0; i < m->count; i++) {
		free(m->series[i].change);
		free(m->series[i].sample);
	}
	for (size_t i = 0; i < m->pages; i++)
		free(m->page[i].path);
	free(m->profile);
	free(m->profile_of);
	intern_free(&m->subjects);
	free(m->series);
	free(m->page);
	free(m->points);
	free(m->place);
	free(m->place_of);
	free(m->since);
	commit_order_free(m->order);
	metrics_free(m->metrics);
	site_cache_free(&m->cache);
}
