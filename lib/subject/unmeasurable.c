/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks, counts and explains subjects that cannot be measured; see unmeasurable.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "subject/unmeasurable.h"

void subject_set_absent(struct subject *s, const struct fault *why)
{
	s->skipped = str_copy(why->text);
	s->absent = true;
}

struct unmeasurable subjects_unmeasurable(const struct subjects *list)
{
	struct unmeasurable n = { 0 };

	for (size_t i = 0; i < list->count; i++) {
		const struct subject *s = &list->subject[i];

		n.skipped += s->skipped && !s->unsupported;
		n.unsupported += s->unsupported;
		n.absent += s->absent;
	}
	return n;
}

void subjects_explain(
    const struct subjects *list, bool unsupported, bool with_names, struct buf *lines)
{
	struct intern told = { 0 };

	for (size_t i = 0; i < list->count; i++) {
		const struct subject *s = &list->subject[i];
		size_t before = told.count;
		char *line;

		if (!s->skipped || s->unsupported != unsupported)
			continue;
		line = with_names ? str_format("%s: %s: %s", s->from->bench,
		                        unsupported ? "unsupported" : "skipped", s->skipped)
		                  : str_copy(s->skipped);
		if (intern_add(&told, text_of(line)) == before)
			buf_printf(lines, "%s\n", line);
		free(line);
	}
	intern_free(&told);
}
