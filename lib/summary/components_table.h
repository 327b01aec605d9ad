/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the table of bench-stat --components: one row for each group and level of
 * variation.
 */
#ifndef SUMMARY_COMPONENTS_TABLE_H
#define SUMMARY_COMPONENTS_TABLE_H

#include "io/render.h"
#include "record/collect.h"

/*
 * Prints the components of all groups. The values were collected with COLLECT_IDENTITY and
 * COLLECT_TIME, and collect_finish has been called. Returns 0, or -1 and errno if writing
 * failed.
 */
int components_print(const struct groups *g, struct collect *c, const struct output *out);

#endif
