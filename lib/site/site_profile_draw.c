/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets bench-plot draw the profiles of a site; see site_profile_draw.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "io/csv_reader.h"
#include "site/site_profile_draw.h"
#include "sys/process_run.h"

enum { COMMIT_SHOWN = 9 };

/* A result of a stack. */
struct stack_result {
	struct text key; /* the names of its series */
	const struct site_entry *entry;
};

static int by_series(const void *a, const void *b)
{
	const struct stack_result *x = a, *y = b;
	size_t least = x->key.len < y->key.len ? x->key.len : y->key.len;
	int order = memcmp(x->key.ptr, y->key.ptr, least);

	return order ? order : (x->key.len > y->key.len) - (x->key.len < y->key.len);
}

/* The columns of a row that differ between stacks. */
struct stack_names {
	struct text comm, stack;
};

static void take_factor(void *ctx, struct factor f)
{
	struct stack_names *n = ctx;

	if (text_is(f.name, "comm"))
		n->comm = f.value;
	else if (text_is(f.name, "stack"))
		n->stack = f.value;
}

static void put_cells(struct buf *b, const struct text *cell, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		csv_reader_put_field(b, cell[i]);
		buf_byte(b, ',');
	}
}

/* Notes the first metric other than the number of samples. */
static void note_metric(struct site_profile_csv *r, struct text metric)
{
	if (text_is(metric, "samples"))
		r->counts = true;
	else if (!r->event)
		r->event = mem_text(metric.ptr, metric.len);
}

/* Appends the results of a profile in a visit, in an order that does not depend on earlier
 * builds. A value is the median of n samples, nearly always of one. */
static void put_visit(struct site_profile_csv *r, struct buf *b, const struct site_model *m,
    const struct site_profile *p, uint32_t visit, struct text commit)
{
	const struct site_visit *v = &m->cache.visit[visit];
	const struct site_entry *e = site_cache_entries(&m->cache, v);
	struct stack_result *list = mem_zero(v->entries + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < v->entries; i++)
		if (m->profile_of[e[i].series] == p->number + 1 && isfinite(e[i].value))
			list[count++] = (struct stack_result){
				intern_text(&m->cache.series, e[i].series), &e[i]
			};
	qsort(list, count, sizeof(*list), by_series);
	for (size_t i = 0; i < count; i++) {
		struct site_series s = { .points = 0 };
		struct stack_names n = { TEXT(""), TEXT("") };

		site_cache_names(&m->cache, list[i].entry->series, s.name);
		site_factors(&s, take_factor, &n);
		note_metric(r, s.name[SITE_METRIC]);
		const struct text cell[] = { text_of(v->run), s.name[SITE_HOST], commit,
			s.name[SITE_BENCH], n.comm, n.stack, TEXT("0"), s.name[SITE_METRIC],
			s.name[SITE_UNIT] };
		put_cells(b, cell, COUNT(cell));
		buf_printf(b, "%.17g\n", list[i].entry->value * list[i].entry->n);
	}
	free(list);
}

void site_profile_rows(
    struct site_profile_csv *r, const struct site_model *m, const struct site_profile *p)
{
	static const char header[] =
	    "run,host,commit,bench,comm,stack,sample,metric,unit,value\n";
	const struct site_visit *v = m->cache.visit;
	struct text new = text_of(v[p->newest].commit);

	*r = (struct site_profile_csv){ .event = NULL };
	buf_str(&r->newest, header);
	if (p->reference != SITE_NONE) {
		struct text old = text_of(v[p->reference].commit);

		/* Plots show the commits, shortened if they remain different. */
		if (new.len > COMMIT_SHOWN &&
		    old.len > COMMIT_SHOWN &&memcmp(new.ptr, old.ptr, COMMIT_SHOWN) != 0)
			new.len = old.len = COMMIT_SHOWN;
		buf_str(&r->both, header);
		put_visit(r, &r->both, m, p, p->reference, old);
		free(r->event);
		r->event = NULL;
		r->counts = false;
	}
	put_visit(r, &r->newest, m, p, p->newest, new);
	if (p->reference != SITE_NONE)
		buf_put(&r->both, r->newest.ptr + strlen(header),
		    r->newest.len - strlen(header));
	if (!r->event)
		r->event = str_copy("samples");
}

void site_profile_rows_free(struct site_profile_csv *r)
{
	buf_free(&r->newest);
	buf_free(&r->both);
	free(r->event);
}

/* A program that draws. */
struct drawing {
	struct process_run run;
	int input;
	bool started;
	struct buf *out;
	struct profile_drawn *result;
};

static void keep_failure(struct profile_drawn *d, const char *text, size_t len)
{
	if (!d->failure)
		d->failure = mem_text(text, len);
}

/* Starts bench-plot for a table of functions (svg: false) or a plot. */
static void start_drawing(struct drawing *g, const struct buf *rows, const char *metric,
    const char *theme, bool svg, bool differences)
{
	char *word[16] = { bin_path("bench-plot"), str_copy("flame"), str_copy("-y"),
		str_copy(metric) };
	const char *const svg_options[] = { "-F", "svg", "-o", "-", "--theme", theme };
	size_t words = 4;
	struct fault f;

	if (differences) {
		word[words++] = str_copy("-g");
		word[words++] = str_copy("commit");
	}
	for (size_t i = 0; svg && i < COUNT(svg_options); i++)
		word[words++] = str_copy(svg_options[i]);
	if (!svg)
		word[words++] = str_copy("--functions");
	g->input = process_run_input(text_in(rows), &f);
	g->started = g->input >= 0 && process_run_start(&g->run, word, g->input, &f) == 0;
	if (!g->started)
		keep_failure(g->result, f.text, strlen(f.text));
	for (size_t i = 0; i < words; i++)
		free(word[i]);
}

static void finish_drawing(struct drawing *g)
{
	struct buf said = { 0 };
	struct fault f;
	int status =
	    g->started ? process_run_wait(&g->run, g->out, &said, &f) : STATUS_FINE;

	if (status < 0)
		keep_failure(g->result, f.text, strlen(f.text));
	else if (status != STATUS_FINE && said.len)
		keep_failure(g->result, said.ptr, strcspn(said.ptr, "\n"));
	else if (status != STATUS_FINE)
		keep_failure(g->result, "bench-plot failed", strlen("bench-plot failed"));
	if (g->input >= 0)
		close(g->input);
	buf_free(&said);
}

void site_profile_draw(struct profile_drawn drawn[2], const struct site_profile_csv *r,
    const char *theme, bool differences)
{
	struct drawing g[4];
	size_t count = differences ? 4 : 2;

	/* Numbers of samples can be tested. */
	for (size_t i = 0; i < count; i++) {
		struct profile_drawn *result = &drawn[i / 2];
		bool svg = i % 2;

		g[i] = (struct drawing){ .input = -1,
			.out = svg ? &result->plot : &result->functions,
			.result = result };
		result->metric = i >= 2 && r->counts ? "samples" : r->event;
		start_drawing(&g[i], i < 2 ? &r->newest : &r->both, result->metric,
		    theme ? theme : "auto", svg, i >= 2);
	}
	for (size_t i = 0; i < count; i++)
		finish_drawing(&g[i]);
}

void site_profile_drawn_free(struct profile_drawn drawn[2])
{
	for (size_t i = 0; i < 2; i++) {
		buf_free(&drawn[i].functions);
		buf_free(&drawn[i].plot);
		free(drawn[i].failure);
	}
}
