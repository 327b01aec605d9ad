/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of the rows of bench-stat.
 */
#ifndef SUMMARY_SUMMARY_ORDER_H
#define SUMMARY_SUMMARY_ORDER_H

#include "summary/summary.h"

/*
 * Returns the groups in ascending order of a column, or descending if its name follows a
 * '-'; the caller frees the array. The column is a statistic or one of the key; a column of
 * the key that has the name of a statistic has an underscore after it, as in the output. A
 * column in which each cell is empty or a number is sorted by number, any other by bytes.
 * Empty cells are last in both orders, and equal groups keep their order. Call it after
 * collect_finish(). Returns NULL and a message if there are groups, and
 * the output has no such column.
 */
size_t *summary_order(const struct groups *g, struct collect *c,
    const struct summary_opts *o, const char *column, struct fault *f);

/*
 * Copies the values of each group in the order of the input, if a statistic that is printed
 * or sorted by (NULL: none) needs that order. Call it before anything sorts the values.
 * Returns NULL if none needs it.
 */
struct ordered_groups *summary_order_values(const struct groups *g, struct collect *c,
    const struct summary_opts *o, const char *sort);

#endif
