/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a sample ended, or why a value is missing. The text, for the status column of
 * bench-csv(5) and for messages, is made where it is written.
 */
#ifndef RECORD_RUN_STATUS_H
#define RECORD_RUN_STATUS_H

#include "sys/exit_status.h"

enum run_outcome {
	RUN_OK,
	RUN_FAILED,
	RUN_TIMEOUT,
	RUN_SKIPPED,     /* not measured, or without a result */
	RUN_UNSUPPORTED, /* the machine cannot do it */
	RUN_DENIED,      /* the kernel does not allow it */
};

struct run_status {
	enum run_outcome outcome;
	int wait_status; /* of RUN_FAILED, as wait4 gives it */
};

enum { RUN_STATUS_MAX = EXIT_STATUS_MAX };

static inline bool run_is_ok(struct run_status s)
{
	return s.outcome == RUN_OK;
}

/*
 * Returns "ok", "failed:exit=1", "failed:signal=SIGSEGV", "timeout" ...; a string that is
 * not constant is written to buffer.
 */
const char *run_status_text(struct run_status s, char buffer[RUN_STATUS_MAX]);

#endif
