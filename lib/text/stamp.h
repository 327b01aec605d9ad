/*
 * Times as bench-csv(5) writes them, RFC 3339, to and from nanoseconds since 1970 in UTC.
 * Pure. Covers the years 1678 to 2261, which 64 bits of nanoseconds can hold.
 */
#ifndef STAMP_H
#define STAMP_H

#include "base/base.h"

enum { STAMP_MAX = 31, STAMP_FOREIGN = -1 };

/*
 * Read "2026-01-31", "2026-01-31T12:00", "...:00.25Z", "...+02:00"; a time without a zone
 * is UTC. *digits is how many follow the point when stamp_print gives the very same text
 * back, otherwise STAMP_FOREIGN. False when the text is no time.
 */
bool stamp_parse(struct text t, int64_t *ns, int *digits);
/* "2026-01-31T12:00:00.250Z" with 0 to 9 digits; what does not fit is cut off. Its length.
 */
size_t stamp_print(char out[STAMP_MAX], int64_t ns, int digits);
/* A moment as an option says it: a time as above, or "30d", that long before now. 0 or -1.
 */
int stamp_option(const char *s, int64_t now_ns, int64_t *ns, struct fault *f);

#endif
