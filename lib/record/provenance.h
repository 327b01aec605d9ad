/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The provenance of a run: its id, its time and the commit that it measured.
 */
#ifndef RECORD_PROVENANCE_H
#define RECORD_PROVENANCE_H

#include "base/base.h"

enum { PROVENANCE_RUN_MAX = 37, PROVENANCE_TIME_MAX = 36 };

/* Fills a UUID of version 7 (RFC 9562), which sorts by the time of its making. */
void provenance_run(char out[PROVENANCE_RUN_MAX]);
/* Writes CLOCK_REALTIME in ns as RFC 3339 in UTC with nanoseconds. Returns its length. */
size_t provenance_time(char out[PROVENANCE_TIME_MAX], int64_t real_ns);
/*
 * Returns the commit checked out in the working directory, with "-dirty" when files differ
 * from it; empty outside git. One call of git, and none where no .git is above. Allocated.
 */
char *provenance_commit(void);

#endif
