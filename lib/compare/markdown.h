/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as Markdown with GitHub's tables, which GitLab and others read too: for the
 * comment on a pull request.
 */
#ifndef COMPARE_MARKDOWN_H
#define COMPARE_MARKDOWN_H

#include <stdio.h>

#include "compare/gate.h"

/*
 * The verdict in one line, what vanished, a table of what changed, the worst first, then
 * folded away what is unsure and what is the same; geometric means last, where asked for.
 * No name can be markup: all that is not a letter, a digit or harmless is written as a
 * character reference. 0, or -1 when writing failed (errno).
 */
int markdown_print(const struct compare *c, const struct gate *g, bool geomean, FILE *out);

#endif
