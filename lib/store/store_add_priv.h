/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of store_add: runs, series, and the transaction around them.
 */
#ifndef STORE_STORE_ADD_PRIV_H
#define STORE_STORE_ADD_PRIV_H

#include "store/store_chunks.h"
#include "store/store_seal.h"
#include "store/store_write.h"

enum store_add_statement {
	STORE_ADD_FIND_RUN,
	STORE_ADD_ADD_RUN,
	STORE_ADD_EARLIER_RUN,
	STORE_ADD_SUM_RUN,
	STORE_ADD_FIND_SERIES,
	STORE_ADD_FIND_FACTS,
	STORE_ADD_FIND_SET,
	STORE_ADD_FIND_RUN_FACTS,
	STORE_ADD_ADD_FACT,
	STORE_ADD_LOCK_FACT,
	STORE_ADD_SET_FACT,
	STORE_ADD_STATEMENTS
};

/* The run in the database to which the rows of an ingested run are added. */
struct store_run_target {
	int64_t id;   /* 0: not searched for yet */
	bool fresh;   /* created by this transaction */
	bool changed; /* it has new rows */
	bool ends;    /* its end mark is new */
	bool touched; /* its row in the table, or its facts, have changed */
	bool summed;  /* false if an older version created it and some rows are in no sum */
	struct checksum sum;
	int64_t rows;     /* in the database, including those that were added */
	int64_t expected; /* by its end mark; ROW_NONE: unknown */
	struct store_seal_run seal;
};

struct store_addition {
	struct store *store;
	struct ingest *in;
	struct store_added *added;
	struct query *query[STORE_ADD_STATEMENTS];
	struct store_run_target *run; /* by ingested run */
	char now[STAMP_MAX];
	const struct text *cell; /* of the current series, by column */
	struct buf factors, key;
	struct pack_rows rows;
	struct checksum series; /* hash of the current series */
	struct checksum there;  /* previous hashes of its row and chunks */
	struct store_seal seal;
	struct store_write write;
	struct store_chunks kept; /* of a series in the database */
	bool distinct;            /* no two series of a run have the same subject */
	struct intern subjects;   /* of the previous series, with their runs */
	size_t *of_subject, cap;  /* by subject: the series */
};

static inline struct text store_add_cell(
    const struct store_addition *a, const struct ingest_series *s, enum column c)
{
	return groups_cell(a->in->groups, s->group, c);
}

/* Finds or makes the run of a series, and locks it until the transaction ends. Returns 0,
 * or -1 and the message. */
int store_add_run(struct store_addition *a, const struct ingest_series *s, struct fault *f);
/* Adds the end marks, and counts the runs that are incomplete. Returns 0, or -1 and the
 * message. */
int store_add_ends(struct store_addition *a, struct fault *f);
/* Writes the checksums, rows, end marks and seals of the runs that were changed. Returns 0,
 * or -1 and the message. */
int store_add_sums(struct store_addition *a, struct fault *f);
/*
 * Adds the facts of machines and runs, after all series. Returns 0, or -1 and the message.
 */
int store_add_facts(struct store_addition *a, struct fault *f);
/* Adds the rows of a series, and its run if it is new. Returns 0, or -1 and the message. */
int store_add_series(
    struct store_addition *a, const struct ingest_series *s, struct fault *f);

#endif
