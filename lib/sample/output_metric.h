/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics that the measured command prints itself: --extract NAME[:UNIT]=REGEX.
 */
#ifndef SAMPLE_OUTPUT_METRIC_H
#define SAMPLE_OUTPUT_METRIC_H

#include "counters/counter.h"

struct output_metric;

const char *output_metric_name(const struct output_metric *e);
const char *output_metric_unit(const struct output_metric *e);
/*
 * Finds the number of the first match in the output; its digits may be grouped by commas.
 * Returns 1 if there is one, 0 if there is none or the match is not a number, and -1 and a
 * message that names the option if memory runs out.
 */
int output_metric_find(
    struct output_metric *e, struct text output, double *out, struct fault *f);
/* Appends a line about matches that were not numbers, and one if no output matched. */
void output_metric_explain(const struct output_metric *e, struct buf *lines);
/*
 * Compiles all specs of --extract into a new array. The regular expressions are POSIX
 * extended; the number is the first group, or the whole match if there is no group.
 * Returns 0, or -1 and a message that names the option if a spec is invalid.
 */
int output_metrics_open(
    const char *const *specs, size_t count, struct output_metric ***out, struct fault *f);
/*
 * Checks that the names differ from each other and from those of the metrics that are
 * measured: bench-run's own, those of the counters and, if energy is set, those of energy.
 * Returns 0, or -1 and the message.
 */
int output_metrics_check(struct output_metric *const *extract, size_t count,
    const struct counter_set *counters, bool energy, struct fault *f);
void output_metrics_close(struct output_metric **extract, size_t count);

#endif
