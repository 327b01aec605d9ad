/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of measurements in a database: what is kept, how rows are recognized, and the
 * questions of bench-store(1). What is stored where is described in share/store/schema.sql.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdio.h>

#include "io/render.h"
#include "store/ingest.h"
#include "store/store_filter.h"

enum store_flags {
	STORE_READ = 1,   /* nothing is written */
	STORE_CREATE = 2, /* make the database if there is none */
	STORE_EMPTY = 4,  /* remove all it holds */
	STORE_DEFER =
	    8, /* what is locked, out of reach or not to be written fails store_add */
	STORE_OLD = 16, /* with STORE_READ, for store_copy: of an older version, too */
};

struct store;
/* NULL and the message when it cannot be used. wait_ns: how long to wait for a lock. */
struct store *store_open(const char *name, int flags, double wait_ns, struct fault *f);
void store_close(struct store *s);
/*
 * Where the database is when nobody says: $BENCH_DB or in $XDG_DATA_HOME. Allocated; NULL
 * and the message when the environment names no place.
 */
char *store_default_name(struct fault *f);
/* Make the folder of that default place. 0 or -1. */
int store_make_folder(const char *name, struct fault *f);

struct store_added {
	uint64_t rows, known; /* new ones; those that were there already */
	uint64_t runs;        /* that have new rows */
	uint64_t facts, facts_known, facts_changed;
	uint64_t
	    incomplete; /* runs of which fewer rows are there than their end marks count */
	struct {
		char run[120]; /* clean for a terminal */
		int64_t rows, expected;
	} first; /* of these */
};

/*
 * Adds what was ingested, all or nothing. A row's identity is run, process, subject, sample
 * and t; an equal row is passed over, another row of the same identity is refused, and the
 * message says which. A fact that has another value than before is changed. 0 or -1.
 */
int store_add(
    struct store *s, struct ingest *in, struct store_added *added, struct fault *f);

/* Where answers go. The functions return 0 or -1; a failed write leaves its errno here. */
struct store_output {
	FILE *file;
	enum render_format format;
	int error;
};

/*
 * The rows that went in, as one table: runs by time, their series in the order in which
 * they were first added, the rows of those by process, sample and t.
 */
int store_export(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f);
/* The facts of the machines that the selected runs were measured on; of all without filter.
 */
int store_export_facts(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f);

/* Names of the lists there are, NULL-ended; the first is the default. */
extern const char *const store_lists[];
int store_list(struct store *s, const char *what, const struct store_filter *filter,
    struct store_output *out, struct fault *f);
int store_info(struct store *s, struct store_output *out, struct fault *f);

/* Copy all to another file while others go on; see db_copy. */
int store_copy(struct store *s, const char *path, struct fault *f);
/* Append in one line what makes the place of the database doubtful, if anything does. */
void store_warn_location(const struct store *s, struct buf *out);

/* Give the selected runs a tag, or take it away; *count is how many were selected. */
int store_tag(struct store *s, const char *tag, const struct store_filter *filter,
    uint64_t *count, struct fault *f);
int store_untag(struct store *s, const char *tag, const struct store_filter *filter,
    uint64_t *count, struct fault *f);
/*
 * Returns the full names of the runs whose names begin so, one each, and a NULL behind
 * them; to be freed by store_free_runs. NULL and the message.
 */
char **store_find_runs(struct store *s, char *const *prefix, size_t count, struct fault *f);
void store_free_runs(char **run);

/* Run SQL, from standard input where it is "-", values bound to its placeholders in order,
 * and print what it gives. 0 or -1. */
int store_sql(struct store *s, const char *sql, char *const *value, size_t values,
    struct store_output *out, struct fault *f);

#endif
