/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as Markdown, for a comment on a pull request. The tables have GitHub's
 * syntax, which GitLab and others also accept.
 */
#ifndef COMPARE_MARKDOWN_H
#define COMPARE_MARKDOWN_H

#include <stdio.h>

#include "compare/gate.h"

/*
 * Prints the verdict in one line, the findings of the gate, and a table of the rows that
 * changed, the worst first. Collapsed sections follow: of the rows that are unsure, the
 * same or on one side only, of the rows that do not decide, and, if requested, of geometric
 * means. Rows whose values are all equal are left out. Names cannot become markup,
 * because special characters are written as character references. Returns 0, or -1 if
 * writing fails (errno).
 */
int markdown_print(const struct compare *c, const struct gate *g, bool geomean, FILE *out);

#endif
