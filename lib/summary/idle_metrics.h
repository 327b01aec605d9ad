/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds metrics whose values say that nothing happened: all of them are 0, or 1 of the
 * metric ok. A table for people does without their rows.
 */
#ifndef SUMMARY_IDLE_METRICS_H
#define SUMMARY_IDLE_METRICS_H

#include "record/collect.h"

/*
 * Returns, for each group, whether its metric is idle in all groups; allocated. NULL if no
 * metric is, or all are. collect_finish has been called.
 */
bool *idle_metrics(const struct groups *g, struct collect *c);

/* Appends a line, safe for a terminal, that names the metrics of these groups. */
void idle_metrics_note(const struct groups *g, const bool *idle, struct buf *lines);

#endif
