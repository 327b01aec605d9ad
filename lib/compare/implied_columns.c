/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns that follow from the side, if the sides are backends. A backend runs on its own
 * device, and an engine has its own options, so no row of one side would have the subject
 * of a row of another side.
 *
 * Such a column has one string on each side. So the rows of a side that differ still differ
 * without it, and only groups of different sides become one group. A column that may be a
 * property of the work, such as dtype, is never left out if two sides have different
 * strings.
 */
#include <stdlib.h>

#include "compare/compare_priv.h"
#include "record/backend_column.h"

/* The text that a column has on a side; empty in rows that were not measured. */
struct side_text {
	struct text text;
	bool several;
};

/* Finds the text of a column on each side. */
static void find_texts(const struct compare *c, size_t column, struct side_text *of)
{
	for (size_t i = 0; i < c->sides.count; i++)
		of[i] = (struct side_text){ 0 };
	for (size_t i = 0; i < c->topics; i++) {
		const struct text t = groups_cell(c->groups, i, column);

		for (size_t k = 0; t.len && k < c->topic[i].count; k++) {
			const struct topic_side *at = &c->topic[i].side[k];

			if (!c->has_rows[at->gathering])
				continue;
			of[at->side].several =
			    of[at->side].several ||
			    (of[at->side].text.len && !text_equal(of[at->side].text, t));
			of[at->side].text = t;
		}
	}
}

/* Returns whether a column follows from the side: it has one string on each side, and these
 * differ. Those of a column that does not describe a backend differ only by lacking. */
static bool is_implied(const struct compare *c, size_t column, struct side_text *of)
{
	const bool describes = backend_column(c->schema->name[column]);
	struct text some = { 0 };
	bool lacks = false, differs = false;

	find_texts(c, column, of);
	for (size_t i = 0; i < c->sides.count; i++) {
		if (of[i].several)
			return false;
		lacks = lacks || !of[i].text.len;
		differs = differs ||
		          (some.len && of[i].text.len && !text_equal(some, of[i].text));
		if (of[i].text.len)
			some = of[i].text;
	}
	return some.len && (describes ? lacks || differs : lacks && !differs);
}

/* Adds the gathering of a side to those of a topic. Of two gatherings of one side, one is
 * that of another subject, such as an earlier version of the engine in a file of --floor,
 * and has no rows to compare. Returns false if neither can be left out. */
static bool add_gathering(
    const struct compare *c, struct topic *to, const struct topic_side *from)
{
	size_t at = 0;

	while (at < to->count && to->side[at].side < from->side)
		at++;
	if (at < to->count && to->side[at].side == from->side) {
		const bool here = c->has_rows[to->side[at].gathering],
		           there = c->has_rows[from->gathering];

		if (there && !here)
			to->side[at] = *from;
		return from->side != ANY_SIDE && !(here && there);
	}
	compare_insert_side(to, at, from);
	return true;
}

/* Adds the gatherings of a topic to those of another one. Returns false if both have rows
 * of one side. */
static bool add_sides(const struct compare *c, struct topic *to, const struct topic *from)
{
	for (size_t k = 0; k < from->count; k++)
		if (!add_gathering(c, to, &from->side[k]))
			return false;
	return true;
}

/* The groups and topics without some columns. */
struct reduced {
	struct groups *groups, *subjects, *families;
	struct topic *topic;
	size_t topics, cap;
};

static void free_reduced(struct reduced *r)
{
	for (size_t i = 0; i < r->topics; i++)
		free(r->topic[i].side);
	free(r->topic);
	groups_close(r->groups);
	groups_close(r->subjects);
	groups_close(r->families);
}

/* Adds a group to the reduced ones. Returns false if another one has the same key and
 * side. */
static bool add_group(
    struct reduced *r, const struct compare *c, size_t group, struct text *cell)
{
	const struct row row = { .schema = c->schema, .cell = cell };
	size_t reduced;

	groups_cells(c->groups, group, cell);
	reduced = groups_find(r->groups, &row);
	if (reduced == r->topics)
		*VEC_ADD(r->topic, r->topics, r->cap) =
		    compare_topic(c, r->subjects, r->families, &row);
	return add_sides(c, &r->topic[reduced], &c->topic[group]);
}

/* Opens groups by the columns of a subject, except some. */
static struct groups *open_groups(
    const struct compare *c, const char *const *except, size_t excepts)
{
	return groups_open(
	    c->schema, &(struct group_by){ .except = except, .excepts = excepts });
}

/* Leaves the columns of implied_except out of the groups, of which the subjects lack
 * `left_out`, unless two groups of a side then had the same key. */
static void leave_out(struct compare *c, size_t left_out)
{
	const size_t all = left_out + 2;
	struct text *cell = mem_zero(c->schema->count, sizeof(*cell));
	struct reduced r = { open_groups(c, c->implied_except, left_out),
		open_groups(c, c->implied_except, all),
		open_groups(c, c->implied_except + all, all), NULL, 0, 0 };
	bool distinct = true;

	for (size_t i = 0; i < c->topics && distinct; i++)
		distinct = add_group(&r, c, i, cell);
	free(cell);
	if (distinct) {
		const struct reduced old = { c->groups, c->subjects, c->families, c->topic,
			c->topics, c->topic_cap };

		c->groups = r.groups;
		c->subjects = r.subjects;
		c->families = r.families;
		c->topic = r.topic;
		c->topics = r.topics;
		c->topic_cap = r.cap;
		r = old;
	} else
		c->implied_count = 0;
	free_reduced(&r);
}

void compare_leave_implied(struct compare *c)
{
	struct side_text *of;
	const char **implied;
	size_t left_out;

	if (!c->opts.by || c->opts.names || !backend_column(c->opts.by))
		return;
	of = mem_zero(c->sides.count, sizeof(*of));
	implied = mem_zero(c->schema->count, sizeof(*implied));
	for (size_t id = COL_FACTORS; id < c->schema->count; id++)
		if ((long)id != c->by && column_kind(id) == COLUMN_SUBJECT &&
		    is_implied(c, id, of))
			implied[c->implied_count++] = c->schema->name[id];
	if (c->implied_count) {
		c->implied_except =
		    compare_unkeyed(c, implied, c->implied_count, &left_out);
		leave_out(c, left_out);
	}
	free(of);
	free(implied);
}
