/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The provenance of a run: its id and its time. The commit is in git_commit.h.
 */
#ifndef RECORD_PROVENANCE_H
#define RECORD_PROVENANCE_H

#include "base/base.h"

enum { PROVENANCE_RUN_MAX = 37, PROVENANCE_TIME_MAX = 36 };

/* Writes a new UUID of version 7 (RFC 9562). Such UUIDs sort by the time of creation. */
void provenance_run(char out[PROVENANCE_RUN_MAX]);
/* Writes CLOCK_REALTIME in ns as RFC 3339 in UTC with nanoseconds. Returns its length. */
size_t provenance_time(char out[PROVENANCE_TIME_MAX], int64_t real_ns);

#endif
