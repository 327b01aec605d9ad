/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics that the measured program prints itself: --metric name[:unit]=REGEX.
 */
#ifndef RUN_OUTPUT_METRIC_H
#define RUN_OUTPUT_METRIC_H

#include "base/base.h"

struct output_metric;

const char *output_metric_name(const struct output_metric *e);
const char *output_metric_unit(const struct output_metric *e);
/* The number at the first match in the output; false when there is none. */
bool output_metric_find(const struct output_metric *e, struct text output, double *out);
/*
 * Compiles all specs of --metric into a new array. A regular expression is POSIX extended;
 * its first group, or all that it matches when it has none, is the number. -1 and the
 * message, which names the option, when one is wrong.
 */
int output_metrics_open(
    const char *const *specs, size_t count, struct output_metric ***out, struct fault *f);
void output_metrics_close(struct output_metric **extract, size_t count);

#endif
