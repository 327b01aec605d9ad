/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Subjects of rows; see subject_groups.h.
 */
#include <stdlib.h>

#include "record/subject_groups.h"

/* A group to find. */
struct group_search {
	const struct subject_groups *in;
	const struct groups *groups;
	size_t group;
};

static bool same_subject(const void *ctx, size_t subject)
{
	const struct group_search *s = ctx;

	return groups_same_subject(s->groups, s->in->first[subject], s->group);
}

size_t subject_groups_add(struct subject_groups *g, const struct groups *groups)
{
	const struct group_search search = { g, groups, g->groups };
	const uint32_t group = (uint32_t)g->groups;
	size_t subject = hash_map_add(
	    &g->subjects, groups_subject_hash(groups, group), same_subject, &search);

	*VEC_ADD(g->next, g->groups, g->groups_cap) = SUBJECT_END;
	if (subject == g->count) {
		*VEC_ADD(g->last, subject, g->last_cap) = group;
		*VEC_ADD(g->first, g->count, g->cap) = group;
		return subject - 1;
	}
	g->next[g->last[subject]] = group;
	g->last[subject] = group;
	return subject;
}

void subject_groups_free(struct subject_groups *g)
{
	free(g->first);
	free(g->last);
	free(g->next);
	hash_map_free(&g->subjects);
}

void subject_name(const struct groups *groups, size_t group, const char *sign,
    const bool *left_out, struct buf *out)
{
	const struct schema *schema = groups_schema(groups);
	struct text bench = groups_cell(groups, group, COL_BENCH);

	buf_text(out, bench.len ? bench : groups_cell(groups, group, COL_KIND));
	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		struct text value = groups_cell(groups, group, i);

		if (value.len && !(left_out && left_out[i]))
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
