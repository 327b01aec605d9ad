/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the sides of a column, and finds the reference.
 */
#include <stdlib.h>

#include "compare/compare_notes.h"
#include "compare/compare_priv.h"
#include "text/near_name.h"
#include "text/shell_words.h"

/* Sets the message that there is one side, with a column that could distinguish several.
 * Returns -1. */
static int refuse_one_side(const struct compare *c, struct fault *f)
{
	size_t *id, count = groups_columns(c->subjects, &id), other = count;
	struct buf hint = { 0 };

	for (size_t i = count; i-- > 0;)
		if (!groups_constant(c->subjects, id[i]))
			other = i;
	if (other < count) {
		buf_str(&hint, "; compare the values of another column, such as -b ");
		shell_words_put(&hint, c->schema->name[id[other]]);
	}
	fault_set(f, "all rows have the same '%s', so there is nothing to compare%s",
	    c->opts.by, hint.len ? hint.ptr : "");
	buf_free(&hint);
	free(id);
	return -1;
}

/* Makes the side that the options name the reference. */
static int find_reference(struct compare *c, struct fault *f)
{
	struct known_names known = { 0 };
	char *what;

	if (!c->opts.reference)
		return 0;
	for (size_t s = 0; s < c->sides.count; s++) {
		struct text name = text_of(c->sides.side[s].name);

		if (text_is(name, c->opts.reference)) {
			c->reference = s;
			known_names_free(&known);
			return 0;
		}
		known_names_add(&known, name);
	}
	what = str_format("--reference: no row has the %s", c->opts.by);
	unknown_name(f, what, text_of(c->opts.reference), &known);
	free(what);
	return -1;
}

int compare_find_reference(struct compare *c, struct fault *f)
{
	if (find_reference(c, f) < 0)
		return -1;
	return c->opts.by && c->sides.count < 2 ? refuse_one_side(c, f) : 0;
}

/* Returns whether a group has values on another side than this one. */
static bool is_on_other_side(struct compare *c, size_t side, size_t group)
{
	const struct topic *t = &c->topic[group];

	for (size_t i = 0; i < t->count; i++)
		if (t->side[i].side < c->sides.count && t->side[i].side != side &&
		    compare_count(c, t->side[i].side, group))
			return true;
	return false;
}

int compare_check_sides(struct compare *c, struct fault *f)
{
	const long side = c->opts.by && !(c->opts.reference && !*c->opts.reference)
	                      ? intern_find(&c->values, TEXT(""))
	                      : -1;
	struct buf subject = { 0 }, word = { 0 };
	size_t with = c->topics;
	char *condition;

	for (size_t g = 0; side >= 0 && g < c->topics; g++) {
		if (!compare_count(c, (size_t)side, g))
			continue;
		if (is_on_other_side(c, (size_t)side, g))
			return 0;
		if (with == c->topics)
			with = g;
	}
	if (with == c->topics)
		return 0;
	compare_put_subject(&subject, c, c->topic[with].subject, -1);
	condition = str_format("%s!=", c->opts.by);
	shell_words_put(&word, condition);
	free(condition);
	fault_set(f,
	    "-b %s: the rows of %s have no %s, so they are on no side (leave them out with "
	    "--filter %s, or make them the old side with --reference '')",
	    c->opts.by, subject.ptr, c->opts.by, word.ptr);
	buf_free(&subject);
	buf_free(&word);
	return -1;
}
