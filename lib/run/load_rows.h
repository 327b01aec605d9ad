/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a load: of its requests, which are its samples, and of its periods.
 */
#ifndef RUN_LOAD_ROWS_H
#define RUN_LOAD_ROWS_H

#include "load/requests.h"
#include "sample/run_sample.h"

/*
 * Adds the times of a request to its sample. If the request was left, the sample has the
 * status RUN_TIMEOUT and no values: the time that passed is no bound with which quantiles
 * can be estimated, because requests that arrived later waited less. If its execution timed
 * out, the wait is exact.
 */
void load_rows_request(struct run_sample *s, const struct load_request *r);
/* Adds the values that exist once in a period. */
void load_rows_period(struct run_sample *s, const struct period_summary *p);
/*
 * Appends the lines about a subject whose servers could not keep up, or whose requests were
 * late.
 */
void load_rows_explain(
    const struct load_total *total, const struct subject *s, struct buf *lines);

#endif
