/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-stat --growth: how the median of a metric grows with the numbers in a
 * column, the sizes. A series consists of the groups that differ only in the size, and has
 * one row.
 */
#ifndef SUMMARY_GROWTH_TABLE_H
#define SUMMARY_GROWTH_TABLE_H

#include "io/render.h"
#include "record/collect.h"

struct growth_opts {
	const char *column; /* of the sizes; it is in the key of the groups */
	double confidence;
	const bool *hidden; /* groups whose series are not printed; NULL: none */
	const struct output *out;
};

/*
 * Prints the table and sorts the values of the groups; collect_finish has been called.
 * Appends a line for each reason why groups or models are missing. Returns 0; -1 and a
 * message if there is no such column or a size is not a number; or -1 and an empty message,
 * with errno set, if writing failed.
 */
int growth_print(const struct groups *g, struct collect *c, const struct growth_opts *o,
    struct buf *gaps, struct fault *f);

#endif
