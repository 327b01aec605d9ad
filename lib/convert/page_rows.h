/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes rows of the metrics of a record, as a page of bench-format-page(5) describes them.
 * Pure.
 */
#ifndef CONVERT_PAGE_ROWS_H
#define CONVERT_PAGE_ROWS_H

#include "base/intern.h"
#include "convert/convert.h"
#include "convert/format_page.h"

/* A pass over a file. Zero what is not set to begin. */
struct page_rows {
	const struct format_page *page;
	const struct source *source;
	struct row_builder *out;
	size_t records; /* that were seen */

	/* The metric that is read. */
	const struct page_metric *metric;
	size_t rows; /* of this record */

	struct intern subjects; /* for the numbers of repeated records */
	int64_t *repeats;       /* by subject */
	size_t count, cap;
};

/* Parses a whole number of at least 0, such as 1e6. */
bool page_rows_whole(struct text t, int64_t *out);
/* Returns whether a name is in a list "a|b|c", which may be NULL. */
bool page_rows_lists(const char *names, struct text name);
/* Sets the column time from milliseconds since 1970. */
void page_rows_time(struct page_rows *r, double ms);
/* Sets the number of the sample: how many records of the same benchmark and factors, which
 * are set, came before. */
void page_rows_number(struct page_rows *r);
/* Adds the rows of a record whose columns are set: at least one, without a value if there
 * is none. Returns 0, or the result of the sink. */
int page_rows_put(struct page_rows *r, const struct page_node *record, struct fault *f);
void page_rows_free(struct page_rows *r);

#endif
