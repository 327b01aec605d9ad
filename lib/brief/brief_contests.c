/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See brief_contests.h. A factor describes the work if its values vary within one bench on
 * one backend. Otherwise it follows from them, such as an option that one engine has. If no
 * two subjects have the same work, the factors that not all of them have are ignored, such
 * as the order of the numbers of a sort, which a copy of these numbers does not have.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "brief/brief_contests.h"
#include "record/backend_column.h"

/* The subjects, their columns, and which of them are in a key. */
struct keyed {
	const struct brief_subjects *all;
	const size_t *subject;
	size_t count, columns;
	bool *in_key; /* by column */
};

static bool is_rival(const struct keyed *k, size_t column)
{
	return column == COL_BENCH ||
	       (column >= COL_FACTORS &&
	           backend_column(groups_schema(k->all->groups)->name[column]));
}

/* Numbers the keys of the subjects in the order of their first appearance. Returns how many
 * there are. */
static size_t number_keys(const struct keyed *k, size_t *number)
{
	struct intern keys = { 0 };
	struct buf key = { 0 };
	size_t count;

	for (size_t i = 0; i < k->count; i++) {
		const struct brief_subject *of = &k->all->item[k->subject[i]];

		key.len = 0;
		buf_byte(&key, '\0');
		for (size_t id = 0; id < k->columns; id++)
			if (k->in_key[id]) {
				buf_text(&key, brief_subject_cell(k->all, of, id));
				buf_byte(&key, '\0');
			}
		number[i] = intern_add(&keys, text_in(&key));
	}
	count = keys.count;
	intern_free(&keys);
	buf_free(&key);
	return count;
}

/* Returns whether a column has different strings in subjects of one number. */
static bool varies_within(
    const struct keyed *k, size_t column, const size_t *number, size_t numbers)
{
	size_t *first = mem_zero(numbers, sizeof(*first)); /* place + 1; 0: none */
	bool varies = false;

	for (size_t i = 0; i < k->count && !varies; i++) {
		size_t *of = &first[number[i]];

		if (*of)
			varies =
			    !text_equal(brief_subject_cell(k->all,
			                    &k->all->item[k->subject[*of - 1]], column),
			        brief_subject_cell(
			            k->all, &k->all->item[k->subject[i]], column));
		else
			*of = i + 1;
	}
	free(first);
	return varies;
}

/* Takes the columns out of the key of which a subject has no value. */
static void keep_common_columns(struct keyed *k)
{
	for (size_t id = 0; id < k->columns; id++)
		for (size_t i = 0; i < k->count && k->in_key[id]; i++)
			k->in_key[id] =
			    brief_subject_cell(k->all, &k->all->item[k->subject[i]], id)
			        .len > 0;
}

size_t *brief_contests(const struct brief_subjects *s, const size_t *subject, size_t count)
{
	struct keyed k = { .all = s,
		.subject = subject,
		.count = count,
		.columns = groups_schema(s->groups)->count };
	size_t *number = mem_zero(count, sizeof(*number)), rivals, contests;

	k.in_key = mem_zero(k.columns, sizeof(*k.in_key));
	for (size_t id = 0; id < k.columns; id++)
		k.in_key[id] = is_rival(&k, id);
	rivals = number_keys(&k, number);
	for (size_t id = 0; id < k.columns; id++)
		k.in_key[id] = id >= COL_FACTORS && !is_rival(&k, id) &&
		               varies_within(&k, id, number, rivals);
	contests = number_keys(&k, number);
	if (contests == count) {
		keep_common_columns(&k);
		contests = number_keys(&k, number);
	}
	free(k.in_key);
	if (rivals > 1 && contests > 1 && contests < count)
		return number;
	free(number);
	return NULL;
}
