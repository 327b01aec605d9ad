/*
 * Rows of a stream on their way into the store: by run and series, packed as they will be
 * kept, some ten bytes a row, so that a long stream fits in memory and the database is only
 * locked once all of it was read. Pure.
 */
#ifndef GATHER_H
#define GATHER_H

#include "store/checksum.h"
#include "record/group.h"
#include "store/pack.h"

struct gathered_chunk {
	char *bytes;
	uint32_t len, rows;
};

/* The rows of one subject in one run. */
struct gathered_series {
	size_t run, group;
	struct pack_rows open; /* not packed yet */
	struct gathered_chunk *chunk;
	size_t chunks, cap;
	size_t rows;
	int64_t process, sample, t; /* of the last row */
	bool as_kept; /* in order and without repetition: chunks can be kept as they are */
	struct checksum hash; /* of the subject and its origin, for a table without run */
};

struct gathered_run {
	char *name;
	bool by_content; /* named by gather_finish after its rows, or long ago */
	bool has_time;
	int64_t time;         /* the earliest, ns since 1970 */
	struct checksum hash; /* of its rows, when it has no name */
};

struct gathered_fact {
	size_t env, fact, value; /* numbers in texts */
};

struct gather {
	struct groups *groups; /* by subject, host, env and commit; NULL without rows */
	struct intern texts;
	struct gathered_series *series;
	size_t count, cap;
	struct gathered_run *run;
	size_t runs, run_cap;
	struct gathered_fact *fact;
	size_t facts, fact_cap;
	size_t rows;

	/* of ingest.c */
	struct intern series_keys, run_keys, fact_keys;
	size_t open_rows;
	struct buf scratch;
};

struct gather *gather_open(void);
/* For struct stream_sink, with the gather as ctx. */
int gather_row(void *ctx, const struct row *row, struct fault *f);
int gather_fact(
    void *ctx, struct text env, struct text fact, struct text value, struct fault *f);
/* All was read: pack what is left and name the runs of tables that have none. */
void gather_finish(struct gather *g);
/* Append the rows of a series, unpacked. 0 or -1. */
int gather_rows(struct gather *g, const struct gathered_series *s, struct pack_rows *out,
    struct fault *f);
/* Append the factors of a series as the text of factors_write. */
void gather_factors(
    const struct gather *g, const struct gathered_series *s, struct buf *out);
/* The checksum of what all rows of a series have in common. */
struct checksum gather_checksum(struct gather *g, const struct gathered_series *s);
void gather_close(struct gather *g);

#endif
