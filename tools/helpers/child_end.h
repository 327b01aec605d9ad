/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits for the ends of commands. Only bench-spawn links it.
 */
#ifndef TOOLS_HELPERS_CHILD_END_H
#define TOOLS_HELPERS_CHILD_END_H

#include <sys/types.h>
#include <sys/wait.h>

#include "protocol/spawn_proto.h"

struct child_end {
	pid_t pid;
	/* SIGTTIN or SIGTTOU if the process has not ended, but was stopped by this signal
	 * because it used the terminal as a background process; else 0. It
	 * would never continue. */
	int stop;
};

/*
 * Waits until a child has ended, or will not end by itself, and does not reap it. type and
 * id are those of waitid(2). Returns 0, or -1 and errno, also EINTR.
 */
int child_end_wait(idtype_t type, id_t id, struct child_end *end);
/* Reaps a child that has ended or was killed, and stores its status and usage. The signal
 * that stopped it is its status. */
void child_end_reap(const struct child_end *end, pid_t pid, struct wire_result *r);

#endif
