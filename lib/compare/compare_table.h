/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-compare: a row a comparison with its subject, side and result.
 */
#ifndef COMPARE_COMPARE_TABLE_H
#define COMPARE_COMPARE_TABLE_H

#include <stdio.h>

#include "compare/compare.h"
#include "io/render.h"

/* Which columns of a result are shown; without any, all but those only asked for. */
struct compare_columns {
	size_t *field; /* allocated */
	size_t count;
};

/* Those of a list "ratio,p,...", in its order. 0, or -1 naming the unknown. */
int compare_choose(const char *list, struct compare_columns *out, struct fault *f);
bool compare_chosen(const struct compare_columns *columns, const char *name);

/*
 * Print all comparisons, after compare_finish, and behind them, where asked for, geometric
 * means, whose verdict reads "geomean". 0, or -1 when writing failed (errno).
 */
int compare_print(const struct compare *c, const struct compare_columns *columns,
    bool geomean, FILE *out, enum render_format format);

#endif
