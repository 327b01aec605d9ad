/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lists of regressions and improvements, and the feed. They have the changes of series
 * that decide, the newest first.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "site/site_html.h"
#include "site/site_pages.h"
#include "site/site_text.h"
#include "text/markup.h"

enum { ROWS_MOST = 1000, ENTRIES_MOST = 100 };
#define FEED_SEED 11

struct listed {
	const struct site_series *series;
	const struct site_change *change;
	size_t place;
};

struct listed_all {
	struct listed *item;
	size_t count, cap;
	size_t others; /* changes of series that do not decide */
};

static double magnitude_of(const struct listed *l)
{
	return isfinite(l->change->ratio) ? fabs(log(l->change->ratio)) : HUGE_VAL;
}

static int newest_first(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	double p = magnitude_of(x), q = magnitude_of(y);

	if (x->place != y->place)
		return x->place > y->place ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	return (x->series > y->series) - (x->series < y->series);
}

/* Lists the changes with a verdict, or all of them. */
static struct listed_all list_changes(
    const struct site_model *m, enum site_verdict verdict, bool all)
{
	struct listed_all out = { 0 };

	for (size_t i = 0; i < m->count; i++) {
		const struct site_series *s = &m->series[i];

		for (size_t k = 0; k < s->changes; k++) {
			const struct site_change *c = &s->change[k];

			if (!all && c->verdict != verdict)
				continue;
			if (!s->decides) {
				out.others++;
				continue;
			}
			*VEC_ADD(out.item, out.count, out.cap) =
			    (struct listed){ s, c, s->point[c->change.at].place };
		}
	}
	if (out.count)
		qsort(out.item, out.count, sizeof(*out.item), newest_first);
	return out;
}

static void put_link(struct buf *b, const struct site_model *m, const struct site_series *s)
{
	buf_printf(b, "<a href=\"%s.html", m->page[s->page].path);
	if (m->page[s->page].count > 1)
		buf_printf(b, "#s=%s", s->id);
	buf_str(b, "\">");
	markup_text(b, site_bench(s));
	buf_str(b, "</a>");
}

static void put_row(struct buf *b, const struct site_model *m, const struct listed *l)
{
	const struct site_series *s = l->series;

	buf_str(b, "<tr><td>");
	site_put_date(b, m->place[l->place].at);
	buf_str(b, "</td><td>");
	site_put_place(b, m, l->place);
	buf_str(b, "</td><td>");
	put_link(b, m, s);
	buf_str(b, " <span class=\"faint\">");
	site_put_factors(b, s);
	buf_str(b, "</span></td><td>");
	markup_text(b, s->name[SITE_METRIC]);
	buf_str(b, "</td><td>");
	site_put_host(b, s);
	buf_str(b, "</td><td class=\"number\">");
	site_put_value(b, l->change->change.before, s->name[SITE_UNIT]);
	buf_str(b, "</td><td class=\"number\">");
	site_put_value(b, l->change->change.after, s->name[SITE_UNIT]);
	buf_str(b, "</td><td class=\"number\">");
	site_put_size(b, l->change);
	buf_printf(b, "</td><td class=\"number\">%.2g</td><td>", l->change->change.p);
	site_put_verdict(b, m, s, l->change);
	buf_str(b, "</td></tr>\n");
}

static void write_list(const struct site_model *m, struct site_dir *d, const char *path,
    const char *title, enum site_verdict verdict)
{
	static const char *const columns[] = { "Date", "Commit", "Benchmark", "Metric",
		"Host", "#Before", "#After", "#Change", "#p", "Verdict", NULL };
	static const char *const no_scripts[] = { NULL };
	struct listed_all list = list_changes(m, verdict, false);
	struct buf b = { 0 };

	site_html_begin(
	    &b, m, &(struct site_frame){ .title = title, .base = "", .current = path });
	buf_printf(&b,
	    "<h1>%s</h1>\n<p>Change points and drifts of series of primary metrics, the "
	    "newest first. A change is the first commit after which the level differs; "
	    "the date is that of the first run of the commit. The interval is that of the "
	    "ratio of the levels, at 95%%, as if values did not depend on each other. p "
	    "is the probability of such a change in a series that has none, multiplied by "
	    "the number of series.</p>\n",
	    title);
	if (list.count > ROWS_MOST)
		buf_printf(&b, "<p>The newest %d of %zu changes are shown.</p>\n",
		    ROWS_MOST, list.count);
	if (list.others)
		buf_printf(&b,
		    "<p class=\"faint\">Changes of other metrics are on the pages of "
		    "their benchmarks; there are %zu.</p>\n",
		    list.others);
	if (list.count) {
		buf_str(&b, "<div id=\"tools\"></div>\n");
		site_html_table(&b, "list", title, columns);
		for (size_t i = 0; i < list.count && i < ROWS_MOST; i++)
			put_row(&b, m, &list.item[i]);
		site_html_table_end(&b);
	} else {
		buf_str(&b, "<p>None.</p>\n");
	}
	site_html_end(&b, "", no_scripts);
	site_dir_put(d, path, &b);
	buf_free(&b);
	free(list.item);
}

static void put_entry(struct buf *b, const struct site_model *m, const struct listed *l)
{
	const struct site_series *s = l->series;
	struct buf key = { 0 };
	char id[SITE_ID + 1];

	buf_printf(&key, "%s %s %d ", s->id, site_verdict_names[l->change->verdict],
	    l->change->drift);
	site_put_place(&key, m, l->place);
	site_id(id, text_in(&key), FEED_SEED);
	buf_printf(b, "<entry><id>urn:x-bench-site:%s-%s</id><title>", s->id, id);
	buf_str(b, site_verdict_names[l->change->verdict]);
	buf_byte(b, ' ');
	site_put_percent(b, l->change->ratio);
	buf_str(b, ": ");
	markup_text(b, site_bench(s));
	buf_byte(b, ' ');
	site_put_factors(b, s);
	buf_byte(b, ' ');
	markup_text(b, s->name[SITE_METRIC]);
	buf_str(b, " (");
	site_put_host(b, s);
	buf_printf(b, ")</title><link href=\"%s.html\"/><updated>", m->page[s->page].path);
	site_put_stamp(b, m->place[l->place].at);
	buf_str(b, "</updated><summary>");
	buf_str(b, l->change->drift ? "Drift up to " : "Change at ");
	markup_text(b, m->place[l->place].commit.len ? m->place[l->place].commit
	                                             : m->place[l->place].run);
	buf_str(b, ", from ");
	site_put_value(b, l->change->change.before, s->name[SITE_UNIT]);
	buf_str(b, " to ");
	site_put_value(b, l->change->change.after, s->name[SITE_UNIT]);
	buf_str(b, "</summary></entry>\n");
	buf_free(&key);
}

static void write_feed(const struct site_model *m, struct site_dir *d)
{
	struct listed_all list = list_changes(m, SITE_WORSE, true);
	struct buf b = { 0 };
	char id[SITE_ID + 1];

	site_id(id, text_of(m->opts->title), FEED_SEED);
	buf_printf(&b,
	    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	    "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>urn:x-bench-site:%s</id>"
	    "<title>",
	    id);
	markup_text(&b, text_of(m->opts->title));
	buf_str(&b, "</title><author><name>bench-report</name></author>"
	            "<link rel=\"self\" href=\"feed.xml\"/><link href=\"index.html\"/>"
	            "<updated>");
	site_put_stamp(
	    &b, list.count ? m->place[list.item[0].place].at : TEXT("1970-01-01T00:00:00"));
	buf_str(&b, "</updated>\n");
	for (size_t i = 0; i < list.count && i < ENTRIES_MOST; i++)
		put_entry(&b, m, &list.item[i]);
	buf_str(&b, "</feed>\n");
	site_dir_put(d, "feed.xml", &b);
	buf_free(&b);
	free(list.item);
}

void site_write_changes(const struct site_model *m, struct site_dir *d)
{
	write_list(m, d, "regressions.html", "Regressions", SITE_WORSE);
	write_list(m, d, "improvements.html", "Improvements", SITE_BETTER);
	write_feed(m, d);
}
