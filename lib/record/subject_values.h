/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects all values of a stream by subject and metric, for formats with one entry for
 * each subject. Warm-ups and points of time series are left out, and so are rows that
 * failed or have no value, unless the format has a place for failures or for their number.
 */
#ifndef RECORD_SUBJECT_VALUES_H
#define RECORD_SUBJECT_VALUES_H

#include "record/group.h"
#include "record/metric.h"
#include "record/subject_groups.h"
#include "stats/stats.h"

/* The row of a value. */
struct value_origin {
	int64_t process, sample, iterations; /* or ROW_NONE */
	/* Numbers of strings in subject_values, if failures are collected; NO_TEXT: empty,
	 * or the status ok. */
	uint32_t run, status, message, name;
};
enum { NO_TEXT };

struct metric_values {
	size_t subject;
	double *value; /* NAN: failed without a value */
	struct value_origin *origin;
	size_t count;
	/* With counts_failures: */
	size_t failed;     /* rows that failed or timed out */
	int64_t latest_ns; /* the latest time of a row, or INT64_MIN */
};

struct text_sink;
struct subject_values {
	struct groups *groups;    /* by subject and provenance, metric and unit */
	struct metric_values *of; /* by group */
	size_t count, cap;
	struct metrics *metrics;
	bool failures;          /* rows that failed are collected */
	bool counts_failures;   /* rows that failed are counted, even without any value */
	struct subject_groups by_subject;
	struct intern texts;    /* of origins */
	struct buf *notes;      /* lines for the user; owned by the caller */
	struct text_sink *sink; /* for the writer; NULL: the text is written at the end */
};

/* Opens an empty collection, of failed rows too if `failures`. Returns NULL and the message
 * if the table of metrics cannot be read. */
struct subject_values *subject_values_open(
    const struct schema *schema, bool failures, struct buf *notes, struct fault *f);
/* Adds a row. Always returns 0. */
int subject_values_row(void *values, const struct row *row, struct fault *f);
void subject_values_close(struct subject_values *t);

/* Returns the values of a metric of a subject in this unit, or NULL. */
const struct metric_values *subject_values_find(
    const struct subject_values *t, size_t subject, const char *metric, const char *unit);
/* Returns the group of the first values of a subject. */
size_t subject_values_first(const struct subject_values *t, size_t subject);
struct text subject_values_metric(const struct subject_values *t, size_t group);
struct text subject_values_unit(const struct subject_values *t, size_t group);
struct text subject_values_text(const struct subject_values *t, size_t number);
/* Summarizes the values that are there, with DEFAULT_CONFIDENCE. */
void subject_values_summary(const struct metric_values *v, struct summary *out);
/* Finds the values of another metric that are of the same samples; values: NULL if there is
 * no such metric. */
struct value_pairs {
	const struct metric_values *values;
	size_t next;
};
/* Returns the value of the sample of value i, or NAN. Must be called for each i, in order.
 */
double value_pairs_next(struct value_pairs *p, const struct metric_values *of, size_t i);
/* Appends the name of a subject, as subject_name() does. */
void subject_values_name(
    const struct subject_values *t, size_t group, const char *sign, struct buf *out);

#endif
