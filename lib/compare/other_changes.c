/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the line about metrics that do not decide; see other_changes.h.
 */
#include <string.h>

#include "compare/other_changes.h"

enum { SHOWN = 8 };

bool other_changes_next(struct other_changes *o, const char *word)
{
	if (o->found++ >= SHOWN)
		return false;
	if (!o->word || strcmp(o->word, word) != 0) {
		buf_printf(o->lines, "%s%s: ", o->word ? "; " : "also ", word);
		buf_free(&o->subject);
	}
	o->word = word;
	return true;
}

void other_changes_subject(struct other_changes *o, struct buf *subject)
{
	const bool first = !o->subject.ptr;

	buf_byte(subject, '\0');
	if (!first && strcmp(o->subject.ptr, subject->ptr) == 0)
		buf_str(o->lines, ", ");
	else
		buf_printf(o->lines, "%s%s%s", first ? "" : "; ", subject->ptr,
		    *subject->ptr ? ": " : "");
	buf_free(&o->subject);
	o->subject = *subject;
	*subject = (struct buf){ 0 };
}

void other_changes_end(struct other_changes *o)
{
	if (o->found > SHOWN)
		buf_printf(o->lines, "; and %zu more", o->found - SHOWN);
	if (o->found)
		buf_str(o->lines, " (does not affect the exit status; see --metric)\n");
	buf_free(&o->subject);
}
