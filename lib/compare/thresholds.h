/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Margins by benchmark and metric, from a table that the user writes:
 *
 *	bench,metric,threshold,better,warning
 *	sort*,wall,5%,,2%
 *	,max_rss,20%
 */
#ifndef COMPARE_THRESHOLDS_H
#define COMPARE_THRESHOLDS_H

#include "record/metric.h"

/* A line of the table. Empty fields are NAN, or has_better is false. */
struct threshold {
	uint64_t line;        /* in the file */
	char *bench, *metric; /* shell patterns; empty: all */
	double margin;
	double warning;   /* margin of warnings */
	bool is_doubtful; /* a margin without a sign is between 0% and 1% */
	bool has_better;
	enum better better;
};

struct thresholds;
/*
 * Reads the table. The header must have the columns bench, metric and threshold, in any
 * order, and may have better (lower, higher or none) and warning; a line may end early. A
 * warning must be below the margin of its line, or below usual if the line has no margin.
 * Returns NULL with a message that has the name of the file and the line.
 */
struct thresholds *thresholds_read(const char *file, double usual, struct fault *f);
/* Returns the first line that matches, or NULL; t may be NULL. */
const struct threshold *thresholds_find(
    const struct thresholds *t, struct text bench, struct text metric);
/* Returns whether the patterns of a line match. */
bool threshold_fits_bench(const struct threshold *t, struct text bench);
bool threshold_fits_metric(const struct threshold *t, struct text metric);
/* Returns the only benchmark that the pattern of a line matches, or an empty string if it
 * may match others. */
struct text threshold_only_bench(const struct threshold *t);
/* Returns whether a line, which may be NULL, demands that its rows decide: it names a
 * metric and does not say that neither direction is better. */
bool threshold_demands(const struct threshold *t);
/* Returns the lines in the order of the file. */
const struct threshold *thresholds_list(const struct thresholds *t, size_t *count);
/* Returns the name of the file, which must outlive the table; for messages. */
const char *thresholds_file(const struct thresholds *t);
void thresholds_free(struct thresholds *t);

#endif
