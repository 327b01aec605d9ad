/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of subjects; see subject_column.h.
 */
#include <string.h>

#include "record/record.h"
#include "subject/subject_column.h"
#include "subject/window_length.h"

const char *subject_column(const struct subject *s, const char *column)
{
	if (strcmp(column, "bench") == 0)
		return s->from->bench;
	if (strcmp(column, COLUMN_AA) == 0)
		return s->aa == 'b' ? "b" : s->aa ? "a" : "";
	for (size_t i = 0; i < s->factors; i++)
		if (strcmp(s->factor[i].name, column) == 0)
			return s->factor[i].value;
	return "";
}

const char *subject_title(const struct subject *s)
{
	const char *during =
	    s->from->kind == KIND_COMMAND ? "" : subject_column(s, DURING_COLUMN);

	return *during ? during : s->from->bench;
}

static bool equals_in(const struct subject *a, const struct subject *b, const char *column)
{
	return strcmp(subject_column(a, column), subject_column(b, column)) == 0;
}

/*
 * Returns whether a factor follows from others, so that it may differ: the shape follows
 * from the parameters, the name of the device from the backend, and not all backends have
 * threads.
 */
static bool may_differ(
    const struct subject *a, const struct subject *b, const char *name, const char *column)
{
	if (strcmp(column, "backend") != 0)
		return strcmp(name, "input_shape") == 0;
	return strcmp(name, "device") == 0 || strcmp(name, "device_type") == 0 ||
	       (strcmp(name, "threads") == 0 &&
	           (!*subject_column(a, name) || !*subject_column(b, name)));
}

/* Returns whether the factors of a, except this column, have the same values in b. */
static bool has_factors_of(
    const struct subject *a, const struct subject *b, const char *column)
{
	for (size_t i = 0; i < a->factors; i++) {
		const char *name = a->factor[i].name;

		if (strcmp(name, column) != 0 && !equals_in(a, b, name) &&
		    !may_differ(a, b, name, column))
			return false;
	}
	return true;
}

bool subject_differs_only_in(
    const struct subject *a, const struct subject *b, const char *column)
{
	return a->from->kind == b->from->kind &&
	       (strcmp(column, "bench") == 0 || equals_in(a, b, "bench")) &&
	       (strcmp(column, COLUMN_AA) == 0 || a->aa == b->aa) &&
	       has_factors_of(a, b, column) && has_factors_of(b, a, column);
}
