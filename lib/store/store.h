/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The store: a database of measurements, and the operations of bench-store(1) on it. The
 * tables are described in share/store/schema.sql.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "io/render.h"
#include "store/ingest.h"
#include "store/store_filter.h"

enum store_flags {
	STORE_READ = 1,   /* never write */
	STORE_CREATE = 2, /* create the database if it does not exist */
	STORE_EMPTY = 4,  /* remove everything in the database */
	/* Create the database, and report locked or unwritable ones, in store_add. */
	STORE_DEFER = 8,
	STORE_OLD = 16, /* with STORE_READ: also open older versions, for store_copy */
};

struct store;
/* Opens a database. wait_ns: the time to wait for a lock. Returns NULL and the message if
 * the database cannot be used. */
struct store *store_open(const char *name, int flags, double wait_ns, struct fault *f);
void store_close(struct store *s);
/*
 * Returns the name of the default database: $BENCH_DB, or a file in $XDG_DATA_HOME or
 * $HOME; allocated. Returns NULL and the message if none of these is set.
 */
char *store_default_name(struct fault *f);
/* Creates the directory of a database file. Returns 0, or -1 and the message. */
int store_make_folder(const char *name, struct fault *f);

struct store_added {
	uint64_t rows, known; /* new rows, and rows that were in the database already */
	uint64_t runs;        /* with new rows */
	uint64_t facts, facts_known, facts_changed;
	uint64_t incomplete; /* runs with fewer rows than their end marks state */
	struct {
		char run[120]; /* without control characters */
		int64_t rows, expected;
	} first; /* the first incomplete run */
};

/*
 * Adds the ingested rows and facts in one transaction. The identity of a row is its run,
 * process, subject, sample and t. A row that equals a row in the database is skipped. A
 * different row of the same identity fails the addition, with a message that names the row.
 * The newest value of a fact is replaced. Returns 0, or -1 and the message.
 */
int store_add(
    struct store *s, struct ingest *in, struct store_added *added, struct fault *f);

struct anonymizer;

/* The destination of output. A failed write sets error to its errno. */
struct store_output {
	struct output to;
	int error;
	bool printed;             /* at least one row */
	struct anonymizer *names; /* replaces strings of exports; NULL: none */
	struct buf *warnings;     /* for strings that an export leaves out; NULL: none */
};

/*
 * Writes the selected rows as one table. Runs are sorted by time, their series are in the
 * order in which they were first added, and the rows of a series are sorted by process,
 * sample and t. Returns 0, or -1 and the message.
 */
int store_export(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f);
/* Writes the newest facts of the machines of the selected runs, or of all machines without
 * a filter. Returns 0, or -1 and the message. */
int store_export_facts(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f);

/* The names of the lists, NULL-terminated; the first is the default. */
extern const char *const store_lists[];
/* Prints the list `what`. Returns 0, or -1 and the message. */
int store_list(struct store *s, const char *what, const struct store_filter *filter,
    struct store_output *out, struct fault *f);
/* Prints the properties of the database and the numbers of its rows. Returns 0, or -1 and
 * the message. */
int store_info(struct store *s, struct store_output *out, struct fault *f);

/* Copies the database to a file; see db_copy. */
int store_copy(struct store *s, const char *path, struct fault *f);
/* Appends a line if the location of the database is unsuitable; see db_warn_location. */
void store_warn_location(const struct store *s, struct buf *out);

/* Add a tag to the selected runs, or remove it. *count: the number of selected runs.
 * Returns 0, or -1 and the message. */
int store_tag(struct store *s, const char *tag, const struct store_filter *filter,
    uint64_t *count, struct fault *f);
int store_untag(struct store *s, const char *tag, const struct store_filter *filter,
    uint64_t *count, struct fault *f);
/*
 * Returns, for each prefix, the full name of the only run whose name begins with it, and a
 * final NULL. Free the array with store_free_runs. Returns NULL and the message on failure.
 */
char **store_find_runs(struct store *s, char *const *prefix, size_t count, struct fault *f);
void store_free_runs(char **run);

/* Runs SQL, from standard input if sql is "-", with values bound to its placeholders in
 * order, and prints the rows. Returns 0, or -1 and the message. */
int store_sql(struct store *s, const char *sql, char *const *value, size_t values,
    struct store_output *out, struct fault *f);

#endif
