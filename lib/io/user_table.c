/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that people write; see user_table.h. */
#include <stdlib.h>
#include <string.h>

#include "io/user_table.h"
#include "text/near_name.h"

/* Reports a column that is none of these. Returns -1. */
static int fault_unknown_column(const struct csv_table *g, const char *column,
    const char *const *names, size_t count, struct fault *f)
{
	struct known_names known = { 0 };
	struct fault why;

	known_names_add_all(&known, names, sizeof(*names), count);
	unknown_name(&why, "unknown column", text_of(column), &known);
	return csv_table_fault(g, f, "%s", why.text);
}

/* Returns the position of a name, or count. */
static size_t position_of(const char *name, const char *const *names, size_t count)
{
	size_t k = 0;

	while (k < count && strcmp(name, names[k]) != 0)
		k++;
	return k;
}

/* Fills t->at from the header. Returns 0, or -1 and the message. */
static int read_header(struct user_table *t, const char *const *names, size_t count,
    size_t required, struct fault *f)
{
	const struct csv_table *g = &t->csv;

	for (size_t i = 0; i < g->columns; i++) {
		const char *name = csv_table_name(g, i);
		size_t k = position_of(name, names, count);

		if (k == count)
			return fault_unknown_column(g, name, names, count, f);
		if (t->at[k] != SIZE_MAX)
			return csv_table_fault(g, f, "duplicate column '%s'", name);
		t->at[k] = i;
	}
	for (size_t k = 0; k < required; k++)
		if (t->at[k] == SIZE_MAX)
			return csv_table_fault(
			    g, f, "the column '%s' is missing", names[k]);
	return 0;
}

int user_table_open(struct user_table *t, const char *file, const char *const *names,
    size_t count, size_t required, struct fault *f)
{
	struct buf text = { 0 };
	int status = file_read(file, &text, f);

	t->at = mem_zero(count, sizeof(*t->at));
	for (size_t k = 0; k < count; k++)
		t->at[k] = SIZE_MAX;
	if (status == 0)
		status =
		    csv_table_open(&t->csv, text_in(&text), file, f);
	buf_free(&text);
	if (status < 0)
		return -1;
	return t->csv.columns ? read_header(t, names, count, required, f)
	                      : fault_set(f, "%s: the file is empty", file);
}

bool user_table_has(const struct user_table *t, size_t column)
{
	return t->at[column] != SIZE_MAX;
}

int user_table_next(struct user_table *t, struct fault *f)
{
	const struct csv_table *g = &t->csv;
	int more = csv_table_next(&t->csv, f);

	if (more > 0 && csv_table_fields(g) > g->columns)
		return csv_table_fault(g, f, "%zu fields, but the header has %zu columns",
		    csv_table_fields(g), g->columns);
	return more;
}

struct text user_table_field(const struct user_table *t, size_t column)
{
	return csv_table_field(&t->csv, t->at[column]);
}

void user_table_free(struct user_table *t)
{
	csv_table_free(&t->csv);
	free(t->at);
	*t = (struct user_table){ 0 };
}
