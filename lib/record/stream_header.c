/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes the headers of tables; see stream_header.h. */
#include <math.h>

#include "record/stream_header.h"
#include "text/near_name.h"
#include "text/units.h"
#include "text/utf8.h"

static const char *const fact_columns[FACT_FIELDS] = { "env", "fact", "value" };
static const char *const subject_columns[] = { "kind", "bench", "subject" };

size_t stream_header_find(const struct text *field, size_t count, struct text name)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(field[i], name))
			return i;
	return SIZE_MAX;
}

int stream_header_need(
    const struct text *field, size_t count, struct text column, struct fault *f)
{
	struct known_names known = { 0 };

	if (stream_header_find(field, count, column) != SIZE_MAX)
		return 0;
	for (size_t i = 0; i < count; i++)
		known_names_add(&known, field[i]);
	return unknown_name(f, "-m: the header has no column", column, &known);
}

/* Returns the position of a column that has a fixed place in CSV, or SIZE_MAX. */
static size_t find_column(
    const struct text *field, size_t count, bool json, const char *const *names, size_t i)
{
	if (json)
		return stream_header_find(field, count, text_of(names[i]));
	return i < count && text_is(field[i], names[i]) ? i : SIZE_MAX;
}

bool stream_header_facts(
    const struct text *field, size_t count, bool json, size_t at[FACT_FIELDS])
{
	if (count != FACT_FIELDS)
		return false;
	for (size_t i = 0; i < FACT_FIELDS; i++) {
		at[i] = find_column(field, count, json, fact_columns, i);
		if (at[i] == SIZE_MAX)
			return false;
	}
	return true;
}

bool stream_header_subjects(const struct text *field, size_t count, bool json)
{
	for (size_t i = 0; i < COUNT(subject_columns); i++)
		if (find_column(field, count, json, subject_columns, i) == SIZE_MAX)
			return false;
	return !json || stream_header_find(field, count, TEXT("metric")) == SIZE_MAX;
}

size_t stream_header_first(
    const struct text *field, size_t count, const char *const **names)
{
	size_t at[FACT_FIELDS];

	if (stream_header_facts(field, count, true, at)) {
		*names = fact_columns;
		return FACT_FIELDS;
	}
	*names = subject_columns;
	return stream_header_subjects(field, count, true) ? COUNT(subject_columns) : 0;
}

bool stream_header_rows(const struct text *field, size_t count)
{
	return stream_header_find(field, count, TEXT("metric")) != SIZE_MAX &&
	       stream_header_find(field, count, TEXT("value")) != SIZE_MAX;
}

int stream_header_check(const struct text *field, size_t count, struct fault *f)
{
	struct intern seen = { 0 };
	int status = 0;

	/* The byte order mark at the start of the file was already removed. */
	if (utf8_skip_mark(field[0]).len < field[0].len)
		return fault_set(f,
		    "a byte order mark before the header: pass such files as arguments "
		    "instead of joining them");
	for (size_t i = 0; i < count && status == 0; i++) {
		size_t first = intern_add(&seen, field[i]);

		if (!field[i].len)
			status =
			    fault_set(f, "column %zu of the header has no name", i + 1);
		else if (first != i)
			status =
			    fault_set(f, "columns %zu and %zu have the same name '%.*s'",
			        first + 1, i + 1,
			        field[i].len > 60 ? 60 : (int)field[i].len, field[i].ptr);
		else if (utf8_skip_mark(field[i]).len < field[i].len)
			status = fault_set(f,
			    "the name of column %zu of the header begins with a byte order "
			    "mark",
			    i + 1);
	}
	intern_free(&seen);
	return status;
}

int stream_type_check(
    size_t column, struct text name, enum field_type type, struct fault *f)
{
	const char *want = NULL;

	if (type == FIELD_NULL)
		return 0;
	if (column >= COL_FACTORS)
		want = type == FIELD_NESTED && !column_extra(name) ? "a string or a number"
		                                                   : NULL;
	else if (column_kind(column) == COLUMN_MEASUREMENT && column != COL_STATUS)
		want = type == FIELD_NUMBER ? NULL : "a number or null";
	else
		want = type == FIELD_TEXT ? NULL : "a string or null";
	if (!want)
		return 0;
	return fault_set(
	    f, "%.*s: must be %s", name.len > 60 ? 60 : (int)name.len, name.ptr, want);
}

bool stream_whole_number(struct text t, int64_t *out)
{
	double x;

	if (!number_parse(t, &x) || x != floor(x) || fabs(x) > 0x1p53)
		return false;
	*out = (int64_t)x;
	return true;
}
