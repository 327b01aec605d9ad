/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of the site's script. Each file calls benchData(name, value). Values of a series
 * are whole numbers times a power of ten, with seven digits of the median.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "site/site_pages.h"
#include "site/site_text.h"
#include "stats/stats.h"
#include "text/stamp.h"

enum { DIGITS = 6, CHANGE_DIGITS = 7 };
#define MOST 1e15 /* of the whole numbers, which JavaScript has exactly */

/* A series and the scale of its values. */
struct scaled {
	const struct site_series *series;
	double times;
};

static int64_t place_at(const void *ctx, size_t i)
{
	return ((const struct scaled *)ctx)->series->point[i].place;
}

static int64_t visit_at(const void *ctx, size_t i)
{
	return ((const struct scaled *)ctx)->series->point[i].visit;
}

static int64_t gap_place_at(const void *ctx, size_t i)
{
	const struct site_series *s = ctx;

	return s->point[s->points + i].place;
}

static int64_t gap_visit_at(const void *ctx, size_t i)
{
	const struct site_series *s = ctx;

	return s->point[s->points + i].visit;
}

static int64_t value_at(const void *ctx, size_t i)
{
	const struct scaled *s = ctx;

	return llround(s->series->point[i].value * s->times);
}

/* The ends of the interval as distances from the value; -1: unknown. */
static int64_t below_at(const void *ctx, size_t i)
{
	const struct scaled *s = ctx;
	const struct site_point *p = &s->series->point[i];

	return isfinite(p->lo) ? llround(fmax(0, p->value - p->lo) * s->times) : -1;
}

static int64_t above_at(const void *ctx, size_t i)
{
	const struct scaled *s = ctx;
	const struct site_point *p = &s->series->point[i];

	return isfinite(p->hi) ? llround(fmax(0, p->hi - p->value) * s->times) : -1;
}

static int64_t samples_at(const void *ctx, size_t i)
{
	return ((const struct scaled *)ctx)->series->point[i].n;
}

static int64_t runs_at(const void *ctx, size_t i)
{
	return ((const struct scaled *)ctx)->series->point[i].runs;
}

/* Returns the power of ten of the unit in which the values are whole numbers. */
static int exponent_of(const struct site_series *s)
{
	double *x = mem_zero(s->points, sizeof(*x)), typical, most;
	int exponent;

	for (size_t i = 0; i < s->points; i++)
		x[i] = fabs(s->point[i].value);
	stats_sort(x, s->points);
	most = x[s->points - 1];
	typical = stats_quantile(x, s->points, 0.5);
	free(x);
	if (!(most > 0))
		return 0;
	exponent = (int)floor(log10(typical > 0 ? typical : most)) - DIGITS;
	while (most / pow(10, exponent) > MOST)
		exponent++;
	return exponent;
}

static void put_changes(struct buf *b, const struct site_series *s)
{
	buf_str(b, ",c:[");
	for (size_t i = 0; i < s->changes; i++) {
		const struct site_change *c = &s->change[i];
		const double number[] = { c->change.before, c->change.after, c->ratio,
			c->lo, c->hi, c->change.p };

		buf_printf(b, "%s[%zu", i ? "," : "", c->change.at);
		for (size_t k = 0; k < COUNT(number); k++) {
			buf_byte(b, ',');
			site_js_number(b, number[k], CHANGE_DIGITS);
		}
		buf_printf(b, ",\"%s\",%d]", site_verdict_names[c->verdict], c->drift);
	}
	buf_byte(b, ']');
}

static void put_series(struct buf *b, const struct site_series *s)
{
	static const struct {
		const char *name;
		int64_t (*get)(const void *, size_t);
	} column[] = { { "p", place_at }, { "r", visit_at }, { "x", value_at },
		{ "l", below_at }, { "u", above_at }, { "n", samples_at },
		{ "k", runs_at } };
	int exponent = exponent_of(s);
	struct scaled scaled = { s, pow(10, -exponent) };

	buf_printf(b, "{i:\"%s\",h:", s->id);
	site_js_text(b, s->name[SITE_HOST]);
	buf_str(b, ",f:[");
	site_factors(s, site_js_factor, b);
	buf_printf(b, "],v:\"%s\",e:%d,b:%" PRId64 ",fl:", site_verdict_names[s->verdict],
	    exponent, s->base == SIZE_MAX ? -1 : (int64_t)s->base);
	site_js_number(b, s->floor, CHANGE_DIGITS);
	for (size_t i = 0; i < COUNT(column); i++) {
		buf_printf(b, ",%s:", column[i].name);
		site_js_integers(b, s->points, column[i].get, &scaled);
	}
	if (s->gaps) {
		buf_str(b, ",gp:");
		site_js_integers(b, s->gaps, gap_place_at, s);
		buf_str(b, ",gr:");
		site_js_integers(b, s->gaps, gap_visit_at, s);
	}
	put_changes(b, s);
	buf_byte(b, '}');
}

void site_put_data(struct buf *b, const struct site_model *m, const struct site_page *p)
{
	const struct site_series *s = &m->series[p->first];

	buf_str(b, "benchData(\"page\",{bench:");
	site_js_text(b, site_bench(s));
	buf_str(b, ",metric:");
	site_js_text(b, s->name[SITE_METRIC]);
	buf_str(b, ",unit:");
	site_js_text(b, s->name[SITE_UNIT]);
	buf_printf(b, ",better:\"%s\",series:[\n",
	    s->better == BETTER_LOWER    ? "lower"
	    : s->better == BETTER_HIGHER ? "higher"
	                                 : "");
	for (size_t i = 0; i < p->count; i++) {
		if (i)
			buf_str(b, ",\n");
		put_series(b, &s[i]);
	}
	buf_str(b, "]});\n");
}

static int64_t seconds_of(struct text at)
{
	int64_t ns;
	int digits;

	return stamp_parse(at, &ns, &digits) ? ns / 1000000000 : 0;
}

static int64_t place_second(const void *ctx, size_t i)
{
	return seconds_of(((const struct site_model *)ctx)->place[i].at);
}

static int64_t visit_second(const void *ctx, size_t i)
{
	return seconds_of(text_of(((const struct site_model *)ctx)->cache.visit[i].at));
}

static void write_script(struct site_dir *d, const char *path, struct buf *b)
{
	site_dir_put(d, path, b);
	b->len = 0;
}

void site_write_places(const struct site_model *m, struct site_dir *d)
{
	struct buf b = { 0 };
	struct intern envs = { 0 };

	buf_str(&b, "benchData(\"places\",{url:");
	site_js_text(&b, text_of(m->opts->repo_url ? m->opts->repo_url : ""));
	/* Times do not rise along the commits of an order. */
	buf_str(&b, m->order ? ",o:1,t:" : ",t:");
	site_js_integers(&b, m->places, place_second, m);
	buf_str(&b, ",c:[");
	for (size_t i = 0; i < m->places; i++) {
		site_js_text(&b, m->place[i].commit);
		buf_str(&b, ",\n");
	}
	buf_str(&b, "]});\n");
	write_script(d, "data/places.js", &b);
	buf_str(&b, "benchData(\"runs\",{t:");
	site_js_integers(&b, m->cache.visits, visit_second, m);
	buf_str(&b, ",n:[");
	for (size_t i = 0; i < m->cache.visits; i++) {
		site_js_text(&b, text_of(m->cache.visit[i].run));
		buf_str(&b, ",\n");
	}
	buf_str(&b, "],e:[");
	for (size_t i = 0; i < m->cache.visits; i++)
		buf_printf(&b, "%zu,", intern_add(&envs, text_of(m->cache.visit[i].env)));
	buf_str(&b, "],v:[");
	for (size_t i = 0; i < envs.count; i++) {
		site_js_text(&b, intern_text(&envs, i));
		buf_byte(&b, ',');
	}
	buf_str(&b, "]});\n");
	write_script(d, "data/runs.js", &b);
	intern_free(&envs);
	buf_free(&b);
}
