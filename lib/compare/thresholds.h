/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Margins by benchmark and metric, from a table of the user's:
 *
 *	bench,metric,threshold,better,warning
 *	sort*,wall,5%,,2%
 *	,max_rss,20%
 *
 * Pure.
 */
#ifndef COMPARE_THRESHOLDS_H
#define COMPARE_THRESHOLDS_H

#include "record/metric.h"

/* What a line says; what it leaves open is NAN, or not has_better. */
struct threshold {
	uint64_t line;        /* where it stands */
	char *bench, *metric; /* patterns of the shell; empty: all */
	double margin;        /* beyond it is worse */
	double warning;       /* beyond it is worth a warning */
	bool has_better;
	enum better better;
};

struct thresholds;
/*
 * Parse the table. The header must have the columns bench, metric and threshold, in any
 * order, and may have better (lower, higher or none) and warning; a line may end early.
 * usual is the margin of a line that has none, below which its warning must be. NULL and
 * the message, with the name of the file and the line.
 */
struct thresholds *thresholds_parse(
    struct text csv, const char *name, double usual, struct fault *f);
/* The first line that fits, or NULL; t may be NULL. */
const struct threshold *thresholds_find(
    const struct thresholds *t, struct text bench, struct text metric);
const struct threshold *thresholds_list(const struct thresholds *t, size_t *count);
void thresholds_free(struct thresholds *t);

#endif
