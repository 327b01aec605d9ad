/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits for the ends of commands; see child_end.h.
 */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "child_end.h"

int child_end_wait(idtype_t type, id_t id, struct child_end *end)
{
	siginfo_t info;

	for (;;) {
		if (waitid(type, id, &info, WEXITED | WSTOPPED | WNOWAIT) < 0)
			return -1;
		*end = (struct child_end){ .pid = info.si_pid };
		if (info.si_code != CLD_STOPPED)
			return 0;
		if (info.si_status == SIGTTIN || info.si_status == SIGTTOU) {
			end->stop = info.si_status;
			return 0;
		}
		/* Another process may continue it. Its stop is not reported again. */
		waitid(P_PID, (id_t)info.si_pid, &info, WSTOPPED | WNOHANG);
	}
}

void child_end_reap(const struct child_end *end, pid_t pid, struct wire_result *r)
{
	struct rusage use = { 0 };

	while (wait4(pid, &r->status, 0, &use) < 0 && errno == EINTR)
		;
	if (end->stop)
		r->status = end->stop;
	r->user_ns = clock_timeval_ns(use.ru_utime);
	r->sys_ns = clock_timeval_ns(use.ru_stime);
	r->max_rss_bytes = (int64_t)use.ru_maxrss * 1024;
	r->page_faults = use.ru_minflt + use.ru_majflt;
	r->context_switches = use.ru_nvcsw + use.ru_nivcsw;
	r->block_in = use.ru_inblock;
	r->block_out = use.ru_oublock;
}
