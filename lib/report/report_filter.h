/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a stream that a picture can show: the rows of one metric and kind, and of the
 * subjects with the largest values. Pure.
 */
#ifndef REPORT_REPORT_FILTER_H
#define REPORT_REPORT_FILTER_H

#include "report/report_inventory.h"

struct report_filter_opts {
	const char *metric; /* NULL: any */
	bool kind[ROW_KINDS];
	bool failed;                 /* includes rows that are not ok */
	bool by_size;                /* the largest first, else as they came */
	const char *bench;           /* NULL: any */
	const char *commit;          /* NULL: any */
	const char *along;           /* the column that lines run along; NULL: none */
	const char *const *together; /* columns that do not tell subjects apart */
	size_t togethers;
	size_t most; /* subjects, or lines */
};

struct report_filter;
/*
 * Opens a filter. The schema is the whole one, of a stream that read the same before;
 * coming is that of the stream whose rows come now, and learns later columns later. The
 * options are copied; their texts must outlive the filter.
 */
struct report_filter *report_filter_open(const struct schema *schema,
    const struct schema *coming, const struct report_filter_opts *opts);
void report_filter_row(struct report_filter *c, const struct row *row);
/* Ends the rows: makes lines of the subjects. */
void report_filter_finish(struct report_filter *c);
/* The following functions are called after report_filter_finish. */
/* Appends the table of the subjects, or lines, with the largest mean values. */
void report_filter_print(struct report_filter *c, struct buf *b);
size_t report_filter_subjects(const struct report_filter *c); /* or lines */
size_t report_filter_left_out(const struct report_filter *c);
bool report_filter_is_along(const struct report_filter *c); /* whether there are lines */
void report_filter_close(struct report_filter *c);

#endif
