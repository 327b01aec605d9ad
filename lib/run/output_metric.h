/*
 * Metrics that the measured program prints itself: --metric name[:unit]=REGEX.
 */
#ifndef EXTRACT_H
#define EXTRACT_H

#include "base/base.h"

struct extract;

/*
 * Compile a spec. The regular expression is POSIX extended; its first group, or all that it
 * matches when it has none, is the number. NULL and the message when it is wrong.
 */
struct extract *extract_open(const char *spec, struct fault *f);
const char *extract_name(const struct extract *e);
const char *extract_unit(const struct extract *e);
/* The number at the first match in the output; false when there is none. */
bool extract_find(const struct extract *e, struct text output, double *out);
void extract_close(struct extract *e);

#endif
