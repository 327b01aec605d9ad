/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the rows of queries, and runs the user's own statements.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_priv.h"
#include "sys/kernel_files.h"
#include "text/plural.h"

int store_printed(struct render *r, struct store_output *out, struct fault *f)
{
	if (render_close(r) == 0)
		return 0;
	out->error = errno;
	return fault_errno(f, "standard output");
}

static void put_hex(struct buf *b, struct text bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		buf_printf(b, "%02x", (unsigned char)bytes.ptr[i]);
}

struct cell store_cell(struct query *q, int column, struct buf *b)
{
	b->len = 0;
	switch (query_type(q, column)) {
	case QUERY_INTEGER:
		return CELL_OF_INTEGER(query_integer(q, column));
	case QUERY_NUMBER:
		return CELL_OF_NUMBER(query_number(q, column));
	case QUERY_TEXT:
		return CELL_OF_TEXT(query_text(q, column));
	case QUERY_BYTES:
		put_hex(b, query_bytes(q, column));
		return CELL_OF_TEXT((text_in(b)));
	default:
		return (struct cell){ .kind = CELL_EMPTY };
	}
}

/* Returns a column of a table. Lists that are too wide do first without the columns that
 * say least about a run or benchmark. */
static struct render_column query_column(const char *name)
{
	static const struct {
		const char *name;
		unsigned rank;
	} ranks[] = { { "env", 9 }, { "completeness", 8 }, { "series", 7 },
		{ "variants", 7 }, { "benches", 6 }, { "tags", 5 }, { "author", 4 },
		{ "added", 4 }, { "rows", 3 }, { "failed", 2 }, { "host", 1 } };
	struct render_column column = { .name = name };

	for (size_t i = 0; i < COUNT(ranks); i++)
		if (strcmp(name, ranks[i].name) == 0)
			column.rank = ranks[i].rank, column.factor = ranks[i].rank > 1;
	return column;
}

int store_print(struct query *q, struct store_output *out, struct fault *f)
{
	size_t columns = (size_t)query_columns(q);
	struct render_column *column = mem_zero(columns, sizeof(*column));
	struct cell *cells = mem_zero(columns, sizeof(*cells));
	struct buf *made = mem_zero(columns, sizeof(*made));
	struct render *r;
	int got;

	query_many(q);
	got = query_next(q, f); /* may fail before anything is printed */

	for (size_t i = 0; i < columns; i++)
		column[i] = query_column(query_name(q, (int)i));
	r = got < 0 ? NULL : render_open(&out->to, column, columns);
	for (; got > 0; got = query_next(q, f)) {
		for (size_t i = 0; i < columns; i++)
			cells[i] = store_cell(q, (int)i, &made[i]);
		render_row(r, cells);
		out->printed = true;
	}
	if (r && store_printed(r, out, f) < 0)
		got = -1;
	for (size_t i = 0; i < columns; i++)
		buf_free(&made[i]);
	free(made);
	free(cells);
	free(column);
	return got;
}

static int run_statements(struct store *s, const char *sql, char *const *value,
    size_t values, struct store_output *out, struct fault *f)
{
	struct query *q;
	size_t most = 0;
	bool end = false;
	int status = 0;

	db_allow_long(s->db);
	while (status == 0 && (q = db_query_next(s->db, &sql, &end, f))) {
		size_t wanted = (size_t)query_placeholders(q);

		if (wanted > values)
			status = fault_set(f,
			    "the statement has %zu placeholder%s, but %zu value%s given",
			    wanted, plural_s(wanted), values,
			    plural(values, " was", "s were"));
		most = wanted > most ? wanted : most;
		for (size_t i = 0; i < wanted && status == 0; i++)
			query_bind_text(q, (int)i + 1, text_of(value[i]));
		if (status == 0)
			status =
			    query_columns(q) ? store_print(q, out, f) : query_run(q, f);
		query_close(q);
	}
	if (status < 0 || !end)
		return -1;
	if (most < values)
		return fault_set(
		    f, "%zu values were given for %zu placeholders", values, most);
	return 0;
}

int store_sql(struct store *s, const char *sql, char *const *value, size_t values,
    struct store_output *out, struct fault *f)
{
	struct buf text = { 0 };
	int status = 0;

	if (strcmp(sql, "-") == 0)
		status = file_read("-", &text, f);
	else
		buf_str(&text, sql);
	if (status == 0)
		status = run_statements(s, text.ptr, value, values, out, f);
	buf_free(&text);
	return status;
}
