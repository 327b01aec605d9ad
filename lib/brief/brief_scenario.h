/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result of a subject in a scenario of a load. Pure.
 */
#ifndef BRIEF_BRIEF_SCENARIO_H
#define BRIEF_BRIEF_SCENARIO_H

#include "brief/brief_subjects.h"

struct brief_opts;

/* Appends the result of a subject and its statistic, such as "p90 of latency 4.3 ms
 * (single-stream)"; nothing if it has none. */
void brief_put_scenario(struct buf *b, const struct brief_subjects *s,
    const struct brief_subject *of, struct collect *collect, const struct brief_opts *opts);

#endif
