/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files that read streams.
 */
#ifndef RECORD_BENCH_CSV_PRIV_H
#define RECORD_BENCH_CSV_PRIV_H

#include "base/intern.h"
#include "io/csv_reader.h"
#include "record/bench_csv.h"
#include "record/each_metrics.h"
#include "record/melt.h"
#include "record/row_fields.h"
#include "record/stream_header.h"

/* The kind of a table; of a record, that of the table that it begins. */
enum bench_csv_table { TABLE_NONE, TABLE_ROWS, TABLE_FACTS, TABLE_SUBJECTS };

/* The column id of a field that is no cell of a row. */
#define NOT_A_CELL SIZE_MAX

struct bench_csv {
	const struct bench_csv_sink *sink;
	void *ctx;
	struct csv_reader *reader;
	const char *file;
	struct schema schema;

	enum bench_csv_table kind;
	uint64_t tables; /* number of tables of rows */
	bool continues;  /* the next header of JSON belongs to the last table of rows */
	bool has_facts;  /* whether a table of facts was read */
	bool keeps_facts;
	struct facts facts;
	size_t columns; /* of the current table */
	size_t *id; /* position -> column id; NOT_A_CELL: melted, or extra and skipped */
	size_t position[COL_FACTORS]; /* column id -> position, or SIZE_MAX */
	size_t aa;                    /* the position of the column aa, or SIZE_MAX */
	size_t fact_at[FACT_FIELDS];  /* positions in a table of facts */
	struct buf names;             /* the bytes of the header of a table of subjects */
	struct text *name;            /* names of its columns, by position */

	struct melt *melt;
	size_t melts;
	bool extras;                       /* extra columns are part of the rows */
	struct intern skipped;             /* names of extra columns that are not */
	struct metric_filter *filter;      /* NULL: all metrics */
	struct row_conditions *conditions; /* NULL: none */
	struct each_metrics each;
	struct run_ends *ends; /* NULL: not watched */

	struct text *cell; /* by column id */
	struct row row;
	struct row_fields fields;
	bool value_read; /* the value of the current record is already in the row */
};

/* Begins a table with this header. Returns 0, or -1 and the message. */
int bench_csv_begin_table(struct bench_csv *s, enum bench_csv_table kind,
    const struct text *field, size_t count, uint64_t line, struct fault *f);
/* Explains that input begins with a record that is no known header. Returns -1. */
int bench_csv_no_header(struct bench_csv *s, const struct text *field, size_t count,
    uint64_t line, struct fault *f);
/* Makes a message about a line of the current file. Returns -1. */
int bench_csv_fault(struct bench_csv *s, uint64_t line, struct fault *f, const char *fmt,
    ...) PRINTF_LIKE(4, 5);

#endif
