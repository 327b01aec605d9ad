/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The seals of a database, and their changes in a transaction. The seal of a run, in
 * benchmark_runs.seal, is the sum (seal.h) over its own row, its series, their chunks and
 * its facts. The table store_seal has a seal for each part: the sum of the seals of all
 * runs, and the sums over tables whose rows belong to several runs or change independently
 * of a run.
 *
 * Every function that writes a table of seal_columns adds the hashes of the rows that it
 * inserts, and subtracts the hashes of the rows that it removes, as read from the table.
 * Damage in the table therefore remains visible.
 */
#ifndef STORE_STORE_SEAL_H
#define STORE_STORE_SEAL_H

#include "db/db.h"
#include "store/seal.h"

enum store_seal_part {
	STORE_SEAL_ANNOTATIONS, /* annotations */
	STORE_SEAL_FACTS,       /* hardware_info, fact_sets, fact_set_values */
	STORE_SEAL_RUNS,
	STORE_SEAL_TAGS, /* run_tags */
	STORE_SEAL_PARTS
};
extern const char *const store_seal_parts[STORE_SEAL_PARTS];

/* The changes of a transaction. */
struct store_seal {
	struct db *db;
	struct checksum change[STORE_SEAL_PARTS];
	struct seal_row row;         /* scratch */
	struct query *run, *set_run; /* prepared when they are needed */
};

/* The seal of a run that is being changed. */
struct store_seal_run {
	bool sealed; /* false if an older version created the run */
	struct checksum seal, change;
};

/* Begin and end the changes of a transaction. */
void store_seal_open(struct store_seal *s, struct db *db);
void store_seal_close(struct store_seal *s);

/* Returns the hash of a row, whose columns are those of a query from `first` on. */
struct checksum store_seal_hash(
    struct seal_row *row, enum seal_table table, struct query *q, int first);
/*
 * Run a statement that returns the rows that it inserts into a table, or removes from it,
 * and add their hashes to the sum, or subtract them. *count, if not NULL: the number of
 * rows. Read a table with columns of doubles with SELECT, because SQLite's RETURNING
 * converts a zero to an integer. Returns 0, or -1 and the message.
 */
int store_seal_made(struct store_seal *s, enum seal_table table, struct query *q,
    struct checksum *sum, uint64_t *count, struct fault *f);
int store_seal_removed(struct store_seal *s, enum seal_table table, struct query *q,
    struct checksum *sum, uint64_t *count, struct fault *f);

/* Records the row of a run before it changes. q: at a row of SEAL_RUN_COLUMNS, seal. */
void store_seal_note_run(struct store_seal *s, struct store_seal_run *run, struct query *q);
/* Reads a run and locks it. Returns 1, 0 if it does not exist, or -1. */
int store_seal_read_run(
    struct store_seal *s, struct store_seal_run *run, int64_t run_id, struct fault *f);
/* Writes the seal of a run whose row is complete. Returns 0, or -1 and the message. */
int store_seal_write_run(
    struct store_seal *s, struct store_seal_run *run, int64_t run_id, struct fault *f);
/* Writes the changed seals of the parts. Call it last before the commit: in an engine with
 * row locks, writers wait for each other from here on. Returns 0, or -1 and the message. */
int store_seal_write(struct store_seal *s, struct fault *f);

#endif
