/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the driver for SQLite, and the only file that includes sqlite3.h. Each part
 * uses only the parts above it:
 *
 *     sqlite_limits      limits on foreign files
 *     sqlite_file        connections, messages, executing statements, the guard
 *     sqlite_schema      whether a database has the tables and views of its version
 *     sqlite_prepare     whether a database is ours, its version, upgrades
 *     sqlite_descriptor  databases on open descriptors
 *     sqlite_backup      copies of a database
 *     sqlite_open        opening files
 *     sqlite_image       databases in memory
 *     sqlite_insert      rows that are inserted, many at a time
 *     sqlite_query       statements, values and columns
 *     db_sqlite          the hooks of struct db_driver
 */
#ifndef DB_SQLITE_PRIV_H
#define DB_SQLITE_PRIV_H

#include <sqlite3.h>

#include "db/db_beside.h"
#include "db/db_driver.h"

/* The work that a statement may still do. */
struct sqlite_budget {
	bool limited;
	double bytes; /* size of the database */
	double left;  /* instructions of SQLite's virtual machine */
};

/* Restricts what a schema and a statement may do; b must live as long as handle. */
void sqlite_limits_set(sqlite3 *handle, struct sqlite_budget *b);
/* Reads the size of the file, which determines how long a statement may take. */
void sqlite_limits_size(struct sqlite_budget *b, const char *path);
/* Resets the limit for another statement. */
void sqlite_limits_renew(struct sqlite_budget *b);

struct sqlite_insert;

struct sqlite_file {
	struct db db;
	sqlite3 *handle; /* NULL while it cannot be opened */
	struct sqlite_insert *inserts;
	bool has_rows; /* the connection has the virtual table of sqlite_insert */
	struct sqlite_budget budget;
	bool guarded;
	double patience_ns;    /* how long to wait for locks; at most db.wait_ns */
	struct db_watch watch; /* of a file that is read as immutable */
	int flags;             /* with which it is opened */
	bool is_new;           /* the file did not exist before */
	bool lacks_tables;     /* the next transaction has to create the tables */
	struct buf schema;
};

sqlite3 *sqlite_handle(const struct db *db);
struct sqlite_budget *sqlite_budget_of(struct db *db);
/* Sets the message and db->trouble after a failed call of SQLite. Returns -1. */
int sqlite_fail(struct db *db, struct fault *f);
/* Sets the message about a database that cannot be written: the files that this user may
 * not write to and what to do, or the reason if there are none. Returns -1. */
int sqlite_fail_unwritable(const struct db *db, const char *reason, struct fault *f);

/* The parts of opening: a database without a connection; the connection; its version and
 * schema. The last two return 0 or -1; sqlite_file_close ends each of them. */
struct db *sqlite_file_new(
    const struct db_driver *driver, const char *name, double wait_ns);
int sqlite_file_connect(struct db *db, const char *path, int open_flags, struct fault *f);
int sqlite_prepare(struct db *db, int flags, struct text schema, struct fault *f);
/* Creates the tables that sqlite_prepare() left to the current transaction, if there are
 * any. Returns 0, or -1 and the message. */
int sqlite_prepare_tables(struct db *db, struct text schema, struct fault *f);

/* Sets how long to wait for locks from now on. */
void sqlite_file_patience(struct db *db, double wait_ns);

/* Opens a file, as the hook db_open does, for this driver. */
struct db *sqlite_open(const struct db_driver *driver, const char *name, int flags,
    struct text schema, double wait_ns, struct fault *f);
/* The hook db_begin; opens what db_open with DB_DEFER could not open. */
int sqlite_open_begin(struct db *db, struct fault *f);

/* The hooks db_close, db_exec and db_guard. */
void sqlite_file_close(struct db *db);
int sqlite_file_exec(struct db *db, const char *sql, struct fault *f);
/* Returns whether the name of the database no longer leads to the file that is open. */
bool sqlite_file_moved(struct db *db);
bool sqlite_file_guard(struct db *db, bool on);

/* The hook db_allow_long. */
void sqlite_file_allow_long(struct db *db);

/*
 * Compares all tables, indexes and views of a database of this version with those that the
 * statements of the schema create. Call it in a transaction. Returns 0, or -1 and the first
 * difference.
 */
int sqlite_schema_compare(
    struct db *db, struct text schema, int64_t version, struct fault *f);

/*
 * Opens a database by its descriptor, for writing without a journal. No other program may
 * have the file open. Returns SQLite's code. Close the handle even on failure, and close
 * the descriptor after the handle. Not thread-safe.
 */
int sqlite_descriptor_open(int fd, sqlite3 **out);

/* The hook db_copy. */
int sqlite_backup(struct db *db, const char *path, struct fault *f);

/* Prepares the insertion of rows. Returns NULL and the message on failure. */
struct sqlite_insert *sqlite_insert_open(
    struct db *db, const char *table, const char *columns, int count, struct fault *f);
/* Frees an insertion and the rows that it collected. */
void sqlite_insert_close(struct db *db, struct sqlite_insert *in);
/* Set the value of a column, from 1, of the next row. Bytes are copied. */
void sqlite_insert_integer(struct sqlite_insert *in, int at, int64_t n);
void sqlite_insert_number(struct sqlite_insert *in, int at, double x);
void sqlite_insert_bytes(
    struct sqlite_insert *in, int at, enum query_type type, struct text t);
/* Ends a row, and inserts the rows that were collected if they are many. Returns 0, or -1
 * and the message. */
int sqlite_insert_row(struct db *db, struct sqlite_insert *in, struct fault *f);
/* The hook db_flush. */
int sqlite_insert_flush(struct db *db, struct fault *f);
/* Forgets the rows that were collected. */
void sqlite_insert_discard(struct db *db);

/* The hooks db_query_next, db_insert, query_close and so on. */
struct query *sqlite_query_prepare(
    struct db *db, const char **sql, bool *end, struct fault *f);
struct query *sqlite_query_insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f);
void sqlite_query_close(struct query *q);
int sqlite_query_step(struct query *q, struct fault *f);
void sqlite_query_rewind(struct query *q);
void sqlite_bind_text(struct query *q, int at, struct text t);
void sqlite_bind_copy(struct query *q, int at, struct text t);
void sqlite_bind_bytes(struct query *q, int at, struct text bytes);
void sqlite_bind_integer(struct query *q, int at, int64_t n);
void sqlite_bind_number(struct query *q, int at, double x);
int sqlite_bind_placeholders(struct query *q);
int sqlite_column_count(struct query *q);
const char *sqlite_column_name(struct query *q, int column);
enum query_type sqlite_column_type(struct query *q, int column);
struct text sqlite_column_text(struct query *q, int column);
struct text sqlite_column_bytes(struct query *q, int column);
int64_t sqlite_column_integer(struct query *q, int column);
double sqlite_column_number(struct query *q, int column);

#endif
