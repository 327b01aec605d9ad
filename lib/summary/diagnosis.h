/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be wrong with the values of all groups, corrected for the number of checks; as a
 * table and as lines for people.
 */
#ifndef SUMMARY_DIAGNOSIS_H
#define SUMMARY_DIAGNOSIS_H

#include <stdio.h>

#include "io/render.h"
#include "record/collect.h"
#include "stats/diagnose.h"
#include "stats/inference.h"

struct diagnosis;
/*
 * Check all groups; collect_finish has been called, the values were collected with
 * COLLECT_IDENTITY and COLLECT_TIME and are as they were read. What has a p is found when
 * it is below 1 - confidence after Holm's correction for all checks of all groups. Of the
 * options only the confidence matters. The groups must outlive it.
 */
struct diagnosis *diagnosis_open(
    const struct groups *g, struct collect *c, const struct inference_opts *opts);
size_t diagnosis_count(const struct diagnosis *d);
/* A row a finding. 0, or -1 when writing failed (errno). */
int diagnosis_print(
    const struct diagnosis *d, FILE *out, enum render_format format, bool all_keys);
/* A finding in one line, with what to do; fit for a terminal; allocated. */
char *diagnosis_line(const struct diagnosis *d, size_t i);
void diagnosis_close(struct diagnosis *d);

#endif
