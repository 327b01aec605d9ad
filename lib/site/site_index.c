/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The index: a row for each series, 200 on a page. The script filters and sorts all rows,
 * for which it reads their data.
 */
#include <math.h>
#include <stdlib.h>

#include "site/site_chart.h"
#include "site/site_html.h"
#include "site/site_pages.h"
#include "site/site_text.h"
#include "text/markup.h"
#include "text/plural.h"

enum { ROWS = 200, DATA_DIGITS = 9, NAMES_MOST = 5 };

/* Series that decide come first; otherwise the order of the pages remains. */
static const struct site_series **ordered(const struct site_model *m)
{
	const struct site_series **out =
	    mem_zero(m->count + 1, sizeof(const struct site_series *));
	size_t n = 0;

	for (int decides = 1; decides >= 0; decides--)
		for (size_t i = 0; i < m->count; i++)
			if (m->series[i].decides == decides)
				out[n++] = &m->series[i];
	return out;
}

/* Appends the address of a series, from the top of the site. */
static void put_address(
    struct buf *b, const struct site_model *m, const struct site_series *s)
{
	buf_printf(b, "%s.html", m->page[s->page].path);
	if (m->page[s->page].count > 1)
		buf_printf(b, "#s=%s", s->id);
}

/* Appends the address of the profile of a series, or of the list if there are several. */
static void put_profile(
    struct buf *b, const struct site_model *m, const struct site_series *s)
{
	size_t count;
	const struct site_profile *p = site_profile_find(m, s, &count);

	if (count > 1)
		buf_str(b, "profiles.html");
	else if (count)
		buf_printf(b, "b/profile-%s.html", p->id);
}

/* Appends the cell of the benchmark: links to its page and to its profile. */
static void put_bench(
    struct buf *b, const struct site_model *m, const struct site_series *s)
{
	struct buf profile = { 0 };

	buf_str(b, "<td><a href=\"");
	put_address(b, m, s);
	buf_str(b, "\">");
	markup_text(b, site_bench(s));
	buf_str(b, "</a> <span class=\"faint\">");
	site_put_factors(b, s);
	buf_str(b, "</span>");
	put_profile(&profile, m, s);
	if (profile.len)
		buf_printf(b, " <a href=\"%s\">profile</a>", profile.ptr);
	buf_free(&profile);
	buf_str(b, "</td>");
}

/* Appends the cell of the last value and its interval. */
static void put_last(struct buf *b, const struct site_series *s)
{
	const struct text unit = s->name[SITE_UNIT];

	buf_str(b, "<td class=\"number\">");
	site_put_value(b, site_last(s)->value, unit);
	if (isfinite(site_last(s)->lo) && isfinite(site_last(s)->hi)) {
		buf_str(b, " <span class=\"faint\">(");
		site_put_value(b, site_last(s)->lo, unit);
		buf_str(b, " to ");
		site_put_value(b, site_last(s)->hi, unit);
		buf_str(b, ")</span>");
	}
	buf_str(b, "</td>");
}

/* Appends the cells of the newest change: its size and its date; empty if there is none. */
static void put_change(
    struct buf *b, const struct site_model *m, const struct site_series *s)
{
	buf_str(b, "<td class=\"number\">");
	if (s->latest)
		site_put_percent(b, s->latest->ratio);
	buf_str(b, "</td><td>");
	if (s->latest)
		site_put_date(b, m->place[s->point[s->latest->change.at].place].at);
	buf_str(b, "</td>");
}

static void put_row(struct buf *b, const struct site_model *m, const struct site_series *s)
{
	char spark[SITE_SPARK + 1];

	buf_str(b, "<tr>");
	put_bench(b, m, s);
	buf_str(b, "<td>");
	markup_text(b, s->name[SITE_METRIC]);
	buf_str(b, "</td><td>");
	site_put_host(b, s);
	buf_str(b, "</td><td>");
	site_spark(spark, s);
	site_put_spark(b, spark);
	buf_str(b, "</td>");
	put_last(b, s);
	if (m->since) {
		buf_str(b, "<td class=\"number\">");
		site_put_percent(b, site_since_ratio(s));
		buf_str(b, "</td>");
	}
	put_change(b, m, s);
	buf_str(b, "<td>");
	site_put_verdict(b, m, s, s->latest);
	if (s->failed)
		buf_str(b, " <span class=\"worse\">\u2717 failed</span>");
	buf_str(b, "</td></tr>\n");
}

static void page_name(struct buf *b, size_t page)
{
	if (page)
		buf_printf(b, "index-%zu.html", page + 1);
	else
		buf_str(b, "index.html");
}

static void put_pager(struct buf *b, size_t page, size_t pages)
{
	buf_str(b, "<nav aria-label=\"Pages\" class=\"pager\">");
	for (size_t i = 0; pages > 1 && i < pages; i++) {
		buf_str(b, "<a href=\"");
		page_name(b, i);
		buf_printf(
		    b, "\"%s>%zu</a> ", i == page ? " aria-current=\"page\"" : "", i + 1);
	}
	buf_str(b, "</nav>\n");
}

/* Appends which series have no row because all of their runs failed. */
static void put_valueless(struct buf *b, const struct site_model *m)
{
	if (!m->valueless)
		return;
	buf_printf(b, " <span class=\"worse\">All runs of %zu other series failed:</span> ",
	    m->valueless);
	for (size_t i = 0; i < m->valueless && i < NAMES_MOST; i++) {
		const struct site_series *s = &m->series[m->count + i];

		buf_str(b, i ? ", " : "");
		markup_text(b, site_bench(s));
		buf_str(b, " (");
		site_put_factors(b, s);
		buf_str(b, b->ptr[b->len - 1] == '(' ? "" : ", ");
		markup_text(b, s->name[SITE_METRIC]);
		buf_str(b, ", ");
		site_put_host(b, s);
		buf_byte(b, ')');
	}
	buf_str(b, m->valueless > NAMES_MOST ? " \u2026" : ".");
}

static void put_summary(struct buf *b, const struct site_model *m)
{
	size_t count[SITE_VERDICTS] = { 0 }, failed = 0, decides = 0;

	for (size_t i = 0; i < m->count; i++) {
		count[m->series[i].verdict] += m->series[i].decides;
		failed += m->series[i].failed;
		decides += m->series[i].decides;
	}
	buf_printf(b,
	    "<p>%zu series of %zu benchmarks and metrics, %zu commits and runs. Of %zu "
	    "series of primary metrics, <a href=\"regressions.html\">%zu %s worse</a> "
	    "and <a href=\"improvements.html\">%zu better</a> ",
	    m->count, m->pages, m->places, decides, count[SITE_WORSE],
	    plural(count[SITE_WORSE], "is", "are"), count[SITE_BETTER]);
	if (m->since) {
		buf_str(b, "since ");
		markup_text(b, text_of(m->opts->since));
	} else {
		buf_str(b, "after their latest change");
	}
	buf_printf(b, ", %zu the same, %zu too short for a verdict.", count[SITE_SAME],
	    count[SITE_SHORT]);
	if (failed)
		buf_printf(b, " The newest run of %zu series failed.", failed);
	put_valueless(b, m);
	if (m->profiles)
		buf_printf(b,
		    " <a href=\"profiles.html\">%zu %s</a> %s where the time is spent.",
		    m->profiles, plural(m->profiles, "profile", "profiles"),
		    plural(m->profiles, "shows", "show"));
	if (m->places) {
		buf_str(b, " The newest results are from ");
		site_put_date(b, m->place[m->places - 1].at);
		buf_byte(b, '.');
	}
	buf_str(b, "</p>\n");
}

static void put_page(struct buf *b, const struct site_model *m,
    const struct site_series *const *row, size_t page, size_t pages)
{
	static const char *const columns[] = { "Benchmark", "Metric", "Host", "History",
		"#Last value", "#Latest change", "Date", "Verdict", NULL };
	static const char *const since[] = { "Benchmark", "Metric", "Host", "History",
		"#Last value", "#Since release", "#Latest change", "Date", "Verdict",
		NULL };
	static const char *const scripts[] = { "data/index", NULL };
	size_t to = (page + 1) * ROWS < m->count ? (page + 1) * ROWS : m->count;

	site_html_begin(b, m, &(struct site_frame){ .base = "", .current = "index.html" });
	buf_str(b, "<h1>Benchmarks</h1>\n");
	put_summary(b, m);
	buf_str(b, "<div id=\"tools\"></div>\n");
	site_html_table(b, "index", "Series", m->since ? since : columns);
	for (size_t i = page * ROWS; i < to; i++)
		put_row(b, m, row[i]);
	site_html_table_end(b);
	put_pager(b, page, pages);
	site_html_end(b, "", scripts);
}

/* Appends a series for the script; cells are as in put_row(). */
static void put_data(struct buf *b, const struct site_model *m, const struct site_series *s)
{
	char spark[SITE_SPARK + 1];
	struct buf cell = { 0 };

	site_spark(spark, s);
	buf_printf(b, "[\"%s\",\"", s->id);
	put_address(b, m, s);
	buf_str(b, "\",");
	site_js_text(b, site_bench(s));
	buf_str(b, ",[");
	site_factors(s, site_js_factor, b);
	buf_str(b, "],");
	site_js_text(b, s->name[SITE_METRIC]);
	buf_byte(b, ',');
	site_js_text(b, s->name[SITE_UNIT]);
	buf_byte(b, ',');
	site_js_text(b, s->name[SITE_HOST]);
	buf_printf(b, ",\"%s\",", spark);
	site_js_number(b, site_last(s)->value, DATA_DIGITS);
	buf_byte(b, ',');
	site_js_number(b, (double)site_last(s)->lo, DATA_DIGITS);
	buf_byte(b, ',');
	site_js_number(b, (double)site_last(s)->hi, DATA_DIGITS);
	buf_byte(b, ',');
	site_js_number(b, site_since_ratio(s), DATA_DIGITS);
	buf_byte(b, ',');
	site_js_number(b, s->latest ? s->latest->ratio : (double)NAN, DATA_DIGITS);
	buf_byte(b, ',');
	if (s->latest)
		site_put_date(&cell, m->place[s->point[s->latest->change.at].place].at);
	site_js_text(b, text_in(&cell));
	buf_printf(b, ",\"%s\",%d,%d,", site_verdict_names[s->verdict],
	    s->latest && s->latest->drift, s->failed);
	site_js_number(b, s->floor, DATA_DIGITS);
	buf_printf(b, ",%d", s->better == BETTER_LOWER ? -1 : s->better == BETTER_HIGHER);
	cell.len = 0;
	put_profile(&cell, m, s);
	if (cell.len)
		buf_printf(b, ",\"%s\"", cell.ptr);
	buf_str(b, "],\n");
	buf_free(&cell);
}

void site_write_index(const struct site_model *m, struct site_dir *d)
{
	const struct site_series **row = ordered(m);
	size_t pages = m->count ? (m->count + ROWS - 1) / ROWS : 1;
	struct buf b = { 0 }, path = { 0 };

	for (size_t i = 0; i < pages; i++) {
		b.len = path.len = 0;
		put_page(&b, m, row, i, pages);
		page_name(&path, i);
		site_dir_put(d, path.ptr, &b);
	}
	b.len = 0;
	buf_printf(&b, "benchData(\"index\",{since:%d,rows:[\n", m->since != NULL);
	for (size_t i = 0; i < m->count; i++)
		put_data(&b, m, row[i]);
	buf_str(&b, "]});\n");
	site_dir_put(d, "data/index.js", &b);
	free(row);
	buf_free(&b);
	buf_free(&path);
}
