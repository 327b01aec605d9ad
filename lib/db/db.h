/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A database as the store needs it: statements with bound values, transactions, nothing of
 * what is kept in it. Drivers (lib/db/db_driver.h) do the work: db_sqlite.c for files.
 * Placeholders are $1, $2 ... in the order of their first appearance, and statements keep
 * to what SQLite and PostgreSQL both know; where they differ, there is a word.
 */
#ifndef DB_DB_H
#define DB_DB_H

#include "base/base.h"

struct db;
struct query;

enum db_flags {
	DB_READ = 1,   /* nothing may be written */
	DB_CREATE = 2, /* make the database if there is none */
	DB_EMPTY = 4,  /* remove all that a database of ours holds */
	DB_DEFER = 8,  /* report DB_LOCKED and DB_BLOCKED at the first transaction */
	DB_OLD = 16,   /* with DB_READ: also open an older version, without upgrading it */
};

/*
 * Open a database, make or bring up to date what schema says (share/store/schema.sql), and
 * wait up to wait_ns for locks of others. NULL and the message when it is missing, damaged,
 * locked, not to be written, of another program, newer than the schema, or has tables or
 * views that are not as the schema makes them.
 */
struct db *db_open(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f);
void db_close(struct db *db);
/*
 * A database in memory, and its bytes, which are those of a database file. The first makes
 * an empty one. The second reads the file that a descriptor is open on, and nothing beside
 * it, and brings it up to date in memory. name is for messages. NULL, or -1, and the
 * message.
 */
struct db *db_image_new(const char *name, struct text schema, struct fault *f);
struct db *db_image_open(const char *name, int fd, struct text schema, struct fault *f);
int db_image_write(struct db *db, int fd, struct fault *f);
/* Whether there is something under that name that is not empty. */
bool db_exists(const char *name);
/* Whether a database of that name is a file, in a folder. */
bool db_is_file(const char *name);
/* Its name as it may be shown: without a password. */
const char *db_name(const struct db *db);
/* Append a pattern of the shell as DB_GLOB takes it. */
void db_pattern(const struct db *db, struct text pattern, struct buf *out);

/* What of the database itself failed since the last db_begin. */
enum db_trouble {
	DB_NO_TROUBLE,
	DB_LOCKED,  /* or out of reach */
	DB_BLOCKED, /* no permission, no room: the same may succeed once that has changed */
	DB_FAILED
};
enum db_trouble db_trouble(const struct db *db);
/*
 * Copy all of one moment to a new file while others read and write; a database that is
 * there is replaced once the copy is complete. 0 or -1; a driver may have no such thing.
 */
int db_copy(struct db *db, const char *path, struct fault *f);
/*
 * Returns the common prefix of the paths of spool folders, allocated: the path of the
 * database or, for a server, a path in $XDG_STATE_HOME that is derived from its URL. NULL:
 * there is no place.
 */
char *db_spool(const struct db *db);
/* Append in one line what makes the place of the database doubtful, if anything does. */
void db_warn_location(const struct db *db, struct buf *out);

/* What the dialects of SQL say differently. */
enum db_word {
	DB_VERSION,      /* statements of one value: the engine and its version */
	DB_JOURNAL,      /* how it keeps what is committed */
	DB_SCHEMA,       /* the version of the schema */
	DB_SIZE,         /* in bytes */
	DB_GLOB,         /* the operator that compares a text with a pattern */
	DB_JOIN_TEXTS,   /* the aggregate that joins texts by a separator */
	DB_FOR_UPDATE,   /* behind a SELECT whose rows others must not change now */
	DB_SAME_SUBJECT, /* in a condition on all of a subject: helps to find it fast */
	DB_HAS_FACTOR,   /* a condition on factors, % a member "name":"value" of them */
	DB_LACKS_FACTOR, /* the same, % is "name": without a value */
	DB_RAW_ID,       /* the number of a chunk, or NULL where it has none */
	DB_NOTHING,
	DB_CHECK,       /* a statement that returns a text for each damage found */
	DB_DEFINITIONS, /* the same for tables and views that differ from their definitions
	                 */
	DB_ADOPT,       /* statements that record the present definitions */
	DB_VACUUM,      /* a statement that returns free space */
	DB_WORDS
};
const char *db_word(const struct db *db, enum db_word word);

/* A transaction that writes: nobody else does until it ends. 0 or -1. */
int db_begin(struct db *db, struct fault *f);
/* One that only reads: it sees the same state throughout. */
int db_begin_reading(struct db *db, struct fault *f);
/* When it returns 0, what was written survives a power cut. */
int db_commit(struct db *db, struct fault *f);
void db_rollback(struct db *db);

/* Run one or several statements that give no rows and take no values. 0 or -1. */
int db_exec(struct db *db, const char *sql, struct fault *f);
/* The number that a statement gives in its first row and column. 0 or -1. */
int db_number(struct db *db, const char *sql, int64_t *out, struct fault *f);

/*
 * While it is on, statements that are prepared can only read, whatever their text is; it
 * always is with DB_READ. Returns whether it was on.
 */
bool db_guard(struct db *db, bool on);

/*
 * Removes the time limit of statements from now on, for statements of the user. All others
 * are interrupted if they take much longer than an intact database of that size requires.
 */
void db_allow_long(struct db *db);

/* Prepare one statement. NULL and the message. */
struct query *db_query(struct db *db, const char *sql, struct fault *f);
/*
 * Prepare the first statement of a text and move *sql behind it. NULL with *end set when
 * none is left.
 */
struct query *db_query_next(struct db *db, const char **sql, bool *end, struct fault *f);
void query_close(struct query *q);

/* Bind a value to $at, from 1. The bytes must live until the query is rewound. */
void query_bind_text(struct query *q, int at, struct text t);
void query_bind_copy(struct query *q, int at, struct text t); /* need not live */
void query_bind_bytes(struct query *q, int at, struct text bytes);
void query_bind_null(struct query *q, int at);
void query_bind_integer(struct query *q, int at, int64_t n);
void query_bind_number(struct query *q, int at, double x); /* NAN: NULL */
int query_placeholders(struct query *q);

/*
 * Its rows may be more than fit in memory: where nothing but reading goes on, they come
 * from a server some at a time.
 */
void query_many(struct query *q);
/* The next row: 1, or 0 when there is none (and the query is rewound), or -1. */
int query_next(struct query *q, struct fault *f);
/* Run a query that gives no rows, and rewind it. 0 or -1. */
int query_run(struct query *q, struct fault *f);
void query_rewind(struct query *q);

enum query_type { QUERY_NULL, QUERY_INTEGER, QUERY_NUMBER, QUERY_TEXT, QUERY_BYTES };
int query_columns(struct query *q);
const char *query_name(struct query *q, int column);
enum query_type query_type(struct query *q, int column);
/* Columns count from 0; texts and bytes live until the next row. NULL is empty, 0, NAN. */
struct text query_text(struct query *q, int column);
struct text query_bytes(struct query *q, int column);
int64_t query_integer(struct query *q, int column);
double query_number(struct query *q, int column);

/*
 * A query that inserts rows: bind one value for each of the columns, of which there are
 * count, then query_run it, for each row. They may reach the table only with the commit, or
 * db_flush, which fails then when they cannot; foreign keys must fit in the order in which
 * the queries were made. NULL and the message.
 */
struct query *db_insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f);
int db_flush(struct db *db, struct fault *f);
/* Take ids that no row of the table has, for rows to be inserted. 0 or -1. */
int db_ids(struct db *db, const char *table, const char *column, size_t count, int64_t *ids,
    struct fault *f);

/*
 * After a transaction failed and was rolled back: whether it may succeed when all of it is
 * tried again, because the server had gone away or two writers were in each other's way.
 * Waits a little, reconnects, and says no at last; queries must be prepared anew.
 */
bool db_retry(struct db *db);

#endif
