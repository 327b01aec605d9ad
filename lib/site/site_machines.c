/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of machines: the newest facts of each, and when they changed.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "record/facts.h"
#include "site/site_html.h"
#include "site/site_pages.h"
#include "site/site_text.h"
#include "store/store_points.h"
#include "text/markup.h"

/* A fact of a machine, with the value of its newest run so far. */
struct site_fact {
	char *host, *env, *name, *value, *at;
};

/* A change of a fact: `fact` has the new value. */
struct fact_change {
	struct site_fact fact;
	char *old;
};

struct machines {
	struct site_fact *fact; /* newest values, by env and name */
	size_t facts, fact_cap;
	struct fact_change *change;
	size_t changes, change_cap;
};

static char *copy_of(struct text t)
{
	return mem_text(t.ptr, t.len);
}

/* Facts come by env, name and time. */
static void note_fact(void *ctx, const struct store_point_fact *p)
{
	struct machines *all = ctx;
	struct site_fact *last = all->facts ? &all->fact[all->facts - 1] : NULL;

	if (!last || !text_is(p->env, last->env) || !text_is(p->fact, last->name)) {
		last = VEC_ADD(all->fact, all->facts, all->fact_cap);
		*last = (struct site_fact){ .host = copy_of(p->host),
			.env = copy_of(p->env),
			.name = copy_of(p->fact),
			.value = copy_of(p->value),
			.at = copy_of(p->at) };
		return;
	}
	if (text_is(p->value, last->value))
		return;
	if (!facts_momentary(p->fact))
		*VEC_ADD(all->change, all->changes, all->change_cap) = (struct fact_change){
			{ copy_of(p->host), copy_of(p->env), copy_of(p->fact),
			    copy_of(p->value), copy_of(p->at) },
			str_copy(last->value)
		};
	free(last->value);
	last->value = copy_of(p->value);
}

static int newest_first(const void *a, const void *b)
{
	const struct fact_change *x = a, *y = b;
	int order = strcmp(y->fact.at, x->fact.at);

	if (!order)
		order = strcmp(x->fact.env, y->fact.env);
	return order ? order : strcmp(x->fact.name, y->fact.name);
}

static void put_cell(struct buf *b, const char *text)
{
	buf_str(b, "<td>");
	markup_text(b, text_of(text));
	buf_str(b, "</td>");
}

static void put_changes(struct buf *b, const struct machines *all)
{
	static const char *const columns[] = { "Date", "Host", "Environment", "Fact",
		"Before", "After", NULL };

	buf_str(b, "<h2>When facts changed</h2>\n");
	if (!all->changes) {
		buf_printf(b, "<p class=\"faint\">%s</p>\n",
		    all->facts
		        ? "No fact of an environment has changed."
			: "The store has no facts, so it is unknown how environments "
			  "differ; bench-env writes them.");
		return;
	}
	site_html_table(b, "fact-changes", "Changes of facts, newest first", columns);
	for (size_t i = 0; i < all->changes; i++) {
		const struct fact_change *c = &all->change[i];

		buf_str(b, "<tr><td>");
		site_put_date(b, text_of(c->fact.at));
		buf_str(b, "</td>");
		put_cell(b, c->fact.host);
		put_cell(b, c->fact.env);
		put_cell(b, c->fact.name);
		put_cell(b, c->old);
		put_cell(b, c->fact.value);
		buf_str(b, "</tr>\n");
	}
	site_html_table_end(b);
}

/* The runs of a host in one environment. */
struct stay {
	struct text host, env, first, last;
	size_t runs;
};

/* Appends a table of hosts and their environments, in the order of their first runs. */
static void put_stays(struct buf *b, const struct site_model *m)
{
	static const char *const columns[] = { "Host", "Environment", "First run",
		"Newest run", "#Runs", NULL };
	const struct site_cache *c = &m->cache;
	struct intern known = { 0 };
	struct buf key = { 0 };
	struct stay *stay = NULL;
	size_t stays = 0, cap = 0;

	for (size_t i = 0; i < c->visits; i++) {
		const struct site_visit *v = &c->visit[i];
		struct text name[SITE_NAMES];
		size_t number;

		if (!v->entries)
			continue;
		site_cache_names(c, site_cache_entries(c, v)->series, name);
		key.len = 0;
		buf_text(&key, name[SITE_HOST]);
		buf_byte(&key, '\0');
		buf_str(&key, v->env);
		number = intern_add(&known, text_in(&key));
		if (number == stays)
			*VEC_ADD(stay, stays, cap) = (struct stay){ name[SITE_HOST],
				text_of(v->env), text_of(v->at), text_of(v->at), 0 };
		stay[number].last = text_of(v->at);
		stay[number].runs++;
	}
	site_html_table(b, "hosts", "Hosts and their environments", columns);
	for (size_t i = 0; i < stays; i++) {
		buf_str(b, "<tr><td>");
		markup_text(b, stay[i].host);
		buf_str(b, "</td><td>");
		markup_text(b, stay[i].env);
		buf_str(b, "</td><td>");
		site_put_date(b, stay[i].first);
		buf_str(b, "</td><td>");
		site_put_date(b, stay[i].last);
		buf_printf(b, "</td><td class=\"number\">%zu</td></tr>\n", stay[i].runs);
	}
	site_html_table_end(b);
	intern_free(&known);
	buf_free(&key);
	free(stay);
}

static void put_facts(struct buf *b, const struct machines *all)
{
	static const char *const columns[] = { "Fact", "Value", NULL };

	for (size_t i = 0; i < all->facts; i++) {
		const struct site_fact *fact = &all->fact[i];

		if (!i || strcmp(fact->env, fact[-1].env) != 0) {
			if (i) {
				site_html_table_end(b);
				buf_str(b, "</details>\n");
			}
			buf_str(b, "<details><summary>");
			markup_text(b, text_of(fact->host));
			buf_str(b, ", environment ");
			markup_text(b, text_of(fact->env));
			buf_str(b, "</summary>\n");
			struct buf id = { 0 };

			buf_printf(&id, "facts-%zu", i);
			site_html_table(b, id.ptr, "Newest facts", columns);
			buf_free(&id);
		}
		buf_str(b, "<tr>");
		put_cell(b, fact->name);
		put_cell(b, fact->value);
		buf_str(b, "</tr>\n");
	}
	if (all->facts) {
		site_html_table_end(b);
		buf_str(b, "</details>\n");
	}
}

static void fact_free(struct site_fact *f)
{
	free(f->host);
	free(f->env);
	free(f->name);
	free(f->value);
	free(f->at);
}

int site_write_machines(
    const struct site_model *m, struct store *store, struct site_dir *d, struct fault *f)
{
	static const char *const no_scripts[] = { NULL };
	struct machines all = { 0 };
	struct buf b = { 0 };
	int status = store_points_facts(store, note_fact, &all, f);

	if (status == 0) {
		if (all.changes)
			qsort(all.change, all.changes, sizeof(*all.change), newest_first);
		site_html_begin(&b, m,
		    &(struct site_frame){
		        .title = "Machines", .base = "", .current = "machines.html" });
		buf_str(&b,
		    "<h1>Machines</h1>\n<p>An environment is a fingerprint of the facts of "
		    "a machine that rarely change. A change of the environment, or of a "
		    "fact, may explain changes of many series at one time.</p>\n");
		put_stays(&b, m);
		put_changes(&b, &all);
		if (all.facts)
			buf_str(&b, "<h2>Facts</h2>\n");
		put_facts(&b, &all);
		site_html_end(&b, "", no_scripts);
		site_dir_put(d, "machines.html", &b);
	}
	for (size_t i = 0; i < all.facts; i++)
		fact_free(&all.fact[i]);
	for (size_t i = 0; i < all.changes; i++) {
		fact_free(&all.change[i].fact);
		free(all.change[i].old);
	}
	free(all.fact);
	free(all.change);
	buf_free(&b);
	return status;
}
