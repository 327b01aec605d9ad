/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The seals of a database, and what a transaction that writes changes of them. A run has a
 * seal in benchmark_runs.seal, the sum (seal.h) over its own row, its series, their chunks
 * and its facts. The table store_seal has one for each part: the sum of all runs' seals,
 * and those of the rows of the tables that belong to no run alone, or that change without
 * it.
 *
 * Every function that writes a table of seal_columns adds the hashes of rows that it makes
 * and subtracts those of rows that it removes, as read from the table, so that damage in
 * the table remains visible.
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
	struct query *run, *set_run; /* made when they are needed */
};

/* A run that changes. */
struct store_seal_run {
	bool sealed; /* unless an older version made it */
	struct checksum seal, change;
};

/* Begins and ends with the transaction. */
void store_seal_open(struct store_seal *s, struct db *db);
void store_seal_close(struct store_seal *s);

/* Returns the hash of a row, whose columns are those of a query from `first` on. */
struct checksum store_seal_hash(
    struct seal_row *row, enum seal_table table, struct query *q, int first);
/*
 * Runs a statement that returns the rows that it inserts into or removes from a table, and
 * adds their hashes to the sum, or subtracts them. *count, if not NULL: their number. A
 * table with columns of doubles must be read by a SELECT, because SQLite's RETURNING turns
 * a zero into an integer. 0 or -1.
 */
int store_seal_made(struct store_seal *s, enum seal_table table, struct query *q,
    struct checksum *sum, uint64_t *count, struct fault *f);
int store_seal_removed(struct store_seal *s, enum seal_table table, struct query *q,
    struct checksum *sum, uint64_t *count, struct fault *f);

/* Notes a run's row before it changes: q gives SEAL_RUN_COLUMNS, seal. */
void store_seal_note_run(struct store_seal *s, struct store_seal_run *run, struct query *q);
/* Reads a run and locks it: 1, 0 if it does not exist, or -1. */
int store_seal_read_run(
    struct store_seal *s, struct store_seal_run *run, int64_t run_id, struct fault *f);
/* Writes the seal of a run whose row is complete. 0 or -1. */
int store_seal_write_run(
    struct store_seal *s, struct store_seal_run *run, int64_t run_id, struct fault *f);
/*
 * Writes the changed seals of the parts. Call it last before the commit: in an engine with
 * row locks, writers wait for each other from here on. 0 or -1.
 */
int store_seal_write(struct store_seal *s, struct fault *f);

#endif
