/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many copies of one command at once, from a gate. For bench-spawn, which links it alone.
 */
#ifndef TOOLS_HELPERS_COPIES_H
#define TOOLS_HELPERS_COPIES_H

#include <signal.h>
#include <stdbool.h>

#include "protocol/spawn_proto.h"

struct copies {
	uint32_t workers; /* up to WIRE_WORKERS_MAX */
	const char *path;
	char *const *argv;
	const char *stdin_path; /* each opens it for itself; empty: in */
	int in, out, err;       /* none of them 0, 1 or 2 but for its own place */
	bool pin;               /* each on one of our processors, in turn */
	const sigset_t *mask;   /* theirs */
	const volatile sig_atomic_t *stop; /* no more are started once this is set */
};

/*
 * Start all, each in a process group of its own, and keep them waiting before their exec.
 * False when one cannot be started, which r tells, or when *stop was set; none is left
 * then.
 */
bool copies_start(const struct copies *g, struct wire_result *r);
/*
 * Open the gate and wait for all to end; what each leaves of its group is killed. r has the
 * sums, the largest peak of memory and the time until the last ended, worker what each took
 * and how it ended; r->failure tells of one that could not be executed.
 */
void copies_run(const struct copies *g, struct wire_result *r, struct wire_worker *worker);
/* Kill those that are there. Async-signal-safe. */
void copies_kill(void);

#endif
