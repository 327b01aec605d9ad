/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts several copies of a command concurrently. Only bench-spawn links it.
 */
#ifndef TOOLS_HELPERS_COPIES_H
#define TOOLS_HELPERS_COPIES_H

#include <signal.h>
#include <stdbool.h>

#include "protocol/spawn_proto.h"

/* The command, and how to start its copies. */
struct copies {
	uint32_t workers; /* up to WIRE_WORKERS_MAX */
	const char *path;
	char *const *argv;
	const char *stdin_path;   /* each copy opens it itself; empty if `in` is used */
	int in, out, err;         /* each is above 2, or the descriptor that it becomes */
	bool pin;                 /* whether each copy gets one processor, in turn */
	const sigset_t *mask;     /* the signal mask of the copies */
	volatile int32_t *groups; /* gets the process group of each copy; see wire_shared */
	const volatile sig_atomic_t *stop; /* once this is set, no more are started */
};

/*
 * Starts all copies, each in a process group of its own; they wait before their exec.
 * Returns false if one cannot be started, with the failure in r, or if *stop was set; no
 * copy is left then.
 */
bool copies_start(const struct copies *g, struct wire_result *r);
/*
 * Lets all copies start, waits until they have ended, and kills the rest of their groups.
 * Stores in r the sums, the largest peak of memory and the time until the last copy ended,
 * and in worker the time and status of each copy. r->failure is set if a copy could not be
 * executed.
 */
void copies_run(const struct copies *g, struct wire_result *r, struct wire_worker *worker);
/* Kills all running copies. Async-signal-safe. */
void copies_kill(void);

#endif
