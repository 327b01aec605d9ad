/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of an input that is being added, grouped by run and series and packed as in the
 * database, at some ten bytes per row. A long stream therefore fits in memory, and the
 * database is locked only after the whole input was read. Pure.
 */
#ifndef STORE_INGEST_H
#define STORE_INGEST_H

#include "record/group.h"
#include "store/checksum.h"
#include "store/ingest_facts.h"
#include "store/pack.h"

struct ingest_chunk {
	char *bytes;
	uint32_t len, rows;
};

/* The rows of one subject in one run. */
struct ingest_series {
	size_t run, group;
	struct pack_rows open; /* rows that are not packed, after those of the chunks */
	struct ingest_chunk *chunk;
	size_t chunks, cap;
	size_t rows;
	int64_t process, sample, t; /* of the last row */
	bool as_kept; /* sorted and without duplicates: chunks can be stored unchanged */
	struct checksum
	    hash; /* of subject, host, env and commit; for a table without run */
};

struct ingest_run {
	char *name;
	bool by_content; /* named after its rows, by ingest_finish or before */
	uint64_t table;  /* of a run without a name */
	bool has_time;
	int64_t time;         /* the earliest, ns since 1970 */
	struct checksum hash; /* of its rows, if it has no name */
	int64_t expected;     /* number of rows by its end mark; ROW_NONE without one */
	size_t ended;         /* time of the end mark, as a number of strings */
};

struct ingest {
	struct groups *groups; /* by subject, host, env and commit; NULL without rows */
	struct intern texts;
	struct ingest_series *series;
	size_t count, cap;
	struct ingest_run *run;
	size_t runs, run_cap;
	struct ingest_facts facts; /* in numbers of strings */
	size_t rows;
	bool repeats; /* a run may have several series of the same subject */

	/* for ingest.c */
	size_t *first; /* by group: its first series */
	size_t firsts, first_cap;
	struct intern other_keys; /* of the other series */
	size_t *other, others, other_cap;
	struct intern run_keys;
	size_t last_run;
	size_t noted_run, noted_env; /* the last run and env that the facts know */
	bool noted;
	size_t open_rows;
	struct buf scratch, factors;
	struct text *cell;     /* of a series, by column */
	struct factor *factor; /* of a series; as many as cells */
	size_t cells;
};

struct ingest *ingest_open(void);
/* Adds a row; a callback of struct bench_csv_sink, with the struct ingest as ctx. */
int ingest_add_row(void *ctx, const struct row *row, struct fault *f);
/* Adds a fact; a callback of struct bench_csv_sink. */
int ingest_add_fact(
    void *ctx, struct text env, struct text fact, struct text value, struct fault *f);
/* Adds a newest fact of an env that belongs to no run. */
void ingest_add_newest_fact(
    struct ingest *in, struct text env, struct text fact, struct text value);
/* Adds a fact that belongs only to one run. */
void ingest_add_run_fact(
    struct ingest *in, size_t run, struct text env, struct text fact, struct text value);
/* Adds an end mark; a callback of struct bench_csv_sink. Refuses a mark without a number of
 * rows, or one that contradicts an earlier mark of the run. */
int ingest_add_end_mark(void *ctx, const struct row *row, struct fault *f);
/* Returns the number of the run with a name, which is not empty. */
size_t ingest_run_named(struct ingest *in, struct text name);
/* Sets the number of rows that the end mark of a run states, and the mark's time. Returns
 * 0, or -1 and the message. */
int ingest_expect(
    struct ingest *in, size_t run, int64_t rows, struct text ended, struct fault *f);
/* Ends the input: packs the remaining rows except those of short series if they are few,
 * names the runs of tables without run, and makes one run of those with the same name. */
void ingest_finish(struct ingest *in);
/* Returns the number of chunks of a series in the database. */
size_t ingest_series_chunks(const struct ingest_series *s);
/* Returns a chunk of a series. Its bytes are valid until the next call. */
struct ingest_chunk ingest_series_chunk(
    struct ingest *in, const struct ingest_series *s, size_t number);
/* Appends the rows of a chunk of a series to out. Returns 0, or -1 and the message. */
int ingest_series_rows(struct ingest *in, const struct ingest_series *s, size_t number,
    struct pack_rows *out, struct fault *f);
/* Returns the strings of the columns of a series, by id, valid until the next call. */
const struct text *ingest_series_cells(struct ingest *in, const struct ingest_series *s);
/* Appends the factors among the strings of a series as factors_write writes them. */
void ingest_series_factors(struct ingest *in, const struct text *cell, struct buf *out);
void ingest_close(struct ingest *in);

#endif
