/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads bench-csv(5): the records of one or more files become rows, facts and subjects.
 * This module applies all rules of bench-csv(5) about headers, tables, numbers and short
 * rows.
 */
#ifndef RECORD_BENCH_CSV_H
#define RECORD_BENCH_CSV_H

#include "record/facts.h"
#include "record/metric_filter.h"
#include "record/row_conditions.h"
#include "record/run_ends.h"

/* A record of the subjects table: the names of its columns and their strings. */
struct subject_row {
	const struct text *name, *cell;
	size_t count;
	const char *file;
	uint64_t line;
};

/*
 * Callbacks for rows, end marks of runs (row_is_end_mark; they are never passed to row),
 * facts and subjects. NULL ignores that kind. Arguments live until the callback returns. A
 * callback returns 0 to continue, or -1 and the message to stop reading.
 */
struct bench_csv_sink {
	int (*row)(void *ctx, const struct row *row, struct fault *f);
	int (*end_mark)(void *ctx, const struct row *row, struct fault *f);
	int (*fact)(void *ctx, struct text env, struct text fact, struct text value,
	    struct fault *f);
	int (*subject)(void *ctx, const struct subject_row *subject, struct fault *f);
	/* The message about input that begins with no known header; NULL: the default. */
	const char *no_header;
};

struct bench_csv;
struct bench_csv *bench_csv_open(const struct bench_csv_sink *sink, void *ctx);
/*
 * Melts columns of foreign wide CSV: for each spec "column" or "column:unit", the column's
 * field in a record becomes a row whose metric is the column's name. The strings must
 * outlive the reader. Returns 0 or -1.
 */
int bench_csv_melt(
    struct bench_csv *s, const char *const *specs, size_t count, struct fault *f);
/* Makes extra columns (column_extra) part of the rows, which otherwise lack them. Call it
 * before reading. */
void bench_csv_keep_extras(struct bench_csv *s);
/* Passes only rows whose metrics the filter selects, and that meet the conditions, to the
 * sink, and end marks. Either may be NULL. Both must outlive the reader. */
void bench_csv_select(
    struct bench_csv *s, struct metric_filter *filter, struct row_conditions *conditions);
/* Adds the rows and end marks that are read from now on to a list of runs; NULL: to none.
 * Rows that are not selected are added, and melted rows are not. */
void bench_csv_watch_ends(struct bench_csv *s, struct run_ends *ends);
/* Reads a file ("-": standard input). Returns 0, or -1 and a message with file, line and
 * column. */
int bench_csv_read(struct bench_csv *s, const char *path, struct fault *f);
/* Reads text in memory. The name, for messages, must outlive the call. Returns as
 * bench_csv_read(). */
int bench_csv_read_text(
    struct bench_csv *s, const char *name, struct text t, struct fault *f);
/* Reads several files, or standard input when count is 0. Returns as bench_csv_read(), at
 * the first file that fails. */
int bench_csv_read_all(
    struct bench_csv *s, char *const *path, size_t count, struct fault *f);
/* Returns the names of the extra columns that the rows lack. */
const struct intern *bench_csv_skipped(const struct bench_csv *s);
const struct schema *bench_csv_schema(const struct bench_csv *s);
/* Returns whether any table of rows (not facts or subjects) was read. */
bool bench_csv_has_rows(const struct bench_csv *s);
bool bench_csv_has_facts(const struct bench_csv *s);
/* Returns the facts, which the reader collects from this call on. */
const struct facts *bench_csv_facts(struct bench_csv *s);
void bench_csv_close(struct bench_csv *s);

#endif
