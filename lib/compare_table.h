/*
 * The table of bench-compare: a row a comparison with its subject, side and result.
 */
#ifndef COMPARE_TABLE_H
#define COMPARE_TABLE_H

#include <stdio.h>

#include "compare.h"
#include "render.h"

/*
 * Print all comparisons, after compare_finish, and behind them, where asked for, geometric
 * means, whose verdict reads "geomean". 0, or -1 when writing failed (errno).
 */
int compare_print(
    const struct compare *c, bool geomean, FILE *out, enum render_format format);

#endif
