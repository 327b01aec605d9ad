/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the values of all groups for problems, corrected for the number of checks, and
 * prints the findings as a table or as lines.
 */
#ifndef SUMMARY_DIAGNOSIS_H
#define SUMMARY_DIAGNOSIS_H

#include "io/render.h"
#include "record/collect.h"
#include "stats/diagnose.h"
#include "stats/inference.h"

struct diagnosis;
/*
 * Checks all groups, or those whose wanted[] is true. The values were collected with
 * COLLECT_IDENTITY and are in the order of the input, and collect_finish has been called.
 * With COLLECT_TIME they are checked in the order of their times, otherwise in that of
 * their samples. A check with a p is a
 * finding if its p, after Holm's correction for all checks of all groups, is below 1 -
 * confidence. Only the confidence of the options is used. The groups must outlive the
 * diagnosis.
 */
struct diagnosis *diagnosis_open(const struct groups *g, struct collect *c,
    const bool *wanted, const struct inference_opts *opts);
/* Returns the number of findings. */
size_t diagnosis_count(const struct diagnosis *d);
/* Returns the number of groups that had enough values for the checks. */
size_t diagnosis_checked(const struct diagnosis *d);
/* Appends a line if there is no finding, and what could not be checked. */
void diagnosis_note(const struct diagnosis *d, struct buf *lines);
/* Returns the group of a finding. */
size_t diagnosis_group(const struct diagnosis *d, size_t i);
/* Returns a finding without its group, and with its advice if requested; allocated. */
char *diagnosis_text(const struct diagnosis *d, size_t i, bool advice);
/* Prints one row for each finding. Returns 0, or -1 and errno if writing failed. */
int diagnosis_print(const struct diagnosis *d, const struct output *out);
/* Returns a finding and its advice in one line that is safe for a terminal; allocated. */
char *diagnosis_line(const struct diagnosis *d, size_t i);
void diagnosis_close(struct diagnosis *d);

#endif
