/*
 * Metrics that the measured program prints itself: --metric name[:unit]=REGEX.
 */
#ifndef OUTPUT_METRIC_H
#define OUTPUT_METRIC_H

#include "base/base.h"

struct extract;

const char *extract_name(const struct extract *e);
const char *extract_unit(const struct extract *e);
/* The number at the first match in the output; false when there is none. */
bool extract_find(const struct extract *e, struct text output, double *out);
/*
 * Compiles all specs of --metric into a new array. A regular expression is POSIX extended;
 * its first group, or all that it matches when it has none, is the number. -1 and the
 * message, which names the option, when one is wrong.
 */
int extracts_open(
    const char *const *specs, size_t count, struct extract ***out, struct fault *f);
void extracts_close(struct extract **extract, size_t count);

#endif
