/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a stream on their way into the store: by run and series, packed as they will be
 * kept, some ten bytes a row, so that a long stream fits in memory and the database is only
 * locked once all of it was read. Pure.
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
	struct pack_rows open; /* not packed yet */
	struct ingest_chunk *chunk;
	size_t chunks, cap;
	size_t rows;
	int64_t process, sample, t; /* of the last row */
	bool as_kept; /* in order and without repetition: chunks can be kept as they are */
	struct checksum hash; /* of the subject and its origin, for a table without run */
};

struct ingest_run {
	char *name;
	bool by_content; /* named by ingest_finish after its rows, or long ago */
	bool has_time;
	int64_t time;         /* the earliest, ns since 1970 */
	struct checksum hash; /* of its rows, when it has no name */
	int64_t expected;     /* how many rows its end mark counts; ROW_NONE without one */
	size_t ended;         /* the mark's time, a number in texts */
};

struct ingest {
	struct groups *groups; /* by subject, host, env and commit; NULL without rows */
	struct intern texts;
	struct ingest_series *series;
	size_t count, cap;
	struct ingest_run *run;
	size_t runs, run_cap;
	struct ingest_facts facts; /* in numbers of texts */
	size_t rows;

	/* of ingest.c */
	struct intern series_keys, run_keys;
	size_t open_rows;
	struct buf scratch;
};

struct ingest *ingest_open(void);
/* For struct bench_csv_sink, with the struct ingest as ctx. */
int ingest_add_row(void *ctx, const struct row *row, struct fault *f);
int ingest_add_fact(
    void *ctx, struct text env, struct text fact, struct text value, struct fault *f);
/* Adds a fact that is known of an env, but of none of the runs. */
void ingest_add_newest_fact(
    struct ingest *in, struct text env, struct text fact, struct text value);
/* Adds a fact of one run alone. */
void ingest_add_run_fact(
    struct ingest *in, size_t run, struct text env, struct text fact, struct text value);
/* The same for an end mark: refuses one without a count or contradicting an earlier one. */
int ingest_add_end_mark(void *ctx, const struct row *row, struct fault *f);
/* Returns the number of the run of a name, which is not empty. */
size_t ingest_run_named(struct ingest *in, struct text name);
/* Notes how many rows the end mark of a run counts, and the mark's time. 0 or -1. */
int ingest_expect(
    struct ingest *in, size_t run, int64_t rows, struct text ended, struct fault *f);
/* All was read: pack what is left and name the runs of tables that have none. */
void ingest_finish(struct ingest *in);
/* Append the rows of a series, unpacked. 0 or -1. */
int ingest_series_rows(struct ingest *in, const struct ingest_series *s,
    struct pack_rows *out, struct fault *f);
/* Append the factors of a series as the text of factors_write. */
void ingest_series_factors(
    const struct ingest *in, const struct ingest_series *s, struct buf *out);
/* The checksum of what all rows of a series have in common. */
struct checksum ingest_series_checksum(struct ingest *in, const struct ingest_series *s);
void ingest_close(struct ingest *in);

#endif
