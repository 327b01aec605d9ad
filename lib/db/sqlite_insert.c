/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inserts rows into SQLite. Rows are collected in memory, and one statement inserts many of
 * them: it selects them from a virtual table, which reads them where they were collected.
 * A statement for each row would open the table and its indexes again for each row, and
 * search each of them from the root; this takes longer than the insertion of a small row.
 */
#include <stdlib.h>

#include "db/sqlite_priv.h"

/* The bytes of an insert that are collected, and the most columns. */
enum { COLLECTED_BYTES = 1 << 19, MOST_COLUMNS = 32 };

static const char table_name[] = "bench_rows", pointer_type[] = "bench_rows";

/* A value; the bytes of a string are in the buffer of the insert, at an offset. */
struct insert_value {
	enum query_type type;
	union {
		int64_t integer;
		double number;
		struct {
			size_t at, len;
		} bytes;
	};
};

struct sqlite_insert {
	struct sqlite_insert *next; /* in the order of opening */
	sqlite3_stmt *stmt;
	int columns;
	struct insert_value *value; /* rows * columns, then those of the next row */
	size_t rows, cap;           /* in rows */
	struct buf bytes;
};

/* The virtual table: its columns c0, c1 ... and a hidden one, the rows that it has. */

struct rows_cursor {
	sqlite3_vtab_cursor base;
	const struct sqlite_insert *insert;
	size_t row;
};

static struct rows_cursor *rows_cursor_of(sqlite3_vtab_cursor *c)
{
	return (struct rows_cursor *)c;
}

static int rows_connect(sqlite3 *handle, void *ctx, int argc, const char *const *argv,
    sqlite3_vtab **out, char **why)
{
	struct buf sql = { 0 };
	int code;

	(void)ctx;
	(void)argc;
	(void)argv;
	(void)why;
	buf_str(&sql, "CREATE TABLE rows (");
	for (int i = 0; i < MOST_COLUMNS; i++)
		buf_printf(&sql, "c%d, ", i);
	buf_str(&sql, "rows HIDDEN)");
	code = sqlite3_declare_vtab(handle, sql.ptr);
	buf_free(&sql);
	if (code == SQLITE_OK)
		*out = mem_zero(1, sizeof(**out));
	return code;
}

static int rows_disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

/* Allows only statements that say whose rows they read. */
static int rows_plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	for (int i = 0; i < info->nConstraint; i++)
		if (info->aConstraint[i].usable &&
		    info->aConstraint[i].iColumn == MOST_COLUMNS &&
		    info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ) {
			info->aConstraintUsage[i].argvIndex = 1;
			info->aConstraintUsage[i].omit = 1;
			return SQLITE_OK;
		}
	return SQLITE_CONSTRAINT;
}

static int rows_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
	struct rows_cursor *c = mem_zero(1, sizeof(*c));

	(void)table;
	*out = &c->base;
	return SQLITE_OK;
}

static int rows_close(sqlite3_vtab_cursor *c)
{
	free(c);
	return SQLITE_OK;
}

/* Begins to read. A statement of a user cannot have the pointer, and finds no rows. */
static int rows_filter(
    sqlite3_vtab_cursor *c, int plan, const char *text, int argc, sqlite3_value **argv)
{
	(void)plan;
	(void)text;
	rows_cursor_of(c)->row = 0;
	rows_cursor_of(c)->insert =
	    argc == 1 ? sqlite3_value_pointer(argv[0], pointer_type) : NULL;
	return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *c)
{
	rows_cursor_of(c)->row++;
	return SQLITE_OK;
}

static int rows_end(sqlite3_vtab_cursor *cursor)
{
	const struct rows_cursor *c = rows_cursor_of(cursor);

	return !c->insert || c->row == c->insert->rows;
}

static int rows_column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int column)
{
	const struct rows_cursor *c = rows_cursor_of(cursor);
	const struct sqlite_insert *in = c->insert;
	const struct insert_value *v;

	if (column >= in->columns)
		return SQLITE_OK;
	v = &in->value[c->row * (size_t)in->columns + (size_t)column];
	switch (v->type) {
	case QUERY_INTEGER:
		sqlite3_result_int64(out, v->integer);
		break;
	case QUERY_NUMBER: /* SQLite converts NAN to NULL */
		sqlite3_result_double(out, v->number);
		break;
	case QUERY_TEXT:
		sqlite3_result_text64(out, in->bytes.ptr + v->bytes.at, v->bytes.len,
		    SQLITE_STATIC, SQLITE_UTF8);
		break;
	case QUERY_BYTES:
		sqlite3_result_blob64(
		    out, in->bytes.ptr + v->bytes.at, v->bytes.len, SQLITE_STATIC);
		break;
	case QUERY_NULL:
		break;
	}
	return SQLITE_OK;
}

static int rows_id(sqlite3_vtab_cursor *c, sqlite3_int64 *id)
{
	*id = (sqlite3_int64)rows_cursor_of(c)->row;
	return SQLITE_OK;
}

static int register_rows(struct db *db, struct fault *f)
{
	static const sqlite3_module module = { .xConnect = rows_connect,
		.xBestIndex = rows_plan,
		.xDisconnect = rows_disconnect,
		.xOpen = rows_open,
		.xClose = rows_close,
		.xFilter = rows_filter,
		.xNext = rows_next,
		.xEof = rows_end,
		.xColumn = rows_column,
		.xRowid = rows_id };
	struct sqlite_file *file = (struct sqlite_file *)db;

	if (file->has_rows)
		return 0;
	if (sqlite3_create_module(file->handle, table_name, &module, NULL) != SQLITE_OK)
		return sqlite_fail(db, f);
	file->has_rows = true;
	return 0;
}

struct sqlite_insert *sqlite_insert_open(
    struct db *db, const char *table, const char *columns, int count, struct fault *f)
{
	struct sqlite_file *file = (struct sqlite_file *)db;
	struct sqlite_insert *in, **end = &file->inserts;
	struct buf sql = { 0 };
	int code;

	if (register_rows(db, f) < 0)
		return NULL;
	in = mem_zero(1, sizeof(*in));
	in->columns = count;
	buf_printf(&sql, "INSERT INTO %s (%s) SELECT c0", table, columns);
	for (int i = 1; i < count; i++)
		buf_printf(&sql, ", c%d", i);
	buf_printf(&sql, " FROM %s WHERE rows = $1", table_name);
	code = sqlite3_prepare_v2(file->handle, sql.ptr, -1, &in->stmt, NULL);
	buf_free(&sql);
	if (code == SQLITE_OK)
		code = sqlite3_bind_pointer(in->stmt, 1, in, pointer_type, NULL);
	if (code != SQLITE_OK) {
		sqlite_fail(db, f);
		sqlite3_finalize(in->stmt);
		free(in);
		return NULL;
	}
	while (*end)
		end = &(*end)->next;
	*end = in;
	return in;
}

void sqlite_insert_close(struct db *db, struct sqlite_insert *in)
{
	struct sqlite_insert **p = &((struct sqlite_file *)db)->inserts;

	while (*p != in)
		p = &(*p)->next;
	*p = in->next;
	sqlite3_finalize(in->stmt);
	buf_free(&in->bytes);
	free(in->value);
	free(in);
}

/* Returns the value of a column of the next row. Columns are numbered from 1. */
static struct insert_value *insert_value_at(struct sqlite_insert *in, int at)
{
	size_t columns = (size_t)in->columns;

	if (in->rows >= in->cap)
		in->value = mem_more(in->value, &in->cap, columns * sizeof(*in->value));
	return &in->value[in->rows * columns + (size_t)at - 1];
}

void sqlite_insert_integer(struct sqlite_insert *in, int at, int64_t n)
{
	*insert_value_at(in, at) =
	    (struct insert_value){ .type = QUERY_INTEGER, .integer = n };
}

void sqlite_insert_number(struct sqlite_insert *in, int at, double x)
{
	*insert_value_at(in, at) =
	    (struct insert_value){ .type = QUERY_NUMBER, .number = x };
}

void sqlite_insert_bytes(
    struct sqlite_insert *in, int at, enum query_type type, struct text t)
{
	*insert_value_at(in, at) = (struct insert_value){ .type = type,
		.bytes = { .at = in->bytes.len, .len = t.len } };
	buf_text(&in->bytes, t);
}

/* Inserts the rows that were collected. 0 or -1. */
static int insert_rows(struct db *db, struct sqlite_insert *in, struct fault *f)
{
	int code;

	if (!in->rows)
		return 0;
	sqlite_limits_renew(sqlite_budget_of(db));
	code = sqlite3_step(in->stmt);
	if (code != SQLITE_DONE)
		sqlite_fail(db, f);
	sqlite3_reset(in->stmt);
	in->rows = in->bytes.len = 0;
	return code == SQLITE_DONE ? 0 : -1;
}

int sqlite_insert_flush(struct db *db, struct fault *f)
{
	struct sqlite_insert *in = ((struct sqlite_file *)db)->inserts;

	for (; in; in = in->next)
		if (insert_rows(db, in, f) < 0)
			return -1;
	return 0;
}

int sqlite_insert_row(struct db *db, struct sqlite_insert *in, struct fault *f)
{
	size_t row_bytes = (size_t)in->columns * sizeof(*in->value);

	in->rows++;
	if (in->bytes.len + in->rows * row_bytes < COLLECTED_BYTES)
		return 0;
	return sqlite_insert_flush(db, f);
}

void sqlite_insert_discard(struct db *db)
{
	struct sqlite_insert *in = ((struct sqlite_file *)db)->inserts;

	for (; in; in = in->next)
		in->rows = in->bytes.len = 0;
}
