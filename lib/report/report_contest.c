/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the subjects that a report compares; see report_contest.h.
 */
#include <stdlib.h>

#include "report/report_contest.h"

void contest_close(struct contest *c)
{
	free(c->first_alike);
	free(c->next_alike);
	free(c->next_held);
	free(c->is_first);
	free(c->last_held);
	intern_free(&c->sets);
	free(c->held);
	free(c->subject);
}

struct text contest_cell(const struct contest *c, size_t subject, size_t column)
{
	return groups_cell(c->from->groups, c->all->item[subject].group[0], column);
}

bool contest_is_kind(const struct contest *c, size_t subject, const char *kind)
{
	return text_is(contest_cell(c, subject, COL_KIND), kind);
}

bool contest_is_work(const struct contest *c, size_t subject)
{
	return contest_is_kind(c, subject, "kernel") ||
	       contest_is_kind(c, subject, "model");
}

bool contest_is_measured(const struct contest *c, size_t subject)
{
	const struct collected *of =
	    collect_group(c->from->collect, c->all->item[subject].head);

	return of && of->count + of->missing->limits > 0;
}

/* Returns whether a kernel or model was measured with the same data type on two
 * backends. */
static bool share_types(const struct contest *c)
{
	const struct schema *schema = groups_schema(c->from->groups);
	long backend = schema_find(schema, text_of("backend")),
	     dtype = schema_find(schema, text_of("dtype"));
	struct intern works = { 0 }; /* each kernel or model in each data type */
	size_t *first = mem_zero(c->all->count + 1, sizeof(*first));
	struct buf key = { 0 };
	bool shared = false;

	for (size_t i = 0; backend >= 0 && dtype >= 0 && !shared && i < c->all->count;
	     i++) {
		size_t known = works.count, work;

		if (!contest_is_work(c, i) || !contest_is_measured(c, i))
			continue;
		key.len = 0;
		buf_put(&key, &c->first_alike[i], sizeof(c->first_alike[i]));
		buf_text(&key, contest_cell(c, i, (size_t)dtype));
		work = intern_add(&works, text_in(&key));
		if (work == known)
			first[work] = i;
		shared = !text_equal(contest_cell(c, first[work], (size_t)backend),
		    contest_cell(c, i, (size_t)backend));
	}
	intern_free(&works);
	buf_free(&key);
	free(first);
	return shared;
}

/* Chains the subjects of each kind and bench, so that a search need not visit all. */
static void chain_alike(struct contest *c)
{
	size_t count = c->all->count, *last = mem_zero(count + 1, sizeof(*last));
	struct intern names = { 0 };
	struct buf key = { 0 };

	c->first_alike = mem_zero(count + 1, sizeof(*c->first_alike));
	c->next_alike = mem_zero(count + 1, sizeof(*c->next_alike));
	for (size_t i = 0; i < count; i++) {
		size_t known = names.count, number;

		key.len = 0;
		buf_text(&key, contest_cell(c, i, COL_KIND));
		buf_byte(&key, '\0');
		buf_text(&key, contest_cell(c, i, COL_BENCH));
		number = intern_add(&names, text_in(&key));
		if (number < known)
			c->next_alike[last[number]] = i;
		c->first_alike[i] = number < known ? c->first_alike[last[number]] : i;
		c->next_alike[i] = SIZE_MAX;
		last[number] = i;
	}
	intern_free(&names);
	buf_free(&key);
	free(last);
}

void contest_open(
    struct contest *c, const struct fastest *from, const struct brief_subjects *all)
{
	*c = (struct contest){ .from = from, .all = all };
	c->columns = groups_schema(from->groups)->count;
	c->held = mem_zero(c->columns, sizeof(*c->held));
	c->next_held = mem_zero(all->count + 1, sizeof(*c->next_held));
	c->is_first = mem_zero(all->count + 1, sizeof(*c->is_first));
	chain_alike(c);
	c->types_shared = share_types(c);
}

void contest_put_held(const struct contest *c, size_t subject, struct buf *key)
{
	for (size_t i = 0; i < c->columns; i++) {
		struct text cell = contest_cell(c, subject, i);

		if (!c->held[i])
			continue;
		buf_put(key, &cell.len, sizeof(cell.len));
		buf_text(key, cell);
	}
}

/* Appends a string that subjects have in common if brief_subjects_match(). */
static void put_match(const struct contest *c, size_t subject, struct buf *key)
{
	const struct groups *g = c->from->groups;
	const size_t head = c->all->item[subject].head;
	const bool benches_differ = contest_is_kind(c, subject, "command") ||
	                            contest_is_kind(c, subject, "function");
	const struct text part[] = { contest_cell(c, subject, COL_KIND),
		groups_cell(g, head, COL_METRIC), groups_cell(g, head, COL_UNIT),
		benches_differ ? (struct text){ 0 } : contest_cell(c, subject, COL_BENCH) };

	for (size_t i = 0; i < COUNT(part); i++) {
		buf_text(key, part[i]);
		buf_byte(key, '\0');
	}
}

void contest_join(struct contest *c, size_t subject)
{
	struct buf key = { 0 };
	size_t set, known = c->sets.count;

	put_match(c, subject, &key);
	contest_put_held(c, subject, &key);
	set = intern_add(&c->sets, text_in(&key));
	buf_free(&key);
	if (set == known)
		*VEC_ADD(c->last_held, c->lasts, c->lasts_cap) = subject;
	else
		c->next_held[c->last_held[set]] = subject;
	c->is_first[subject] = set == known;
	c->next_held[subject] = SIZE_MAX;
	c->last_held[set] = subject;
}

bool contest_find(struct contest *c, size_t first)
{
	c->count = 0;
	if (!c->is_first[first])
		return false;
	for (size_t i = first; i != SIZE_MAX; i = c->next_held[i])
		*VEC_ADD(c->subject, c->count, c->cap) = i;
	return c->count > 1;
}

void contest_rank(
    struct contest *c, char *(*name_of)(const struct contest *c, size_t subject))
{
	const struct groups *g = c->from->groups;
	size_t head = c->all->item[c->subject[0]].head,
	       *place = mem_zero(c->count, sizeof(*place));
	const struct collected **values = mem_zero(c->count, sizeof(*values));
	const struct ranking_opts opts = { .better = metrics_better(c->all->metrics,
		                               groups_cell(g, head, COL_METRIC),
		                               groups_cell(g, head, COL_UNIT)),
		.inference = INFERENCE_DEFAULTS,
		.threshold = 0.02,
		.floors = c->from->floors,
		.place = place };

	c->name = mem_zero(c->count, sizeof(*c->name));
	for (size_t i = 0; i < c->count; i++) {
		const struct brief_subject *of = &c->all->item[c->subject[i]];

		collect_identify(c->from->collect, of->head);
		values[i] = collect_group(c->from->collect, of->head);
		place[i] = of->head;
		c->name[i] = name_of(c, c->subject[i]);
	}
	ranking_make(&c->ranking, values, c->count, &opts);
	free(values);
	free(place);
}

void contest_clear(struct contest *c)
{
	ranking_free(&c->ranking);
	for (size_t i = 0; i < c->count; i++)
		free(c->name[i]);
	free(c->name);
	c->name = NULL;
}
