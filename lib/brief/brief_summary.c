/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses between a sentence, a list and a table; see brief_summary.h.
 */
#include <math.h>
#include <stdlib.h>

#include "brief/brief_contests.h"
#include "brief/brief_summary.h"
#include "brief/brief_table.h"
#include "brief/brief_text.h"
#include "brief/ranking_text.h"
#include "text/display_text.h"

enum { INDENT = 2, SENTENCES_MOST = 6 };

/* Subjects that can be compared, by their numbers. */
struct comparable {
	const struct brief_subjects *all;
	size_t *subject;
	size_t count, cap;
	const struct collected **values; /* by place in subject */
	size_t *group;                   /* of the metric compared, likewise */
	size_t *contest;                 /* likewise; NULL: there is one */
	char **name;
};

/* Finds the subjects that can be compared with one, if it is the first of them. */
static void find_comparable(struct comparable *c, size_t first)
{
	const struct brief_subject *item = c->all->item;

	c->count = 0;
	for (size_t i = 0; i < c->all->count; i++) {
		if (!brief_subjects_match(c->all, &item[first], &item[i]))
			continue;
		if (i < first)
			return;
		*VEC_ADD(c->subject, c->count, c->cap) = i;
	}
}

/* Returns whether the subjects have different numbers of workers. More workers do more
 * work, so their throughputs are compared, not their times. */
static bool workers_vary(const struct comparable *c)
{
	long column = schema_find(groups_schema(c->all->groups), TEXT("workers"));

	if (column < 0 ||
	    !brief_subjects_vary(c->all, c->subject, c->count, (size_t)column))
		return false;
	for (size_t i = 0; i < c->count; i++)
		if (brief_subject_metric(
		        c->all, &c->all->item[c->subject[i]], "throughput") < 0)
			return false;
	return true;
}

static void set_values(
    struct comparable *c, struct collect *collect, const struct brief_opts *opts)
{
	c->values = mem_zero(c->count, sizeof(*c->values));
	c->group = mem_zero(c->count, sizeof(*c->group));
	c->name = mem_zero(c->count, sizeof(*c->name));
	for (size_t i = 0; i < c->count; i++) {
		const struct brief_subject *of = &c->all->item[c->subject[i]];

		c->group[i] = workers_vary(c)
		                  ? (size_t)brief_subject_metric(c->all, of, "throughput")
		                  : of->head;
		c->values[i] = collect_group(collect, c->group[i]);
		c->name[i] = str_copy(of->name);
	}
	display_text_fit(c->name, c->count, opts->width / 2, opts->utf8);
}

static void free_values(struct comparable *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->name[i]);
	free(c->name);
	free(c->values);
	free(c->group);
	free(c->contest);
}

static void put_sentence(struct buf *b, const struct comparable *c, const struct ranking *r,
    size_t place, const struct brief_opts *opts, bool listed)
{
	const char *const *name = (const char *const *)c->name;
	struct buf line = { 0 };

	if (listed) {
		buf_printf(&line, "%*s", INDENT, "");
		ranking_put_short(&line, r, place, name);
	} else
		ranking_put(&line, r, place, name);
	brief_wrap(b, line.ptr, opts->width, 0, listed ? 2 * INDENT : INDENT);
	buf_free(&line);
}

static void put_sentences(struct buf *b, const struct comparable *c,
    const struct ranking *r, const struct brief_opts *opts)
{
	bool listed = r->compared > 1;
	struct buf line = { 0 };

	if (r->item[0].rank != RANK_BEST) {
		brief_wrap(b, "no command can be compared: none has enough successful runs",
		    opts->width, 0, INDENT);
		return;
	}
	if (listed) {
		buf_printf(&line, "%s %s:", c->name[r->item[0].subject],
		    ranking_is_clear(r) ? "is the fastest" : "has the best median");
		brief_wrap(b, line.ptr, opts->width, 0, INDENT);
	}
	for (size_t i = 1; i < r->count; i++)
		put_sentence(b, c, r, i, opts, listed);
	buf_free(&line);
}

/* Appends what to do if too few values were measured to compare the rows of a table. */
static void put_advice(
    struct buf *b, const struct ranking *r, const struct brief_opts *opts)
{
	struct buf line = { 0 };

	ranking_put_advice(&line, r);
	if (line.len)
		brief_wrap(b, line.ptr, opts->width, 0, INDENT);
	buf_free(&line);
}

/* Appends a line with the name that all subjects share. */
static void put_bench(
    struct buf *b, const struct comparable *c, const struct brief_opts *opts)
{
	struct buf clean = { 0 };
	char *name;

	display_text_clean(
	    &clean, brief_subject_cell(c->all, &c->all->item[c->subject[0]], COL_BENCH));
	name = brief_fit(clean.ptr, opts->width, opts->utf8);
	buf_printf(b, "%s%s%s\n", opts->color ? "\033[1m" : "", name,
	    opts->color ? "\033[0m" : "");
	free(name);
	buf_free(&clean);
}

/* Returns whether the subjects differ in factors only. */
static bool is_sweep(const struct comparable *c)
{
	return !brief_subjects_vary(c->all, c->subject, c->count, COL_BENCH);
}

/* Returns whether a table of a sweep needs the name of what it compares: there are other
 * subjects. */
static bool is_one_of_several(const struct comparable *c)
{
	return c->count < c->all->count;
}

static void rank_comparable(struct comparable *c, struct collect *collect,
    const struct brief_opts *opts, struct ranking *r)
{
	const struct groups *g = c->all->groups;
	struct ranking_opts ranking = { .inference = opts->inference,
		.threshold = opts->threshold,
		.floors = opts->floors };

	set_values(c, collect, opts);
	c->contest = brief_contests(c->all, c->subject, c->count);
	ranking.contest = c->contest;
	ranking.place = c->group;
	ranking.better = metrics_better(c->all->metrics,
	    groups_cell(g, c->group[0], COL_METRIC), groups_cell(g, c->group[0], COL_UNIT));
	ranking_make(r, c->values, c->count, &ranking);
}

void brief_put_summary(struct buf *b, const struct brief_subjects *s,
    struct collect *collect, const struct brief_opts *opts)
{
	struct comparable c = { .all = s };

	for (size_t i = 0; i < s->count; i++) {
		struct ranking r;

		find_comparable(&c, i);
		if (c.count < 2)
			continue;
		rank_comparable(&c, collect, opts, &r);
		if (b->len)
			buf_byte(b, '\n');
		if (is_sweep(&c) && is_one_of_several(&c))
			put_bench(b, &c, opts);
		if (is_sweep(&c) || c.contest || c.count > SENTENCES_MOST) {
			brief_put_table(b, s,
			    &(struct table_subjects){ c.subject, c.group }, &r, collect,
			    is_sweep(&c), opts);
			put_advice(b, &r, opts);
		} else
			put_sentences(b, &c, &r, opts);
		ranking_free(&r);
		free_values(&c);
	}
	free(c.subject);
}
