/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a benchmark: its series, their plot, changes and values.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "site/site_chart.h"
#include "site/site_html.h"
#include "site/site_pages.h"
#include "site/site_text.h"
#include "stats/stats.h"
#include "text/markup.h"

enum { ROWS_MOST = 60, PAGES_A_THREAD = 4 };

static void put_series_row(
    struct buf *b, const struct site_model *m, const struct site_series *s, size_t color)
{
	const struct site_point *last = site_last(s);

	buf_printf(b, "<tr data-series=\"%s\"><td>", s->id);
	if (color < SITE_CHART_SERIES)
		buf_printf(b, "<span class=\"swatch s%zu\"></span> ", color);
	site_put_host(b, s);
	buf_str(b, "</td><td>");
	site_put_factors(b, s);
	buf_str(b, "</td><td class=\"number\">");
	site_put_value(b, last->value, s->name[SITE_UNIT]);
	if (isfinite(last->lo) && isfinite(last->hi)) {
		buf_str(b, " <span class=\"faint\">(");
		site_put_value(b, last->lo, s->name[SITE_UNIT]);
		buf_str(b, " to ");
		site_put_value(b, last->hi, s->name[SITE_UNIT]);
		buf_str(b, ")</span>");
	}
	buf_str(b, "</td><td>");
	site_put_place(b, m, last->place);
	if (m->since) {
		buf_str(b, "</td><td class=\"number\">");
		site_put_percent(b, site_since_ratio(s));
	}
	buf_str(b, "</td><td class=\"number\">");
	if (s->latest)
		site_put_size(b, s->latest);
	buf_str(b, "</td><td class=\"number\">");
	site_put_margin(b, s->floor);
	buf_str(b, "</td><td>");
	site_put_verdict(b, m, s, s->latest);
	if (s->failed) {
		buf_str(b, " <span class=\"worse\">\u2717 failed at ");
		site_put_place(b, m, s->failed_place);
		buf_str(b, "</span>");
	}
	buf_str(b, "</td></tr>\n");
}

static void put_series(struct buf *b, const struct site_model *m, const struct site_page *p)
{
	static const char *const columns[] = { "Host", "Factors", "#Last value", "Commit",
		"#Latest change", "#Noise floor", "Verdict", NULL };
	static const char *const since[] = { "Host", "Factors", "#Last value", "Commit",
		"#Since release", "#Latest change", "#Noise floor", "Verdict", NULL };

	site_html_table(b, "series", "Series", m->since ? since : columns);
	for (size_t i = 0; i < p->count; i++)
		put_series_row(b, m, &m->series[p->first + i], i);
	site_html_table_end(b);
}

static void put_change(struct buf *b, const struct site_model *m,
    const struct site_series *s, const struct site_change *c)
{
	size_t place = s->point[c->change.at].place;

	buf_str(b, "<tr><td>");
	site_put_date(b, m->place[place].at);
	buf_str(b, "</td><td>");
	site_put_place(b, m, place);
	buf_str(b, "</td><td>");
	site_put_host(b, s);
	buf_str(b, "</td><td>");
	site_put_factors(b, s);
	buf_str(b, "</td><td class=\"number\">");
	site_put_value(b, c->change.before, s->name[SITE_UNIT]);
	buf_str(b, "</td><td class=\"number\">");
	site_put_value(b, c->change.after, s->name[SITE_UNIT]);
	buf_str(b, "</td><td class=\"number\">");
	site_put_size(b, c);
	buf_printf(b, "</td><td class=\"number\">%.2g</td><td>", c->change.p);
	site_put_verdict(b, m, s, c);
	buf_str(b, "</td></tr>\n");
}

static void put_changes(
    struct buf *b, const struct site_model *m, const struct site_page *p)
{
	static const char *const columns[] = { "Date", "Commit", "Host", "Factors",
		"#Before", "#After", "#Change", "#p", "Verdict", NULL };
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += m->series[p->first + i].changes;
	if (!count) {
		buf_str(b, "<h2>Changes</h2>\n<p class=\"faint\">No change found.</p>\n");
		return;
	}
	buf_str(b, "<h2>Changes</h2>\n");
	site_html_table(b, "changes",
	    "Change points and drifts, with 95% confidence intervals", columns);
	for (size_t i = 0; i < p->count; i++) {
		const struct site_series *s = &m->series[p->first + i];

		for (size_t k = s->changes; k-- > 0;)
			put_change(b, m, s, &s->change[k]);
	}
	site_html_table_end(b);
}

/* A value of the table of values. */
struct site_cell {
	size_t place, series;
	const struct site_point *point;
};

static int newest_first(const void *a, const void *b)
{
	const struct site_cell *x = a, *y = b;

	if (x->place != y->place)
		return x->place > y->place ? -1 : 1;
	return (x->series > y->series) - (x->series < y->series);
}

/* Appends a value with the words of chart.js. */
static void put_cell(struct buf *b, double value, struct text unit)
{
	if (isfinite(value))
		site_put_value(b, value, unit);
	else
		buf_str(b, "no value");
}

static void put_value_rows(struct buf *b, const struct site_model *m,
    const struct site_page *p, const struct site_cell *cell, size_t cells, size_t columns)
{
	struct text unit = m->series[p->first].name[SITE_UNIT];
	size_t rows = 0;

	for (size_t i = 0; i < cells && rows < ROWS_MOST; rows++) {
		size_t place = cell[i].place;

		buf_str(b, "<tr><td>");
		site_put_date(b, m->place[place].at);
		buf_str(b, "</td><td>");
		site_put_place(b, m, place);
		buf_str(b, "</td>");
		for (size_t k = 0; k < columns; k++) {
			buf_str(b, "<td class=\"number\">");
			if (i < cells && cell[i].place == place && cell[i].series == k)
				put_cell(b, cell[i++].point->value, unit);
			buf_str(b, "</td>");
		}
		buf_str(b, "</tr>\n");
	}
}

/* Adds the newest points of a series, and the newest places without a value. */
static size_t add_cells(const struct site_series *s, size_t number, struct site_cell *cell)
{
	size_t points = s->points < ROWS_MOST ? s->points : ROWS_MOST,
	       gaps = s->gaps < ROWS_MOST ? s->gaps : ROWS_MOST, cells = 0;

	for (size_t k = s->points - points; k < s->points; k++)
		cell[cells++] =
		    (struct site_cell){ s->point[k].place, number, &s->point[k] };
	for (size_t k = s->points + s->gaps - gaps; k < s->points + s->gaps; k++)
		cell[cells++] =
		    (struct site_cell){ s->point[k].place, number, &s->point[k] };
	return cells;
}

static size_t count_places(const struct site_cell *cell, size_t cells)
{
	size_t places = 0;

	for (size_t i = 0; i < cells; i++)
		places += !i || cell[i].place != cell[i - 1].place;
	return places;
}

/* Appends the newest values of the series in the plot. The script adds the others. */
static void put_values(struct buf *b, const struct site_model *m, const struct site_page *p)
{
	const char *column[SITE_CHART_SERIES + 3] = { "Date", "Commit" };
	size_t columns = p->count < SITE_CHART_SERIES ? p->count : SITE_CHART_SERIES;
	struct site_cell *cell = mem_zero(2 * columns * ROWS_MOST, sizeof(*cell));
	struct buf name[SITE_CHART_SERIES] = { 0 };
	size_t cells = 0;
	bool cut = false;

	for (size_t i = 0; i < columns; i++) {
		const struct site_series *s = &m->series[p->first + i];

		cut = cut || s->points > ROWS_MOST || s->gaps > ROWS_MOST;
		cells += add_cells(s, i, cell + cells);
		buf_byte(&name[i], '#');
		site_put_host(&name[i], s);
		buf_byte(&name[i], ' ');
		site_put_factors(&name[i], s);
		column[i + 2] = name[i].ptr;
	}
	qsort(cell, cells, sizeof(*cell), newest_first);
	buf_str(b, "<h2>Values</h2>\n");
	site_html_table(b, "values",
	    cut || count_places(cell, cells) > ROWS_MOST
	        ? "The newest 60 values, newest first"
	        : "All values, newest first",
	    column);
	put_value_rows(b, m, p, cell, cells, columns);
	site_html_table_end(b);
	for (size_t i = 0; i < columns; i++)
		buf_free(&name[i]);
	free(cell);
}

/* Appends the distributions of the newest runs, as plots and quantiles. */
static void put_samples(
    struct buf *b, const struct site_model *m, const struct site_page *p)
{
	static const char *const columns[] = { "Host", "Factors", "Run", "#Samples",
		"Distribution", "#Least", "#Quarter", "#Median", "#Three quarters",
		"#Greatest", NULL };
	static const double quantile[] = { 0, 0.25, 0.5, 0.75, 1 };
	bool any = false;

	for (size_t i = 0; i < p->count; i++) {
		const struct site_series *s = &m->series[p->first + i];

		if (!s->samples)
			continue;
		if (!any) {
			buf_str(b, "<h2>Samples of the newest run</h2>\n");
			site_html_table(b, "samples",
			    "From the smallest to the largest sample", columns);
		}
		any = true;
		buf_str(b, "<tr><td>");
		site_put_host(b, s);
		buf_str(b, "</td><td>");
		site_put_factors(b, s);
		buf_str(b, "</td><td>");
		markup_text(b, text_of(m->cache.visit[site_last(s)->visit].run));
		buf_printf(b, "</td><td class=\"number\">%zu</td><td>", s->samples);
		site_put_histogram(b, s->sample, s->samples);
		for (size_t k = 0; k < COUNT(quantile); k++) {
			buf_str(b, "</td><td class=\"number\">");
			site_put_value(b,
			    stats_quantile(s->sample, s->samples, quantile[k]),
			    s->name[SITE_UNIT]);
		}
		buf_str(b, "</td></tr>\n");
	}
	if (any)
		site_html_table_end(b);
}

static bool same_benchmark(
    const struct site_model *m, const struct site_page *a, const struct site_page *b)
{
	const struct text *x = m->series[a->first].name, *y = m->series[b->first].name;

	return text_equal(x[SITE_BENCH], y[SITE_BENCH]) &&
	       text_equal(x[SITE_KIND], y[SITE_KIND]);
}

/* Appends links to the other metrics of the benchmark, and to the parts of the page. */
static void put_siblings(struct buf *b, const struct site_model *m, size_t page)
{
	size_t from = page, to = page;

	while (from && same_benchmark(m, &m->page[from - 1], &m->page[page]))
		from--;
	while (to + 1 < m->pages && same_benchmark(m, &m->page[to + 1], &m->page[page]))
		to++;
	if (from == to)
		return;
	buf_str(b, "<nav aria-label=\"Metrics\" class=\"siblings\">");
	for (size_t i = from; i <= to; i++) {
		const struct site_page *p = &m->page[i];

		buf_printf(b, "<a href=\"../%s.html\"%s>", p->path,
		    i == page ? " aria-current=\"page\"" : "");
		markup_text(b, m->series[p->first].name[SITE_METRIC]);
		if (p->parts > 1)
			buf_printf(b, " (%zu of %zu)", p->part + 1, p->parts);
		buf_str(b, "</a> ");
	}
	buf_str(b, "</nav>\n");
}

static void put_heading(struct buf *b, const struct site_model *m, size_t page)
{
	const struct site_series *s = &m->series[m->page[page].first];

	buf_str(b, "<h1>");
	markup_text(b, site_bench(s));
	buf_str(b, " <small>");
	markup_text(b, s->name[SITE_METRIC]);
	buf_str(b, s->better == BETTER_LOWER    ? ", lower is better"
	           : s->better == BETTER_HIGHER ? ", higher is better"
	                                        : "");
	buf_str(b, "</small></h1>\n");
	put_siblings(b, m, page);
	site_put_profile_links(b, m, s);
}

static void put_page(struct buf *b, const struct site_model *m, size_t page)
{
	const struct site_page *p = &m->page[page];
	char *own = str_format("data/%s", p->id);
	const char *const scripts[] = { "chart", "data/places", "data/runs", own, NULL };
	struct buf title = { 0 };
	size_t gaps = 0;

	markup_text(&title, site_bench(&m->series[p->first]));
	buf_byte(&title, ' ');
	markup_text(&title, m->series[p->first].name[SITE_METRIC]);
	site_html_begin(b, m, &(struct site_frame){ .title = title.ptr, .base = "../" });
	put_heading(b, m, page);
	buf_str(b, "<figure id=\"chart\" class=\"static\">\n");
	site_put_chart(b, m, p);
	for (size_t i = 0; i < p->count; i++)
		gaps += m->series[p->first + i].gaps;
	buf_printf(b, "<figcaption>%s%s</figcaption></figure>\n",
	    p->count > 1
	        ? "Medians by commit. Vertical lines mark change points."
	        : "Medians by commit. Vertical lines mark change points; the band is the "
	          "noise floor about each level.",
	    gaps ? " Crosses on the axis mark commits at which a series has no value."
	         : "");
	put_series(b, m, p);
	if (p->count > SITE_CHART_SERIES)
		buf_printf(b,
		    "<p class=\"faint\">The plot and the table of values show the first "
		    "%d series; the script can show the others.</p>\n",
		    SITE_CHART_SERIES);
	put_changes(b, m, p);
	put_samples(b, m, p);
	put_values(b, m, p);
	site_html_end(b, "../", scripts);
	free(own);
	buf_free(&title);
}

/* Appends the badge of a page: its worst verdict. */
static void put_page_badge(
    struct buf *b, const struct site_model *m, const struct site_page *p)
{
	static const int rank[SITE_VERDICTS] = {
		[SITE_WORSE] = 4, [SITE_DIFFERS] = 3, [SITE_BETTER] = 2, [SITE_SAME] = 1
	};
	const struct site_series *worst = &m->series[p->first];
	struct buf what = { 0 };

	for (size_t i = 1; i < p->count; i++)
		if (rank[m->series[p->first + i].verdict] > rank[worst->verdict])
			worst = &m->series[p->first + i];
	buf_str(&what, site_verdict_names[worst->verdict]);
	if (worst->latest) {
		buf_byte(&what, ' ');
		site_put_percent(&what, worst->latest->ratio);
	}
	site_put_badge(b, site_bench(worst), what.ptr, worst->verdict);
	buf_free(&what);
}

struct page_writing {
	const struct site_model *model;
	struct site_dir *dir;
	struct buf *buffer; /* by thread */
};

static void write_page(void *ctx, size_t thread, size_t i)
{
	struct page_writing *w = ctx;
	const struct site_page *p = &w->model->page[i];
	struct buf *b = &w->buffer[thread];
	char *path = str_format("%s.html", p->path);

	b->len = 0;
	put_page(b, w->model, i);
	site_dir_put(w->dir, path, b);
	free(path);
	path = str_format("data/%s.js", p->id);
	b->len = 0;
	site_put_data(b, w->model, p);
	site_dir_put(w->dir, path, b);
	free(path);
	path = str_format("badge/%s.svg", p->id);
	b->len = 0;
	put_page_badge(b, w->model, p);
	site_dir_put(w->dir, path, b);
	free(path);
}

void site_write_benchmarks(const struct site_model *m, struct site_dir *d)
{
	size_t threads = parallel_threads(m->pages, PAGES_A_THREAD);
	struct page_writing w = { m, d, mem_zero(threads, sizeof(*w.buffer)) };

	parallel_each(threads, m->pages, write_page, &w);
	for (size_t i = 0; i < threads; i++)
		buf_free(&w.buffer[i]);
	free(w.buffer);
}
