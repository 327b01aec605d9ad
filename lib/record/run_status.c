/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The strings of run_status.h.
 */
#include "record/run_status.h"

const char *run_status_text(struct run_status s, char buffer[RUN_STATUS_MAX])
{
	static const char *const texts[] = { [RUN_OK] = "ok",
		[RUN_TIMEOUT] = "timeout",
		[RUN_SKIPPED] = "skipped",
		[RUN_UNSUPPORTED] = "unsupported",
		[RUN_DENIED] = "denied" };

	if (s.outcome != RUN_FAILED)
		return texts[s.outcome];
	exit_status_print(s.wait_status, false, buffer, RUN_STATUS_MAX);
	return buffer;
}
