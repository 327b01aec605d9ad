/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects all rows of a stream by subject and metric, with their numbers and statuses, for
 * formats that keep single samples, failed runs or points of time series.
 */
#ifndef RECORD_SUBJECT_SAMPLES_H
#define RECORD_SUBJECT_SAMPLES_H

#include "record/group.h"
#include "record/metric.h"
#include "record/subject_groups.h"

struct subject_sample {
	double value;                           /* NAN: none */
	int64_t process, sample, t, iterations; /* or ROW_NONE */
	int64_t time_ns;                        /* since 1970, or ROW_NONE */
	uint32_t run, status;                   /* in `runs` and `statuses` */
	bool ok;
};

struct metric_samples {
	size_t subject;
	struct subject_sample *sample; /* in the order of the rows */
	size_t count;
};

struct text_sink;
struct subject_samples {
	struct groups *groups;     /* by subject and provenance, metric and unit */
	struct metric_samples *of; /* by group */
	size_t count, cap;
	struct metrics *metrics;
	struct subject_groups by_subject;
	struct intern runs, statuses;
	struct buf *notes;      /* lines for the user; owned by the caller */
	struct text_sink *sink; /* for the writer; NULL: the text is written at the end */
};

/* Opens an empty collection. Returns NULL and the message if the table of metrics cannot be
 * read. */
struct subject_samples *subject_samples_open(
    const struct schema *schema, struct buf *notes, struct fault *f);
/* Adds a row. Always returns 0. */
int subject_samples_row(void *samples, const struct row *row, struct fault *f);
void subject_samples_close(struct subject_samples *t);

/* Returns a column of a group; empty if it has none. */
struct text subject_samples_cell(
    const struct subject_samples *t, size_t group, enum column column);
/* Returns the number, in keys, of the strings that a group has in some columns. Groups with
 * the same strings have the same number. */
size_t subject_samples_number(const struct subject_samples *t, size_t group,
    const enum column *columns, size_t count, struct intern *keys);
/* Returns whether a sample enters statistics: it has a value and did not fail, and is
 * neither a warm-up nor a point of a time series. */
bool subject_sample_counts(const struct subject_sample *s);
/* Fills in the values of a group that enter statistics, in their order. The array, which
 * the caller frees, has room for all samples. Returns their number. */
size_t subject_samples_values(
    const struct subject_samples *t, size_t group, double **values);
/*
 * Returns 0 if all rows have the same host and commit, as the rows of one file of another
 * program must. Otherwise returns -1 and the message.
 */
int subject_samples_single(
    const struct subject_samples *t, const char *program, struct fault *f);
/* Adds a line to the notes for the user. */
void subject_samples_note(struct subject_samples *t, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

#endif
