/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stops of a helper; see helper_stops.h. */
#include <signal.h>
#include <sys/wait.h>

#include "helper/helper_stops.h"

int helper_stops_take(pid_t pid)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WCONTINUED | WNOHANG) < 0 ||
	    !info.si_pid)
		return 0;
	return info.si_code == CLD_STOPPED ? info.si_status : SIGSTOP;
}

void helper_stops_forget(pid_t pid)
{
	while (helper_stops_take(pid))
		kill(-pid, SIGCONT);
}
