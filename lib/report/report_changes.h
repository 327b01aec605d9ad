/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The changes of a history, as a report shows them: worst first, and as CSV.
 */
#ifndef REPORT_REPORT_CHANGES_H
#define REPORT_REPORT_CHANGES_H

#include "history/history.h"

/* A change of a series. */
struct series_change {
	const struct history_series *series;
	const struct change *change;
	const struct history_point *from, *at; /* the points before and after it */
	enum { CHANGE_WORSE, CHANGE_BETTER, CHANGE_DIFFERS } verdict;
	bool newest; /* of its series */
	double size; /* |log ratio|; 0: there is no ratio */
};

/* Returns all changes of a history, after history_find(); allocated. Those of series that
 * decide come first, then the worse ones, then the larger ones. */
struct series_change *report_changes_list(const struct history *h, size_t *count);
/* Appends the changes of series that decide, or of the others, as CSV. */
void report_changes_put(struct buf *b, const struct history *h,
    const struct series_change *list, size_t count, bool decides);
/* Returns the size of the largest change of a series, which is a group of other groups with
 * the same columns; 0 if it has none. */
double report_changes_largest(const struct history *h, const struct series_change *list,
    size_t count, const struct groups *g, size_t group);

#endif
