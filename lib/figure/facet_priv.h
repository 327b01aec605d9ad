/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files that choose the columns of a plot.
 */
#ifndef FIGURE_FACET_PRIV_H
#define FIGURE_FACET_PRIV_H

#include "figure/facet.h"

/* Picks the groups of the metric to draw, which must have one unit. Returns 0 or -1. */
int facet_choose_metric(struct facet *fa, const struct facet_opts *opts, struct fault *f);
/* Returns the next of a list of names; *list is NULL after the last. */
struct text facet_next_name(const char **list);

#endif
