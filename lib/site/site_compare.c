/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page that compares two commits or two hosts, and the values of all series at each
 * commit, from which the script computes the comparison.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "site/site_html.h"
#include "site/site_pages.h"
#include "site/site_text.h"

enum { VALUE_DIGITS = 7, PLACES_A_THREAD = 4 };
#define PLACE_SEED 13

/* A value at a place. */
struct site_value {
	uint32_t series, pad;
	double value;
};

struct compare_writing {
	const struct site_model *model;
	struct site_dir *dir;
	struct buf *buffer;        /* by thread */
	struct site_value *placed; /* by place, then by series */
	size_t *start;             /* by place */
};

static void put_name_of_place(char out[SITE_ID + 1], const struct site_place *p)
{
	site_id(out, p->commit.len ? p->commit : p->run, PLACE_SEED + !p->commit.len);
}

static void put_values(struct buf *b, const struct site_model *m,
    const struct site_value *placed, size_t count)
{
	buf_str(b, "benchData(\"commit\",{i:\"");
	for (size_t i = 0; i < count; i++)
		buf_put(b, m->series[placed[i].series].id, SITE_ID);
	buf_str(b, "\",v:[");
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_byte(b, ',');
		site_js_number(b, placed[i].value, VALUE_DIGITS);
	}
	buf_str(b, "]});\n");
}

static void write_place(void *ctx, size_t thread, size_t i)
{
	struct compare_writing *w = ctx;
	const struct site_model *m = w->model;
	const struct site_value *placed = w->placed + w->start[i];
	size_t count = w->start[i + 1] - w->start[i];
	struct buf *b = &w->buffer[thread];
	uint64_t hash = text_hash(
	    (struct text){ (const char *)placed, count * sizeof(*placed) }, PLACE_SEED);
	char id[SITE_ID + 1], *path;

	/* Formatting the values takes longer than hashing them, and few commits change. */
	for (size_t k = 0; k < count; k++)
		hash = hash * 31 + text_hash(text_of(m->series[placed[k].series].id), 1);
	put_name_of_place(id, &m->place[i]);
	path = str_format("data/c-%s.js", id);
	b->len = 0;
	if (!site_dir_has(w->dir, path, hash))
		put_values(b, m, placed, count);
	site_dir_write(w->dir, path, hash, b);
	free(path);
}

/* Sorts the values of all series by place. */
static void place_values(struct compare_writing *w)
{
	const struct site_model *m = w->model;
	size_t *next = mem_zero(m->places + 1, sizeof(*next));

	w->placed = mem_zero(m->total + 1, sizeof(*w->placed));
	w->start = mem_zero(m->places + 2, sizeof(*w->start));
	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; k < m->series[i].points; k++)
			w->start[m->series[i].point[k].place + 1]++;
	for (size_t i = 0; i < m->places; i++) {
		w->start[i + 1] += w->start[i];
		next[i] = w->start[i];
	}
	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; k < m->series[i].points; k++) {
			const struct site_point *p = &m->series[i].point[k];

			w->placed[next[p->place]++] =
			    (struct site_value){ .series = (uint32_t)i, .value = p->value };
		}
	free(next);
}

static void write_page(const struct site_model *m, struct site_dir *d)
{
	static const char *const scripts[] = { "compare", "data/places", "data/index",
		"data/commits", NULL };
	struct buf b = { 0 };
	char id[SITE_ID + 1];

	site_html_begin(&b, m,
	    &(struct site_frame){
	        .title = "Compare", .base = "", .current = "compare.html" });
	buf_str(&b,
	    "<h1>Compare two commits or hosts</h1>\n"
	    "<p>This page compares stored medians. It computes no test and no p. A "
	    "difference beyond the noise floor of its series is larger than 95% of the "
	    "differences between two commits of the series at one level. To test a "
	    "difference, export both commits and compare them with "
	    "<code>bench-compare</code>.</p>\n"
	    "<noscript><p>The comparison needs JavaScript. The values of each commit are "
	    "on the pages of the benchmarks.</p></noscript>\n"
	    "<div id=\"compare\"></div>\n");
	site_html_end(&b, "", scripts);
	site_dir_put(d, "compare.html", &b);
	b.len = 0;
	buf_str(&b, "benchData(\"commits\",[");
	for (size_t i = 0; i < m->places; i++) {
		put_name_of_place(id, &m->place[i]);
		buf_printf(&b, "\"%s\",\n", id);
	}
	buf_str(&b, "]);\n");
	site_dir_put(d, "data/commits.js", &b);
	buf_free(&b);
}

void site_write_compare(const struct site_model *m, struct site_dir *d)
{
	size_t threads = parallel_threads(m->places, PLACES_A_THREAD);
	struct compare_writing w = {
		.model = m, .dir = d, .buffer = mem_zero(threads, sizeof(*w.buffer))
	};

	place_values(&w);
	parallel_each(threads, m->places, write_place, &w);
	for (size_t i = 0; i < threads; i++)
		buf_free(&w.buffer[i]);
	free(w.buffer);
	free(w.placed);
	free(w.start);
	write_page(m, d);
}
