/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of corruption; see corruption.h.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "corruption.h"

enum { PAGE = 4096 };

static sqlite3 *open_file(const char *database)
{
	sqlite3 *db;

	if (sqlite3_open(database, &db) != SQLITE_OK)
		errx(2, "%s: %s", database, sqlite3_errmsg(db));
	return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *q;

	if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK)
		errx(2, "%s: %s", sql, sqlite3_errmsg(db));
	return q;
}

static char *column_text(sqlite3_stmt *q, int column)
{
	return str_copy((const char *)sqlite3_column_text(q, column));
}

static void learn_columns(struct corruption_table *t, sqlite3 *db)
{
	char *sql = str_format("SELECT name, pk FROM pragma_table_info('%s')", t->name);
	sqlite3_stmt *q = prepare(db, sql);
	struct buf keys = { 0 };

	while (sqlite3_step(q) == SQLITE_ROW) {
		*VEC_ADD(t->column, t->columns, t->column_cap) = column_text(q, 0);
		if (sqlite3_column_int(q, 1))
			buf_printf(
			    &keys, "%s%s", keys.len ? ", " : "", t->column[t->columns - 1]);
	}
	t->keys = keys.ptr;
	sqlite3_finalize(q);
	free(sql);
}

void corruption_learn(struct corruption_tables *t, const char *database)
{
	sqlite3 *db = open_file(database);
	sqlite3_stmt *q = prepare(
	    db, "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')");

	while (sqlite3_step(q) == SQLITE_ROW)
		if (*sqlite3_column_text(q, 0) == 'v') {
			*VEC_ADD(t->view, t->views, t->view_cap) = column_text(q, 1);
		} else {
			struct corruption_table *new = VEC_ADD(t->table, t->count, t->cap);

			*new = (struct corruption_table){ .name = column_text(q, 1) };
			learn_columns(new, db);
		}
	sqlite3_finalize(q);
	sqlite3_close(db);
}

void corruption_forget(struct corruption_tables *t)
{
	for (size_t i = 0; i < t->count; i++) {
		for (size_t c = 0; c < t->table[i].columns; c++)
			free(t->table[i].column[c]);
		free(t->table[i].column);
		free(t->table[i].name);
		free(t->table[i].keys);
	}
	for (size_t i = 0; i < t->views; i++)
		free(t->view[i]);
	free(t->table);
	free(t->view);
}

/* Corrupts bytes of the file. */

static char *change_bytes(const char *database, struct rng *rng, size_t most, bool one_bit)
{
	int fd = open(database, O_RDWR | O_CLOEXEC);
	unsigned char bytes[PAGE], old[PAGE];
	size_t len = 1 + rng_below(rng, most);
	struct stat st;
	off_t at;

	if (fd < 0 || fstat(fd, &st) < 0)
		err(2, "%s", database);
	at = (off_t)rng_below(rng, (uint64_t)st.st_size - len);
	if (pread(fd, bytes, len, at) != (ssize_t)len)
		err(2, "%s", database);
	memcpy(old, bytes, len);
	for (size_t i = 0; i < len; i++)
		if (one_bit)
			bytes[i] = (unsigned char)(bytes[i] ^ 1 << rng_below(rng, 8));
		else
			bytes[i] = (unsigned char)rng_next(rng);
	if (pwrite(fd, bytes, len, at) != (ssize_t)len || close(fd) < 0)
		err(2, "%s", database);
	return memcmp(old, bytes, len) == 0
	           ? NULL
	           : str_format("%zu bytes at %lld", len, (long long)at);
}

static char *flip_bit(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	(void)t;
	return change_bytes(database, rng, 1, true);
}

static char *write_bytes(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	(void)t;
	return change_bytes(database, rng, rng_below(rng, 4) ? 8 : 600, false);
}

/* Replaces a page of the file with another page. */
static char *copy_page(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	int fd = open(database, O_RDWR | O_CLOEXEC);
	unsigned char from[PAGE], to[PAGE];
	struct stat st;
	off_t pages, a, b;

	(void)t;
	if (fd < 0 || fstat(fd, &st) < 0)
		err(2, "%s", database);
	pages = st.st_size / PAGE;
	a = (off_t)rng_below(rng, (uint64_t)pages);
	b = (off_t)rng_below(rng, (uint64_t)pages);
	if (pread(fd, from, PAGE, a * PAGE) != PAGE ||
	    pread(fd, to, PAGE, b * PAGE) != PAGE ||
	    pwrite(fd, from, PAGE, b * PAGE) != PAGE || close(fd) < 0)
		err(2, "%s", database);
	return memcmp(from, to, PAGE) == 0
	           ? NULL
	           : str_format("page %lld over page %lld", (long long)a, (long long)b);
}

/* Changes rows and values. A statement that a constraint refuses changes nothing. */

static char *run_sql(const char *database, char *sql)
{
	sqlite3 *db = open_file(database);
	int before, code;

	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	sqlite3_exec(db,
	    "PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON;"
	    "PRAGMA synchronous = OFF",
	    NULL, NULL, NULL);
	before = sqlite3_total_changes(db);
	code = sqlite3_exec(db, sql, NULL, NULL, NULL);
	if (code == SQLITE_OK && sqlite3_total_changes(db) == before &&
	    strncmp(sql, "DROP", 4) != 0 && strncmp(sql, "CREATE", 6) != 0)
		code = SQLITE_NOTFOUND;
	sqlite3_close(db);
	if (code == SQLITE_OK)
		return sql;
	free(sql);
	return NULL;
}

static const struct corruption_table *draw_table(
    const struct corruption_tables *t, struct rng *rng)
{
	return &t->table[rng_below(rng, t->count)];
}

/* Appends a condition that selects a row: the n-th by the primary key. */
static char *draw_row(const struct corruption_table *t, struct rng *rng)
{
	return str_format("(%s) = (SELECT %s FROM %s ORDER BY %s LIMIT 1 OFFSET"
	                  " (SELECT %llu %% max(count(*), 1) FROM %s))",
	    t->keys, t->keys, t->name, t->keys, (unsigned long long)rng_below(rng, 1 << 20),
	    t->name);
}

static char *change_value(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	static const char *const forms[] = { "NULL", "''", "0", "-%1$s", "%1$s + 1",
		"%1$s * 2", "%1$s || 'x'", "upper(%1$s)", "CAST(%1$s AS BLOB)",
		"'x' || %1$s", "replace(%1$s, '0', '1')", "replace(%1$s, '1', '2')",
		"%1$s * 1.000001", "substr(%1$s, 2)", "zeroblob(8)", "%1$s - 1", "1e999",
		"(SELECT %1$s FROM %2$s ORDER BY random() LIMIT 1)" };
	const struct corruption_table *table = draw_table(t, rng);
	const char *column = table->column[rng_below(rng, table->columns)];
	char *row = draw_row(table, rng), *sql;
	char value[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(
	    value, sizeof(value), forms[rng_below(rng, COUNT(forms))], column, table->name);
#pragma GCC diagnostic pop
	sql = str_format("UPDATE %s SET %s = %s WHERE %s AND %s IS NOT %s", table->name,
	    column, value, row, column, strstr(value, "random") ? "NULL" : value);
	free(row);
	return run_sql(database, sql);
}

static char *delete_row(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	const struct corruption_table *table = draw_table(t, rng);
	char *row = draw_row(table, rng);
	char *sql = str_format("%sDELETE FROM %s WHERE %s",
	    rng_below(rng, 2) ? "PRAGMA foreign_keys = ON; " : "", table->name, row);

	free(row);
	return run_sql(database, sql);
}

/* Inserts a copy of a row with another key. */
static char *duplicate_row(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	const struct corruption_table *table = draw_table(t, rng);
	size_t changed = rng_below(rng, table->columns);
	char *row = draw_row(table, rng), *sql;
	struct buf columns = { 0 };

	for (size_t i = 0; i < table->columns; i++) {
		const char *form = i == 0 || i == changed ? "%s%s || '7'" : "%s%s";

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		buf_printf(&columns, form, i ? ", " : "", table->column[i]);
#pragma GCC diagnostic pop
	}
	sql = str_format("INSERT INTO %s SELECT %s FROM %s WHERE %s", table->name,
	    columns.ptr, table->name, row);
	buf_free(&columns);
	free(row);
	return run_sql(database, sql);
}

/* Exchanges the values of one column, or of all columns but the key, between two rows. */
static char *swap_values(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	const struct corruption_table *table = draw_table(t, rng);
	const char *column = table->column[rng_below(rng, table->columns)];
	char *a = draw_row(table, rng), *b = draw_row(table, rng);
	char *sql =
	    str_format("CREATE TEMP TABLE a AS SELECT %1$s AS v FROM %2$s WHERE %3$s;"
	               "CREATE TEMP TABLE b AS SELECT %1$s AS v FROM %2$s WHERE %4$s;"
	               "CREATE TEMP TABLE k AS SELECT %5$s FROM %2$s WHERE %4$s;"
	               "UPDATE %2$s SET %1$s = (SELECT v FROM b) WHERE %3$s"
	               " AND (SELECT v FROM a) IS NOT (SELECT v FROM b);"
	               "UPDATE %2$s SET %1$s = (SELECT v FROM a)"
	               " WHERE (%5$s) IN (SELECT * FROM k)",
	        column, table->name, a, b, table->keys);

	free(a);
	free(b);
	return run_sql(database, sql);
}

/* Copies a chunk of samples over another chunk. */
static char *copy_samples(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	unsigned long long from = rng_below(rng, 1 << 20), to = rng_below(rng, 1 << 20);

	(void)t;
	return run_sql(database,
	    str_format("UPDATE raw_benchmark_data SET (row_count, data) ="
	               " (SELECT row_count, data FROM raw_benchmark_data"
	               " ORDER BY raw_id LIMIT 1 OFFSET %llu %% (SELECT count(*) FROM"
	               " raw_benchmark_data)) WHERE raw_id = (SELECT raw_id FROM"
	               " raw_benchmark_data ORDER BY raw_id LIMIT 1 OFFSET %llu %% (SELECT"
	               " count(*) FROM raw_benchmark_data))",
	        from, to));
}

static char *change_schema(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	const char *view = t->view[rng_below(rng, t->views)];
	const struct corruption_table *table = draw_table(t, rng);

	switch (rng_below(rng, 7)) {
	case 0:
		return run_sql(database, str_format("DROP VIEW %s", view));
	case 1:
		return run_sql(database,
		    str_format(
		        "DROP VIEW %1$s; CREATE VIEW %1$s AS SELECT 1 AS one", view));
	case 2:
		return run_sql(database,
		    str_format("UPDATE sqlite_schema SET sql = replace(sql, 'DESC', 'ASC')"
		               " WHERE name = '%s' AND sql LIKE '%%DESC%%'",
		        view));
	case 3:
		return run_sql(database,
		    str_format("UPDATE sqlite_schema SET sql = replace(sql, ' = ', ' >= ')"
		               " WHERE name = '%s' AND sql LIKE '%% = %%'",
		        view));
	case 4:
		return run_sql(database,
		    str_format(
		        "CREATE TRIGGER t%llu AFTER INSERT ON %s BEGIN SELECT 1; END",
		        (unsigned long long)rng_below(rng, 100), table->name));
	case 5:
		return run_sql(database, str_format("DROP TABLE %s", table->name));
	default:
		return run_sql(database, str_copy("DROP INDEX benchmark_results_by_bench"));
	}
}

static char *forget_seals(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	static const char *const statements[] = {
		"UPDATE benchmark_runs SET checksum = NULL",
		"UPDATE benchmark_runs SET checksum = NULL WHERE run_id = (SELECT "
		"min(run_id)"
		" FROM benchmark_runs)",
		"UPDATE benchmark_runs SET checksum = replace(checksum, 'a', 'b')",
		"UPDATE benchmark_runs SET checksum = upper(checksum)",
		"UPDATE benchmark_runs SET seal = NULL",
		"UPDATE benchmark_runs SET seal = (SELECT min(seal) FROM benchmark_runs)",
		"UPDATE benchmark_runs SET seal = 'x' || seal",
		"UPDATE benchmark_runs SET seal = upper(seal)",
		"UPDATE store_seal SET seal = NULL",
		"UPDATE store_seal SET seal = (SELECT max(seal) FROM store_seal)",
		"UPDATE store_seal SET state = 'unsealed'",
		"DELETE FROM store_seal",
	};

	(void)t;
	return run_sql(database, str_copy(statements[rng_below(rng, COUNT(statements))]));
}

static char *change_summary(
    const struct corruption_tables *t, const char *database, struct rng *rng)
{
	static const char *const statements[] = {
		"UPDATE benchmark_results SET median = median * 2",
		"UPDATE benchmark_results SET failed = 0",
		"UPDATE benchmark_results SET n = n - 1 WHERE n > 0",
		"UPDATE benchmark_runs SET time = added",
		"UPDATE benchmark_runs SET added = time WHERE time IS NOT NULL",
		"UPDATE benchmark_runs SET host = host || '2'",
		"UPDATE benchmark_runs SET commit_id = 'x'",
		"UPDATE hardware_info SET value = value || ' '",
		"UPDATE run_tags SET tag = tag || 'x'",
		"UPDATE run_tags SET run_id = run_id % 2 + 1",
	};

	(void)t;
	return run_sql(database, str_copy(statements[rng_below(rng, COUNT(statements))]));
}

const char *const corruption_names[CORRUPTION_KINDS] = { "a bit", "bytes", "a page",
	"a value", "another value", "a deleted row", "a duplicated row", "swapped values",
	"moved samples", "the schema", "seals", "what people read" };

char *corruption_apply(
    const struct corruption_tables *t, size_t kind, const char *database, struct rng *rng)
{
	static char *(*const apply[CORRUPTION_KINDS])(const struct corruption_tables *t,
	    const char *database, struct rng *rng) = { flip_bit, write_bytes, copy_page,
		change_value, change_value, delete_row, duplicate_row, swap_values,
		copy_samples, change_schema, forget_seals, change_summary };

	return apply[kind](t, database, rng);
}
