/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pages of profiles: the flame graph of the newest run, and its differences from the
 * newest run of another commit. A page is drawn again only if its rows or its frame change.
 */
#include <stdlib.h>

#include "io/csv_table.h"
#include "report/report_profile_words.h"
#include "site/site_html.h"
#include "site/site_pages.h"
#include "site/site_profile_draw.h"
#include "site/site_text.h"
#include "text/markup.h"
#include "text/units.h"

enum { FUNCTIONS_MOST = 60, LINKS_MOST = 4, COLUMNS_MOST = 6 };
#define PROFILE_SEED 23

/* The columns of a table of functions: their names in CSV, and on the page. */
static const char *const csv_one[] = { "function", "self_pct", "total_pct", NULL };
static const char *const shown_one[] = { "Function", "#Self", "#Total", NULL };
static const char *const csv_two[] = { "function", "self_old_pct", "self_new_pct",
	"total_old_pct", "total_new_pct", "verdict", NULL };
static const char *const shown_two[] = { "Function", "#Self before", "#Self now",
	"#Total before", "#Total now", "Verdict", NULL };

static bool is_of_subject(const struct site_series *s, struct text bench, struct text kind)
{
	return text_equal(s->name[SITE_BENCH], bench) &&
	       text_equal(s->name[SITE_KIND], kind);
}

void site_put_profile_links(
    struct buf *b, const struct site_model *m, const struct site_series *s)
{
	size_t count;
	const struct site_profile *p = site_profile_find(m, s, &count);

	if (!count)
		return;
	buf_str(b, "<nav aria-label=\"Profiles\" class=\"siblings\">");
	for (size_t i = 0; i < count && count <= LINKS_MOST; i++) {
		buf_printf(b, "<a href=\"../b/profile-%s.html\">profile", p[i].id);
		if (count > 1) {
			buf_str(b, " (");
			site_put_host(b, &p[i].subject);
			buf_byte(b, ' ');
			site_put_factors(b, &p[i].subject);
			buf_byte(b, ')');
		}
		buf_str(b, "</a> ");
	}
	if (count > LINKS_MOST)
		buf_printf(b, "<a href=\"../profiles.html\">%zu profiles</a>", count);
	buf_str(b, "</nav>\n");
}

/* Appends links to the metrics of the benchmark. */
static void put_metrics(
    struct buf *b, const struct site_model *m, const struct site_series *subject)
{
	buf_str(b, "<nav aria-label=\"Metrics\" class=\"siblings\">");
	for (size_t i = 0; i < m->pages; i++) {
		const struct site_series *s = &m->series[m->page[i].first];

		if (m->page[i].part ||
		    !is_of_subject(s, subject->name[SITE_BENCH], subject->name[SITE_KIND]))
			continue;
		buf_printf(b, "<a href=\"../%s.html\">", m->page[i].path);
		markup_text(b, s->name[SITE_METRIC]);
		buf_str(b, "</a> ");
	}
	buf_str(b, "</nav>\n");
}

/* Appends the commit of a visit, its run and its date. */
static void put_visit_name(struct buf *b, const struct site_model *m, uint32_t visit)
{
	const struct site_visit *v = &m->cache.visit[visit];

	site_put_place(b, m, m->place_of[visit]);
	if (*v->commit) {
		buf_str(b, ", run ");
		markup_text(b, text_of(v->run));
	}
	buf_str(b, " of ");
	site_put_date(b, text_of(v->at));
}

/* Appends the part of a page that needs no drawing. */
static void put_top(struct buf *b, const struct site_model *m, const struct site_profile *p)
{
	const struct site_series *s = &p->subject;
	struct buf title = { 0 };

	markup_text(&title, site_bench(s));
	buf_str(&title, " profile");
	site_html_begin(
	    b, m, &(struct site_frame){ .title = title.ptr, .base = "../", .plots = true });
	buf_str(b, "<h1>");
	markup_text(b, site_bench(s));
	buf_str(b, " <small>profile</small></h1>\n");
	put_metrics(b, m, s);
	buf_str(b, "<p>");
	site_put_host(b, s);
	buf_byte(b, ' ');
	site_put_factors(b, s);
	buf_str(b, "</p>\n<p>The newest profile is that of ");
	put_visit_name(b, m, p->newest);
	if (p->reference == SITE_NONE) {
		buf_str(b, ". No earlier run of another commit has a profile.</p>\n");
	} else {
		buf_str(b, ". It is compared with that of ");
		put_visit_name(b, m, p->reference);
		buf_str(b, ".</p>\n");
	}
	buf_free(&title);
}

static void put_cell(struct buf *b, const char *cell, bool number)
{
	double value;

	if (!number) {
		buf_str(b, "<td>");
		markup_text(b, text_of(cell));
	} else {
		buf_str(b, "<td class=\"number\">");
		if (number_parse(text_of(cell), &value))
			buf_printf(b, "%.3g%%", value);
	}
	buf_str(b, "</td>");
}

/* Appends the first rows of a table of functions. */
static void put_functions(struct buf *b, const struct buf *csv, bool differences)
{
	const char *const *from = differences ? csv_two : csv_one;
	const char *const *shown = differences ? shown_two : shown_one;
	struct csv_table t = { .file = "the table of functions" };
	size_t at[COLUMNS_MOST], columns = 0;
	struct fault f;

	while (from[columns])
		columns++;
	if (csv_table_read(&t, text_in(csv), &f) == 0) {
		csv_table_locate(&t, from, columns, at);
		site_html_table(b, differences ? "differences" : "functions",
		    differences ? "Functions and their differences" : "Functions", shown);
		for (size_t i = 0; i < csv_table_rows(&t) && i < FUNCTIONS_MOST; i++) {
			buf_str(b, "<tr>");
			for (size_t k = 0; k < columns; k++)
				put_cell(b,
				    at[k] == SIZE_MAX ? "" : csv_table_cell(&t, i, at[k]),
				    *shown[k] == '#');
			buf_str(b, "</tr>\n");
		}
		site_html_table_end(b);
	}
	csv_table_free(&t);
}

/* Appends the sentences, the plot and the table of a drawing. */
static void put_drawn(struct buf *b, const struct site_profile *p,
    const struct profile_drawn *drawn, bool differences)
{
	const char *suffix = differences ? "-changes" : "";
	struct text bench = site_bench(&p->subject);
	char *name = mem_text(bench.ptr, bench.len);

	buf_printf(b, "<h2>%s, by ",
	    differences ? "Differences from the earlier commit" : "The newest profile");
	markup_text(b, text_of(drawn->metric));
	buf_str(b, "</h2>\n");
	if (drawn->failure) {
		buf_str(b, "<p class=\"worse\">The profile could not be drawn: ");
		markup_text(b, text_of(drawn->failure));
		buf_str(b, "</p>\n");
	} else {
		report_profile_words(
		    b, text_in(&drawn->functions), name);
		buf_printf(b,
		    "<figure class=\"profile\"><object type=\"image/svg+xml\" "
		    "data=\"profile-%s%s.svg\" aria-label=\"Flame graph\"></object>\n"
		    "<figcaption><a href=\"profile-%s%s.svg\">Only the flame graph</a>. "
		    "Click a frame to zoom in, press / to search and Escape to zoom "
		    "out.</figcaption></figure>\n",
		    p->id, suffix, p->id, suffix);
		put_functions(b, &drawn->functions, differences);
	}
	free(name);
}

/* The files of a profile; the last one only if there is a reference. */
enum profile_file { FILE_PAGE, FILE_NEWEST, FILE_CHANGES, PROFILE_FILES };

static char *file_of(const struct site_profile *p, enum profile_file file)
{
	static const char *const suffix[PROFILE_FILES] = { ".html", ".svg",
		"-changes.svg" };

	return str_format("b/profile-%s%s", p->id, suffix[file]);
}

/* Draws a profile and writes its files. */
static void draw_profile(const struct site_model *m, struct site_dir *d,
    const struct site_profile *p, const struct site_profile_csv *rows, struct buf *page,
    uint64_t hash)
{
	static const char *const scripts[] = { NULL };
	struct profile_drawn drawn[2] = { { .failure = NULL } };
	bool both = p->reference != SITE_NONE;

	site_profile_draw(drawn, rows, m->opts->theme, both);
	if (both)
		put_drawn(page, p, &drawn[1], true);
	put_drawn(page, p, &drawn[0], false);
	site_html_end(page, "../", scripts);
	/* A failure is no state to keep: the next build draws again. */
	hash += drawn[0].failure || drawn[1].failure;
	for (enum profile_file i = 0; i < (both ? PROFILE_FILES : FILE_CHANGES); i++) {
		const struct buf *content[] = { page, &drawn[0].plot, &drawn[1].plot };
		char *path = file_of(p, i);

		site_dir_write(d, path, hash, content[i]);
		free(path);
	}
	site_profile_drawn_free(drawn);
}

/* Keeps the files of the last build. Returns whether all of them are still there. */
static bool keep_files(struct site_dir *d, const struct site_profile *p, uint64_t hash)
{
	size_t files = p->reference == SITE_NONE ? FILE_CHANGES : PROFILE_FILES;
	bool there = true;

	for (int write = 0; write < 2 && there; write++)
		for (enum profile_file i = 0; i < files && there; i++) {
			char *path = file_of(p, i);

			if (write)
				site_dir_write(d, path, hash, NULL);
			else
				there = site_dir_has(d, path, hash);
			free(path);
		}
	return there;
}

static void write_profile(
    const struct site_model *m, struct site_dir *d, const struct site_profile *p)
{
	struct site_profile_csv rows;
	struct buf page = { 0 };
	uint64_t hash;

	site_profile_rows(&rows, m, p);
	put_top(&page, m, p);
	hash = text_hash(text_in(&page), PROFILE_SEED);
	hash = text_hash(text_in(&rows.newest), hash);
	if (p->reference != SITE_NONE)
		hash = text_hash(text_in(&rows.both), hash);
	if (!keep_files(d, p, hash))
		draw_profile(m, d, p, &rows, &page, hash);
	site_profile_rows_free(&rows);
	buf_free(&page);
}

static void put_list_row(
    struct buf *b, const struct site_model *m, const struct site_profile *p)
{
	buf_printf(b, "<tr><td><a href=\"b/profile-%s.html\">", p->id);
	markup_text(b, site_bench(&p->subject));
	buf_str(b, "</a> <span class=\"faint\">");
	site_put_factors(b, &p->subject);
	buf_str(b, "</span></td><td>");
	site_put_host(b, &p->subject);
	buf_str(b, "</td><td>");
	site_put_date(b, text_of(m->cache.visit[p->newest].at));
	buf_str(b, "</td><td>");
	site_put_place(b, m, m->place_of[p->newest]);
	buf_str(b, "</td><td>");
	if (p->reference != SITE_NONE)
		site_put_place(b, m, m->place_of[p->reference]);
	buf_str(b, "</td></tr>\n");
}

void site_write_profiles(const struct site_model *m, struct site_dir *d)
{
	static const char *const columns[] = { "Benchmark", "Host", "Newest", "Commit",
		"Compared with", NULL };
	static const char *const scripts[] = { NULL };
	struct buf b = { 0 };

	if (!m->profiles)
		return;
	site_html_begin(&b, m,
	    &(struct site_frame){
	        .title = "Profiles", .base = "", .current = "profiles.html" });
	buf_str(&b, "<h1>Profiles</h1>\n");
	site_html_table(&b, "profiles", "The newest profile of each subject", columns);
	for (size_t i = 0; i < m->profiles; i++) {
		write_profile(m, d, &m->profile[i]);
		put_list_row(&b, m, &m->profile[i]);
	}
	site_html_table_end(&b);
	site_html_end(&b, "", scripts);
	site_dir_put(d, "profiles.html", &b);
	buf_free(&b);
}
