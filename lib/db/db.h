/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Databases: statements with bound values, and transactions. This interface is independent
 * of the tables of the store. The drivers (lib/db/db_driver.h) implement it: db_sqlite.c
 * for SQLite files, db_pq.c for PostgreSQL servers. Placeholders are $1, $2 ... in the
 * order of their first appearance. Statements use only SQL that SQLite and PostgreSQL
 * share; enum db_word has the differences.
 */
#ifndef DB_DB_H
#define DB_DB_H

#include "base/base.h"

struct db;
struct query;

enum db_flags {
	DB_READ = 1,   /* never write */
	DB_CREATE = 2, /* create the database if it does not exist */
	DB_EMPTY = 4,  /* remove everything in a database of bench-store */
	/* Create the database, and report DB_LOCKED and DB_BLOCKED, at the first
	 * transaction.
	 */
	DB_DEFER = 8,
	DB_OLD = 16, /* with DB_READ: also open an older version, without upgrading it */
};

/*
 * Opens a database, and creates or upgrades the tables of the schema
 * (share/store/schema.sql). Waits up to wait_ns for locks of other programs. Returns NULL
 * and the message if the database is missing, damaged, locked, not writable, of another
 * program or newer than the schema, or if its tables or views differ from the schema.
 */
struct db *db_open(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f);
/* Closes a database. NULL is allowed. */
void db_close(struct db *db);
/*
 * Databases in memory. db_image_new creates an empty one. db_image_open reads a database
 * file from a descriptor, without the files next to it, and upgrades it in memory.
 * db_image_write writes the bytes of a database file. name is used in messages. On failure
 * they return NULL or -1, and the message.
 */
struct db *db_image_new(const char *name, struct text schema, struct fault *f);
struct db *db_image_open(const char *name, int fd, struct text schema, struct fault *f);
int db_image_write(struct db *db, int fd, struct fault *f);
/* Returns whether a database, or a file that is not empty, has this name. */
bool db_exists(const char *name);
/* Returns whether a database of this name is a file. */
bool db_is_file(const char *name);
/* Returns the name of the database for messages, without a password. */
const char *db_name(const struct db *db);
/* Appends a shell pattern in the form that the operator DB_GLOB requires. */
void db_pattern(const struct db *db, struct text pattern, struct buf *out);

/* The kind of failure since the last db_begin. */
enum db_trouble {
	DB_NO_TROUBLE,
	DB_LOCKED,  /* locked, or the server cannot be reached */
	DB_BLOCKED, /* not writable: no permission or no space */
	DB_FAILED
};
/* Returns the kind of this failure; DB_NO_TROUBLE if nothing failed. */
enum db_trouble db_trouble(const struct db *db);
/*
 * Copies a consistent state of the database to a file while other programs read and write.
 * An existing database is replaced once the copy is complete. Fails if the driver cannot
 * copy databases. Returns 0, or -1 and the message.
 */
int db_copy(struct db *db, const char *path, struct fault *f);
/*
 * Returns the common prefix of the paths of spool directories, allocated: the path of the
 * database or, for a server, a path in $XDG_STATE_HOME or $HOME that is derived from its
 * URL. Returns NULL if neither is set.
 */
char *db_spool(const struct db *db);
/* Appends a line if the location of the database is unsuitable, such as a network file
 * system. */
void db_warn_location(const struct db *db, struct buf *out);

/* Differences between the SQL dialects. */
enum db_word {
	DB_VERSION,      /* a statement that returns the engine and its version */
	DB_JOURNAL,      /* a statement that returns the journal mode */
	DB_SCHEMA,       /* a statement that returns the version of the schema */
	DB_SIZE,         /* a statement that returns the size in bytes */
	DB_GLOB,         /* the operator that compares a string with a pattern */
	DB_JOIN_TEXTS,   /* the aggregate that joins strings by a separator */
	DB_FOR_UPDATE,   /* follows a SELECT, and locks its rows for other writers */
	DB_SAME_SUBJECT, /* follows a condition on a whole subject, to use an index */
	DB_HAS_FACTOR,   /* a condition on factors; % is a member "name":"value" */
	DB_LACKS_FACTOR, /* a condition on factors; % is "name": without a value */
	DB_RAW_ID,       /* the column raw_id, or NULL if chunks do not have it */
	DB_NOTHING,
	DB_CHECK,       /* a statement that returns a string for each damage */
	DB_DEFINITIONS, /* a statement that returns a string for changed tables or views */
	DB_ADOPT,       /* statements that record the current definitions */
	DB_VACUUM,      /* a statement that returns free space */
	DB_WORDS
};
/* Returns a word of the database's dialect. */
const char *db_word(const struct db *db, enum db_word word);

/* Begins a transaction that writes. Returns 0, or -1 and the message. */
int db_begin(struct db *db, struct fault *f);
/*
 * Begins a transaction that reads one consistent state. Returns 0, or -1 and the message.
 */
int db_begin_reading(struct db *db, struct fault *f);
/* Commits. When it returns 0, the changes survive a power failure. Returns 0, or -1 and the
 * message. */
int db_commit(struct db *db, struct fault *f);
/* Ends the transaction without its changes. */
void db_rollback(struct db *db);

/* Runs one or more statements without rows and values. Returns 0, or -1 and the message. */
int db_exec(struct db *db, const char *sql, struct fault *f);
/* Runs a statement, and sets *out to the number in its first row and column. Returns 0, or
 * -1 and the message. */
int db_number(struct db *db, const char *sql, int64_t *out, struct fault *f);

/*
 * Turns the guard on or off. While it is on, prepared statements can only read,
 * regardless of their text. With DB_READ it is always on. Returns whether it was on.
 */
bool db_guard(struct db *db, bool on);

/*
 * Removes the time limit of later statements; for statements of the user. Other statements
 * are interrupted if they take much longer than an intact database of that size requires.
 */
void db_allow_long(struct db *db);

/* Prepares one statement. Returns NULL and the message on failure. */
struct query *db_query(struct db *db, const char *sql, struct fault *f);
/*
 * Prepares the first statement of a string, and moves *sql after it. Returns NULL with *end
 * set if there are no more statements.
 */
struct query *db_query_next(struct db *db, const char **sql, bool *end, struct fault *f);
/* Frees a query. NULL is allowed. */
void query_close(struct query *q);

/* Bind a value to $at, from 1. The bytes must be valid until the query is rewound. */
void query_bind_text(struct query *q, int at, struct text t);
void query_bind_copy(struct query *q, int at, struct text t); /* copies the bytes */
void query_bind_bytes(struct query *q, int at, struct text bytes);
void query_bind_null(struct query *q, int at);
void query_bind_integer(struct query *q, int at, int64_t n);
void query_bind_number(struct query *q, int at, double x); /* NAN: NULL */
/* Returns the number of placeholders. */
int query_placeholders(struct query *q);

/*
 * Declares that the rows of the query may not fit in memory. In a transaction that only
 * reads, a server then sends them in parts.
 */
void query_many(struct query *q);
/* Reads the next row. Returns 1; 0 if there is none, after rewinding the query; or -1. */
int query_next(struct query *q, struct fault *f);
/* Runs a query that returns no rows, and rewinds it. Returns 0, or -1 and the message. */
int query_run(struct query *q, struct fault *f);
/* Ends the rows, so that values can be bound and the query run again. */
void query_rewind(struct query *q);

enum query_type { QUERY_NULL, QUERY_INTEGER, QUERY_NUMBER, QUERY_TEXT, QUERY_BYTES };
/* Returns the number of columns. */
int query_columns(struct query *q);
/* Returns the name of a column. Columns are numbered from 0. */
const char *query_name(struct query *q, int column);
/* Returns the type of a value of the current row. */
enum query_type query_type(struct query *q, int column);
/* Return a value of the current row. Columns are numbered from 0. Strings and bytes are
 * valid until the next row. NULL is empty, 0 or NAN. */
struct text query_text(struct query *q, int column);
struct text query_bytes(struct query *q, int column);
int64_t query_integer(struct query *q, int column);
double query_number(struct query *q, int column);

/*
 * Prepares a query that inserts rows: for each row, bind one value for each of the count
 * columns, and call query_run. Rows may reach the table only with db_flush or the commit,
 * which fails if they cannot be inserted. Prepare queries for referenced tables before
 * those for referencing tables. Returns NULL and the message on failure.
 */
struct query *db_insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f);
/* Writes pending inserted rows to their tables. Returns 0, or -1 and the message. */
int db_flush(struct db *db, struct fault *f);
/* Reserves ids that no row of the table has, for rows to be inserted. Returns 0, or -1 and
 * the message. */
int db_ids(struct db *db, const char *table, const char *column, size_t count, int64_t *ids,
    struct fault *f);

/*
 * Returns whether to repeat a transaction that failed and was rolled back, because the
 * connection was lost or two writers conflicted. If so, waits briefly and reconnects, and
 * all queries must be prepared again. Returns false when the time for retries is over.
 */
bool db_retry(struct db *db);

#endif
