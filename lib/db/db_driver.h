/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interface of a driver: hooks, and strings for the differences between SQL dialects.
 * The functions of db.h call the hooks, and db.h describes their effects and results. All
 * hooks are required unless a comment says otherwise.
 */
#ifndef DB_DB_DRIVER_H
#define DB_DB_DRIVER_H

#include "db/db.h"

struct db_driver {
	/* Returns whether this driver opens the database; the first such driver is used. */
	bool (*takes)(const char *name);
	/* Returns whether something exists that init may replace only with --overwrite. */
	bool (*exists)(const char *name);
	bool is_file;
	struct db *(*open)(const char *name, int flags, struct text schema, double wait_ns,
	    struct fault *f);
	void (*close)(struct db *db);

	int (*begin)(struct db *db, struct fault *f);
	int (*begin_reading)(struct db *db, struct fault *f);
	int (*commit)(struct db *db, struct fault *f);
	void (*rollback)(struct db *db);
	int (*exec)(struct db *db, const char *sql, struct fault *f);
	bool (*guard)(struct db *db, bool on);
	void (*allow_long)(struct db *db);                             /* may be NULL */
	int (*copy)(struct db *db, const char *path, struct fault *f); /* may be NULL */
	char *(*spool)(const struct db *db);
	void (*warn_location)(const struct db *db, struct buf *out); /* may be NULL */
	/* May be NULL: patterns are used unchanged. */
	void (*pattern)(struct buf *out, struct text pattern);

	struct query *(*query_next)(
	    struct db *db, const char **sql, bool *end, struct fault *f);
	struct query *(*insert)(struct db *db, const char *table, const char *columns,
	    int count, struct fault *f);
	int (*flush)(struct db *db, struct fault *f);
	int (*ids)(struct db *db, const char *table, const char *column, size_t count,
	    int64_t *ids, struct fault *f);
	bool (*retry)(struct db *db);
	void (*query_close)(struct query *q);
	void (*bind_text)(struct query *q, int at, struct text t);
	void (*bind_copy)(struct query *q, int at, struct text t);
	void (*bind_bytes)(struct query *q, int at, struct text bytes);
	void (*bind_integer)(struct query *q, int at, int64_t n);
	void (*bind_number)(struct query *q, int at, double x);
	int (*placeholders)(struct query *q);
	void (*many)(struct query *q); /* may be NULL */
	int (*next)(struct query *q, struct fault *f);
	void (*rewind)(struct query *q);
	int (*columns)(struct query *q);
	const char *(*column_name)(struct query *q, int column);
	enum query_type (*column_type)(struct query *q, int column);
	struct text (*text)(struct query *q, int column);
	struct text (*bytes)(struct query *q, int column);
	int64_t (*integer)(struct query *q, int column);
	double (*number)(struct query *q, int column);

	const char *word[DB_WORDS]; /* NULL: nothing */
};

/* The first members of the structs of each driver. */
struct db {
	const struct db_driver *driver;
	char *name; /* for messages */
	double wait_ns;
	enum db_trouble trouble; /* set where a function fails; db_begin clears it */
};

struct query {
	struct db *db;
};

/* Returns whether a name is the URL of a database on a PostgreSQL server. */
bool db_is_postgresql_url(const char *name);
/* Set messages that the drivers share. Return -1. */
int db_fail_locked(const struct db *db, struct fault *f);
int db_fail_guarded(const struct db *db, struct fault *f);

/* Without libpq at build time, db_postgresql refuses every database. */
extern const struct db_driver db_sqlite, db_postgresql;

#endif
