/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seals: sums of the hashes of rows of tables, which depend neither on the order of the
 * rows nor on the order of changes. After a change, the hash of the old row is subtracted
 * and the hash of the new one is added; the other rows are not read. Damage from before a
 * change remains visible after it. Pure.
 *
 * The hash of a row is text_hash, once with each seed of checksum.h, of these bytes: the
 * name of the table and a NUL; then for each column that is not NULL its number, from 1 in
 * the order of the table, as a byte, and its value. A value is 'i' and the integer, 'n' and
 * the double, 't' or 'b' and the number of bytes and the bytes; integers, doubles and
 * numbers of bytes have 8 bytes, little-endian. The column seal and columns that are NULL
 * are skipped, so rows keep their hashes when a later version of the schema adds a column.
 * This definition may never change; base.h lists all frozen hashes.
 */
#ifndef STORE_SEAL_H
#define STORE_SEAL_H

#include "store/checksum.h"

enum seal_table {
	SEAL_RUN,
	SEAL_SERIES,
	SEAL_CHUNK,
	SEAL_TAG,
	SEAL_FACT,
	SEAL_FACT_SET,
	SEAL_FACT_SET_VALUE,
	SEAL_RUN_FACT_SET,
	SEAL_RUN_FACT_CHANGE,
	SEAL_ANNOTATION,
	SEAL_TABLES
};

/* A table of the schema, and the columns that its seal covers, in their order. */
struct seal_columns {
	const char *table;
	const char *columns; /* separated by ", " */
	int count;
};
extern const struct seal_columns seal_columns[SEAL_TABLES];

/* Columns of benchmark_runs; seal comes after them. */
#define SEAL_RUN_COLUMNS                                                       \
	"run_id, run, time, added, host, env, commit_id, checksum, row_count," \
	" expected_rows, ended"
enum {
	RUN_ID,
	RUN_NAME,
	RUN_TIME,
	RUN_ADDED,
	RUN_HOST,
	RUN_ENV,
	RUN_COMMIT,
	RUN_CHECKSUM,
	RUN_ROW_COUNT,
	RUN_EXPECTED_ROWS,
	RUN_ENDED,
	RUN_SEAL
};
/* Columns of benchmark_results. */
#define SEAL_SERIES_COLUMNS                                                              \
	"result_id, run_id, host, env, commit_id, kind, bench, factors, metric, unit,"   \
	" row_count, n, failed, mean, sd, min, p5, median, p95, max, mad, ci_lo, ci_hi," \
	" n_censored, p90, p99, p999, p9999"
enum {
	SERIES_ID,
	SERIES_RUN,
	SERIES_HOST,
	SERIES_ENV,
	SERIES_COMMIT,
	SERIES_KIND,
	SERIES_BENCH,
	SERIES_FACTORS,
	SERIES_METRIC,
	SERIES_UNIT,
	SERIES_ROW_COUNT,
	SERIES_STATISTICS,
	SERIES_COLUMNS = 28
};

/* A row whose columns are appended one after the other. Initialize it with zeros. */
struct seal_row {
	struct buf bytes;
	int column; /* the number of the last column */
};

/* Begins a row of a table. */
void seal_row_begin(struct seal_row *r, enum seal_table table);
/* Append the next column. */
void seal_row_null(struct seal_row *r);
void seal_row_integer(struct seal_row *r, int64_t n);
void seal_row_number(struct seal_row *r, double x); /* NAN: NULL */
void seal_row_text(struct seal_row *r, struct text t);
void seal_row_bytes(struct seal_row *r, struct text bytes);
/* Returns the hash of the row. */
struct checksum seal_row_hash(const struct seal_row *r);
void seal_row_free(struct seal_row *r);

#endif
