/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selects the rows of a stream that a plot shows: one metric and kind, and the subjects
 * with the largest values. Pure.
 */
#ifndef REPORT_REPORT_FILTER_H
#define REPORT_REPORT_FILTER_H

#include "record/group.h"
#include "report/report_inventory.h"
#include "report/report_newest.h"

struct report_filter_opts {
	const char *metric; /* NULL: any */
	bool kind[ROW_KINDS];
	bool failed;           /* includes rows that are not ok */
	bool timeouts;         /* includes times that are limits */
	bool by_size;          /* sort by size, largest first; else input order */
	const char *bench;     /* NULL: any */
	struct newest *newest; /* selects rows; NULL: all */
	const struct inventory *inventory; /* selects metrics; NULL: all */
	bool models, others_than_models;   /* only the rows of models, or only the others */
	bool others; /* the metrics that are not main ones, instead of the main ones */
	const char *along;           /* the x column of lines; NULL: no lines */
	const char *const *together; /* columns that do not distinguish subjects */
	size_t togethers;
	size_t most; /* maximum of subjects, or lines */
	/* Returns what subjects without lines are ranked by when there are more than
	 * `most`; NULL: their mean values. */
	double (*weight)(const void *ctx, const struct groups *g, size_t group);
	const void *weight_ctx;
	const char *weight_name; /* for a caption: "those with the largest WEIGHT" */
};

struct report_filter;
/*
 * Opens a filter. schema is complete, from an earlier pass over the same stream; coming is
 * the schema of the stream that is read now, which grows as tables arrive. The options are
 * copied, but their strings must outlive the filter.
 */
struct report_filter *report_filter_open(const struct schema *schema,
    const struct schema *coming, const struct report_filter_opts *opts);
void report_filter_row(struct report_filter *c, const struct row *row);
/* Ends the rows, joins subjects to lines, and chooses those that are shown. */
void report_filter_finish(struct report_filter *c);
/* The following functions are called after report_filter_finish. */
/* Returns whether the filter needs all rows of the stream again, because there were more
 * subjects than it shows. */
bool report_filter_forgot(const struct report_filter *c);
/* Takes a row of the second reading of the stream. */
void report_filter_again(struct report_filter *c, const struct row *row);
/* Sets *b, which must be empty, to the table of the subjects, or lines, that are shown. The
 * filter keeps none of its rows. */
void report_filter_take(struct report_filter *c, struct buf *b);
/* Returns the number of subjects, or lines; 0 if the filter shows all in their order. */
size_t report_filter_subjects(const struct report_filter *c);
size_t report_filter_rows(const struct report_filter *c);     /* all that were selected */
size_t report_filter_left_out(const struct report_filter *c);
/* Returns what those that are not left out are the largest in. */
const char *report_filter_weight(const struct report_filter *c);
bool report_filter_is_along(const struct report_filter *c); /* whether there are lines */
void report_filter_close(struct report_filter *c);

#endif
