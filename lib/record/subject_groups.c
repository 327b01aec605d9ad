/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Subjects of rows; see subject_groups.h.
 */
#include <stdlib.h>

#include "record/subject_groups.h"

size_t subject_number(const struct groups *groups, size_t group, struct intern *keys)
{
	const struct schema *schema = groups_schema(groups);
	struct buf key = { 0 };
	size_t number;

	for (size_t i = 0; i < schema->count; i++)
		if (i != COL_METRIC && i != COL_UNIT) {
			struct text cell = groups_cell(groups, group, i);

			if (!cell.len)
				continue;
			buf_printf(&key, "%zu:%zu:", i, cell.len);
			buf_text(&key, cell);
		}
	number = intern_add(keys, text_in(&key));
	buf_free(&key);
	return number;
}

void subject_groups_add(struct subject_groups *g, size_t subject)
{
	size_t group = g->groups;

	*VEC_ADD(g->next, g->groups, g->groups_cap) = SUBJECT_END;
	if (subject == g->count) {
		*VEC_ADD(g->last, subject, g->last_cap) = group;
		*VEC_ADD(g->first, g->count, g->cap) = group;
		return;
	}
	g->next[g->last[subject]] = group;
	g->last[subject] = group;
}

void subject_groups_free(struct subject_groups *g)
{
	free(g->first);
	free(g->last);
	free(g->next);
}

void subject_name(
    const struct groups *groups, size_t group, const char *sign, struct buf *out)
{
	const struct schema *schema = groups_schema(groups);
	struct text bench = groups_cell(groups, group, COL_BENCH);

	buf_text(out, bench.len ? bench : groups_cell(groups, group, COL_KIND));
	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		struct text value = groups_cell(groups, group, i);

		if (value.len)
			buf_printf(out, "/%s%s%.*s", schema->name[i], sign, (int)value.len,
			    value.ptr);
	}
	if (!out->len)
		buf_str(out, "unnamed");
}

void subject_name_unique(struct intern *names, struct buf *name)
{
	size_t len = name->len;

	for (size_t same = 1;
	    intern_find(names, text_in(name)) >= 0;) {
		name->len = len;
		buf_printf(name, " (%zu)", ++same);
	}
	intern_add(names, text_in(name));
}
