/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-stat --components: for each group a row a level of variation.
 */
#ifndef SUMMARY_COMPONENTS_TABLE_H
#define SUMMARY_COMPONENTS_TABLE_H

#include <stdio.h>

#include "io/render.h"
#include "record/collect.h"

/*
 * Print all groups; collect_finish has been called; the values were collected with
 * COLLECT_IDENTITY and COLLECT_TIME. 0, or -1 when writing failed (errno).
 */
int components_print(const struct groups *g, struct collect *c, FILE *out,
    enum render_format format, bool all_keys);

#endif
