/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wait statuses as text; see exit_status.h.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "sys/exit_status.h"

void exit_status_print(int wait_status, bool fine, char *out, size_t size)
{
	if (fine)
		snprintf(out, size, "ok");
	else if (WIFSIGNALED(wait_status)) {
		const char *name = sigabbrev_np(WTERMSIG(wait_status));

		if (name)
			snprintf(out, size, "failed:signal=SIG%s", name);
		else
			snprintf(out, size, "failed:signal=%d", WTERMSIG(wait_status));
	} else
		snprintf(out, size, "failed:exit=%d", WEXITSTATUS(wait_status));
}
