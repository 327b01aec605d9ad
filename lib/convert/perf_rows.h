/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events that perf stat reports, and their rows; and times that perf writes.
 */
#ifndef CONVERT_PERF_ROWS_H
#define CONVERT_PERF_ROWS_H

#include "convert/convert.h"
#include "record/provenance.h"
#include "record/sample_counts.h"

/* The most lines of the measured program before the first event. */
enum { PERF_RECOGNIZED_LINES = 10000 };
extern const char perf_decimal_comma[]; /* why a file is rejected */

struct perf_event {
	struct text value, unit, name, place, cgroup;
	double interval_s, variance_pct, runtime_ns, running_pct; /* NAN: missing */
	bool is_total;                                            /* of all intervals */
	const char *reason; /* why it cannot be read; NULL: it can be */
};

struct perf_reading {
	struct row_builder *out;
	const char *name;                  /* for notes */
	char started[PROVENANCE_TIME_MAX]; /* or "" */
	int64_t sample;                    /* the run of perf; ROW_NONE: the file has one */
	bool has_rows;                     /* of this run */
	bool has_totals;                   /* which the file does not mark */
	double interval_s;                 /* the last of this run; NAN: there is none */
	struct text bench;                 /* the command, or "" */
	int64_t iterations;                /* whose mean the counts are, or ROW_NONE */
	bool knows_runs;                   /* the file says where a run begins */
	struct sample_counts events;       /* of this run or interval */
	bool has_occurrences;              /* which a note says */
	int64_t events_sample;
	double events_interval_s;
};

/* Begins to read a file. If several runs of perf wrote it, they become samples. */
struct perf_reading perf_begin(const struct source *s, struct row_builder *out);
void perf_end(struct perf_reading *r);
/*
 * Sets out to a time such as "Sat Nov 28 01:28:44 2026", which perf writes in the local
 * time zone, as a time of bench-csv(5). Sets it to "" if the text is none, or is in the
 * hour that occurs twice when daylight saving time ends.
 */
void perf_local_time(struct text t, char out[PROVENANCE_TIME_MAX]);
/* Notes the start of perf and its time in a comment such as "# started on Sat Nov 28
 * 01:28:44 2026", which -o writes. Returns whether the line has more than a comment. */
bool perf_see_line(struct perf_reading *r, struct text line);
/* Returns whether a line is neither empty nor a comment. */
bool perf_has_content(struct text line);
/* Returns whether a string is a number with a decimal comma, such as "3,97". */
bool perf_comma_number(struct text t);
/* Adds the rows of an event. An event that occurs again in a run, which perf counts once
 * for each metric that needs it, is no sample of its own: it has the factor occurrence.
 * Returns 0, or -1 and the message. */
int perf_put_event(struct perf_reading *r, const struct perf_event *e, struct fault *f);

#endif
