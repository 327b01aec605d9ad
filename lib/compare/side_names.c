/*
 * Sides and their machines; see side_names.h.
 */
#include <stdlib.h>

#include "compare/side_names.h"

static const enum column machine_column[SIDES_MACHINE] = { COL_HOST, COL_ENV };

size_t sides_add(struct sides *s, struct text name)
{
	*VEC_ADD(s->side, s->count, s->cap) =
	    (struct side){ .name = mem_text(name.ptr, name.len) };
	return s->count - 1;
}

void side_note_machine(struct side *s, const struct row *row)
{
	for (size_t i = 0; i < SIDES_MACHINE; i++) {
		struct text t = row->cell[machine_column[i]];
		struct intern *seen = &s->machine[i];

		if (!t.len ||
		    (seen->count && text_equal(t, intern_text(seen, s->machine_last[i]))))
			continue;
		s->machine_last[i] = intern_add(seen, t);
	}
}

/* Whether a set has a text that the other lacks: the first such one. */
static bool lacks(const struct intern *set, const struct intern *other, struct text *out)
{
	for (size_t i = 0; i < set->count; i++) {
		struct text t = intern_text(set, i);

		if (intern_find(other, t) >= 0)
			continue;
		*out = t;
		return true;
	}
	return false;
}

bool sides_differ(const struct side *old_side, const struct side *new_side,
    enum column column, struct text *old, struct text *new)
{
	size_t which = column == COL_HOST ? 0 : 1;
	const struct intern *before = &old_side->machine[which],
	                    *after = &new_side->machine[which];
	bool gone, come;

	if (!before->count || !after->count)
		return false;
	*old = intern_text(before, 0);
	*new = intern_text(after, 0);
	gone = lacks(before, after, old);
	come = lacks(after, before, new);
	return gone || come;
}

void sides_free(struct sides *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->side[i].name);
		for (size_t k = 0; k < SIDES_MACHINE; k++)
			intern_free(&s->side[i].machine[k]);
	}
	free(s->side);
}
