/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts times in the format of bench-csv(5), which is RFC 3339, to and from nanoseconds
 * since 1970 in UTC. Pure. Covers the years 1678 to 2261, which 64 bits of nanoseconds can
 * hold.
 */
#ifndef TEXT_STAMP_H
#define TEXT_STAMP_H

#include "base/base.h"

enum { STAMP_MAX = 31, STAMP_FOREIGN = -1 };

/*
 * Parses "2026-01-31", "2026-01-31T12:00", "...:00.25Z", "...+02:00"; a time without a zone
 * is UTC. Digits after the ninth of a fraction are ignored. Sets *digits to the number of
 * fractional digits if stamp_print returns the same string, otherwise to STAMP_FOREIGN.
 * Returns false if the string is not a time.
 */
bool stamp_parse(struct text t, int64_t *ns, int *digits);
/*
 * Prints "2026-01-31T12:00:00.250Z" with 0 to 9 fractional digits, truncated to fit.
 * Returns the length.
 */
size_t stamp_print(char out[STAMP_MAX], int64_t ns, int digits);
/*
 * Parses an age such as "30d" or "12h" as nanoseconds. A number without a unit is not an
 * age. Returns 0, or -1 and the message.
 */
int stamp_age(const char *s, double *ns, struct fault *f);
/*
 * Parses the argument of an option: a time as above, or "30d" for 30 days before now.
 * Returns 0, or -1 and the message.
 */
int stamp_option(const char *s, int64_t now_ns, int64_t *ns, struct fault *f);

#endif
